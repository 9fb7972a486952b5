package io.headgate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Writes a {@link Report} as JSON (RFC 8259). Core brings no library, and this is all it writes.
 */
final class ReportJson {

  private final StringBuilder out = new StringBuilder(512);
  private boolean first = true;

  private ReportJson() {}

  static String of(Report report) {
    ReportJson json = new ReportJson();
    json.object(() -> json.members(report));
    return json.out.toString();
  }

  /** The word for the kind of an outcome, as JSON and events use it. */
  static String kind(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed completed -> "completed";
      case Outcome.Failed failed -> "failed";
      case Outcome.Interrupted interrupted -> "interrupted";
      case Outcome.Unstarted unstarted -> "unstarted";
    };
  }

  private void members(Report report) {
    text("worker", report.worker());
    number("accepted", report.accepted());
    number("completed", report.completed());
    number("failed", report.failed());
    number("interrupted", report.interrupted());
    number("unstarted", report.unstarted());
    number("unfinished", report.unfinished());
    number("waiting", report.waiting());
    number("suspended", report.suspended());
    number("held", report.held());
    number("running", report.running());
    number("executing", report.executing());
    number("external", report.external());
    number("waitingBytes", report.waitingBytes());
    number("runningBytes", report.runningBytes());
    number("waitingProducers", report.waitingProducers());
    number("waitingProducerBytes", report.waitingProducerBytes());
    key("refused");
    object(
        () -> {
          for (Map.Entry<Reason, Long> entry : report.refused().entrySet()) {
            number(entry.getKey().name(), entry.getValue());
          }
        });
    key("overload");
    object(() -> overload(report.overload()));
    optional("ending", report.ending(), ending -> string(ending.name()));
    flag("isClean", report.isClean());
    duration("drainTime", report.drainTime());
    duration("cleanupTime", report.cleanupTime());
    array("abandoned", report.abandoned(), this::string);
    array("stuck", report.stuck(), this::stuck);
    number("omittedOutcomes", report.omittedOutcomes());
    array("outcomes", report.outcomes(), this::outcome);
  }

  private void overload(Overload overload) {
    key("loads");
    object(
        () ->
            new TreeMap<>(overload.loads())
                .forEach(
                    (cause, load) -> {
                      key(cause);
                      out.append(BigDecimal.valueOf(load).setScale(3, RoundingMode.HALF_UP));
                    }));
    optional("refusedFrom", overload.refusedFrom(), refused -> string(refused.name()));
    flag("shedding", overload.shedding());
    optional("oldestWaiting", overload.oldestWaiting(), this::seconds);
    optional("sinceLastRefusal", overload.sinceLastRefusal(), this::seconds);
  }

  private <E> void optional(String name, Optional<E> value, Consumer<E> write) {
    key(name);
    value.ifPresentOrElse(write, () -> out.append("null"));
  }

  private void stuck(StuckJob job) {
    object(
        () -> {
          text("id", job.jobId());
          duration("age", job.age());
          text("thread", job.thread());
          array("stack", job.stack(), frame -> string(frame.toString()));
        });
  }

  private void outcome(Outcome outcome) {
    object(
        () -> {
          text("id", outcome.jobId());
          text("outcome", kind(outcome));
          number("attempts", outcome.attempts());
          switch (outcome) {
            case Outcome.Completed completed -> {}
            case Outcome.Failed failed -> {
              text("errorType", failed.error().errorType());
              text("message", failed.error().message());
              flag("messageTruncated", failed.error().messageTruncated());
              text("sideEffects", failed.effectsUncertain() ? "unknown" : "reported");
              if (failed.retriesCutShort() != RetryCut.NONE) {
                text("retriesCutShort", failed.retriesCutShort().name().toLowerCase(Locale.ROOT));
              }
            }
            case Outcome.Interrupted interrupted -> text("sideEffects", "unknown");
            case Outcome.Unstarted unstarted -> {
              text("cause", unstarted.cause().name().toLowerCase(Locale.ROOT));
              text("sideEffects", "none");
            }
          }
        });
  }

  private void object(Runnable members) {
    out.append('{');
    boolean outer = first;
    first = true;
    members.run();
    first = outer;
    out.append('}');
  }

  private <E> void array(String name, Collection<E> elements, Consumer<E> write) {
    key(name);
    out.append('[');
    boolean comma = false;
    for (E element : elements) {
      if (comma) {
        out.append(',');
      }
      comma = true;
      write.accept(element);
    }
    out.append(']');
  }

  private void key(String name) {
    if (!first) {
      out.append(',');
    }
    first = false;
    string(name);
    out.append(':');
  }

  private void text(String name, String value) {
    key(name);
    string(value);
  }

  private void number(String name, long value) {
    key(name);
    out.append(value);
  }

  private void flag(String name, boolean value) {
    key(name);
    out.append(value);
  }

  /** Seconds with nanosecond digits, never in exponent form. */
  private void duration(String name, Duration value) {
    key(name);
    seconds(value);
  }

  private void seconds(Duration value) {
    out.append(value.toSeconds());
    if (value.toNanosPart() != 0) {
      String digits = String.format("%09d", value.toNanosPart());
      out.append('.').append(digits.replaceFirst("0+$", ""));
    }
  }

  private void string(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20 || c == 0x7f || isLoneSurrogate(value, i)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  /** A lone surrogate cannot be encoded; its escape can. */
  private static boolean isLoneSurrogate(String value, int i) {
    char c = value.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
  }
}
