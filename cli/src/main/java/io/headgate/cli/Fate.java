package io.headgate.cli;

import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import java.util.Locale;

/**
 * What became of an item that was read: its outcome, the refusal, or that it had no end yet when
 * the process ended.
 *
 * @param kind the word
 * @param detail the cause, reason or kind of error; empty where there is none
 * @param cutByStop whether it has failed alone because a stop came before its next attempt
 */
record Fate(Kind kind, String detail, boolean cutByStop) {
  /** The words of a joblog. */
  enum Kind {
    COMPLETED,
    FAILED,
    INTERRUPTED,
    UNSTARTED,
    REFUSED,
    /** It ended, and that could not be recorded. */
    UNCERTAIN,
    UNFINISHED;

    /** The word as it is written. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** It ran on, or waited, when the process had to end. */
  static final Fate UNFINISHED = new Fate(Kind.UNFINISHED, "");

  Fate(Kind kind, String detail) {
    this(kind, detail, false);
  }

  /** Its end could not be recorded, so that the next run knows nothing of it. */
  static final Fate UNCERTAIN = new Fate(Kind.UNCERTAIN, "");

  private static final String END_NOT_RECORDED = EndNotRecorded.class.getName();

  static Fate of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed completed -> new Fate(Kind.COMPLETED, "");
      case Outcome.Failed failed when failed.error().errorType().equals(END_NOT_RECORDED) ->
          UNCERTAIN;
      case Outcome.Failed failed ->
          new Fate(
              Kind.FAILED,
              shortName(failed.error().errorType()),
              failed.retriesCutShort() == RetryCut.STOP);
      case Outcome.Interrupted interrupted -> new Fate(Kind.INTERRUPTED, "");
      case Outcome.Unstarted unstarted ->
          new Fate(Kind.UNSTARTED, unstarted.cause().name().toLowerCase(Locale.ROOT));
    };
  }

  static Fate refused(Reason reason) {
    return new Fate(Kind.REFUSED, reason.name());
  }

  private static String shortName(String type) {
    return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
  }

  /** As in {@code failed(ExitStatus)}, {@code unstarted(shed)}, {@code completed}. */
  String text() {
    return detail.isEmpty() ? kind.word() : kind.word() + "(" + detail + ")";
  }
}
