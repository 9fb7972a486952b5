package io.headgate.cli;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.Submission;
import io.headgate.Worker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads items, leaves out what an earlier run has done, and submits the rest. Used by the main
 * thread; the counts are for any, which may see them late.
 */
final class Intake {
  /** Told what does not go as it should; must not block for long. */
  interface Trouble {
    void complain(String message);
  }

  private final ItemReader items;
  private final LineReader lines;
  private final Worker<Item> worker;
  private final Jobs jobs;
  private final Earlier earlier;
  private final RunOptions options;
  private final Trouble trouble;

  private final AtomicLong skipped = new AtomicLong();
  private long skippedFailed;
  private long skippedUndone;
  private long held;
  private long refused;
  private long duplicates;
  private boolean unadmitted;
  private boolean differs;

  Intake(
      LineReader lines,
      Worker<Item> worker,
      Jobs jobs,
      Earlier earlier,
      RunOptions options,
      Trouble trouble) {
    this.lines = lines;
    this.worker = worker;
    this.jobs = jobs;
    this.earlier = earlier;
    this.options = options;
    this.trouble = trouble;
    items = new ItemReader(lines, options.input().perItem());
  }

  /**
   * Reads and submits until the end of the input, or until no more is accepted.
   *
   * @throws IOException if the input cannot be read
   */
  void run() throws IOException {
    for (Item item = items.next(); item != null; item = items.next()) {
      if (!take(item)) {
        Item rest = items.heldBack();
        if (rest != null && !differs) {
          // It was read, so it has its row too.
          var _ = submit(rest);
        }
        return;
      }
    }
    tellMissing();
  }

  private boolean take(Item item) {
    Earlier.Decision decision = earlier.decide(item);
    skipped.addAndGet(earlier.takeSkipped());
    switch (decision) {
      case RUN -> {
        return submit(item);
      }
      case SKIP -> {}
      case SKIP_FAILED -> skippedFailed++;
      case SKIP_UNDONE -> skippedUndone++;
      case HOLD -> held++;
      case DIFFERS -> {
        differs = true;
        trouble.complain("line " + item.firstLine() + " " + earlier.difference(item));
        return false;
      }
      case LOST -> {
        unadmitted = true;
        return false;
      }
    }
    return true;
  }

  private void tellMissing() {
    if (!lines.endReached()) {
      return;
    }
    String wrongEnd = earlier.wrongEnd(items.positions());
    if (!wrongEnd.isEmpty()) {
      differs = true;
      trouble.complain(wrongEnd);
      return;
    }
    long beyond = earlier.beyond(items.positions());
    if (beyond == 0) {
      return;
    }
    long toRun = earlier.beyondToRun(items.positions());
    skippedUndone += toRun;
    trouble.complain(
        "the input is shorter than that of the "
            + earlier.name()
            + ", which has "
            + beyond
            + " more positions"
            + (toRun > 0 ? "; " + toRun + " of them were to be run" : ""));
  }

  /** Submits an item; {@code false} if no further one can be accepted. */
  private boolean submit(Item item) {
    String id = id(item);
    jobs.begin(item);
    Submission submission;
    try {
      submission = worker.submitTracked(Job.of(id, item));
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted by nobody", e);
    }
    return switch (submission.admission()) {
      case Admission.Accepted accepted -> {
        var _ = submission.outcome().thenAccept(outcome -> jobs.ended(item, outcome));
        yield true;
      }
      case Admission.Refused no -> goesOnAfter(no.reason(), item);
    };
  }

  /** The id of an item's job. */
  String id(Item item) {
    return options.input().idIsLine() && !item.isCut()
        ? ItemIds.ofLines(item)
        : ItemIds.ofPosition(item);
  }

  private boolean goesOnAfter(Reason reason, Item item) {
    jobs.refused(item, Fate.refused(reason));
    if (reason == Reason.CLOSED) {
      unadmitted = true;
      return false;
    }
    if (reason == Reason.DUPLICATE) {
      duplicates++;
      return true;
    }
    refused++;
    String place = "line " + item.firstLine() + ": its " + item.length() + " bytes are above ";
    if (item.isCut()) {
      trouble.complain(place + "--max-line-bytes " + options.input().maxLineBytes());
    } else if (reason == Reason.TOO_LARGE) {
      trouble.complain(
          place
              + "the budget of "
              + options.bounds().capacityBytes()
              + " for all accepted lines; raise --capacity-bytes");
    } else if (reason == Reason.ID_TOO_LONG) {
      trouble.complain("line " + item.firstLine() + ": too long to be an id; use --id position");
    }
    return true;
  }

  /** Items that were left out as done. */
  long skipped() {
    return skipped.get();
  }

  /** Items that were left out, and had failed. */
  long skippedFailed() {
    return skippedFailed;
  }

  /** Items of which nobody knows what an earlier run did, and that were not run. */
  long held() {
    return held;
  }

  /** The word for where earlier runs are recorded. */
  String earlierName() {
    return earlier.name();
  }

  /** Items refused, without duplicates and what came after a stop. */
  long refused() {
    return refused;
  }

  /** Items refused because one like it was known. */
  long duplicates() {
    return duplicates;
  }

  /** Whether the input is not that of the earlier runs. */
  boolean differs() {
    return differs;
  }

  /** Whether something that was read, or is known to be left, was not submitted. */
  boolean isIncomplete() {
    return unadmitted
        || differs
        || refused > 0
        || skippedUndone > 0
        || held > 0
        || !lines.endReached();
  }
}
