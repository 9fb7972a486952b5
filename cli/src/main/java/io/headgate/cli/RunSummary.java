package io.headgate.cli;

import io.headgate.Report;
import org.jspecify.annotations.Nullable;

/** What a run came to: the part of it that the exit code says, and the one line for people. */
final class RunSummary {
  private final Report report;
  private final @Nullable Intake intake;
  private final @Nullable LineReader lines;
  private final long cut;

  /**
   * @param intake what was read, or null if nothing could be
   * @param store null where there is none
   */
  RunSummary(
      Report report,
      @Nullable Intake intake,
      @Nullable LineReader lines,
      @Nullable StoreRecord store) {
    this.report = report;
    this.intake = intake;
    this.lines = lines;
    cut = store == null ? 0 : store.cut();
  }

  /** Adds what speaks against success. */
  void judge(Verdict verdict) {
    long undone = report.interrupted() + report.unstarted() + report.unfinished() + cut;
    if (undone > 0 || intake == null || intake.isIncomplete()) {
      verdict.add(ExitCode.INCOMPLETE);
    }
    if (intake != null && intake.differs()) {
      verdict.add(ExitCode.INPUT);
    }
    if (report.failed() > 0 || (intake != null && intake.skippedFailed() > 0)) {
      verdict.add(ExitCode.FAILED);
    }
  }

  /** The sums. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(report.accepted()).append(" accepted: ");
    text.append(report.completed()).append(" completed, ");
    text.append(report.failed()).append(" failed, ");
    text.append(report.interrupted()).append(" interrupted, ");
    text.append(report.unstarted()).append(" unstarted, ");
    text.append(report.unfinished()).append(" unfinished");
    append(text, cut, " of the failed have attempts left, which the next run makes");
    if (intake != null) {
      append(text, intake.refused(), " refused");
      append(text, intake.duplicates(), " duplicate");
      append(text, intake.skipped(), " skipped by the " + intake.earlierName());
      append(text, intake.skippedFailed(), " of these had failed");
      append(text, intake.held(), " uncertain and held");
    }
    if (lines != null && !lines.endReached()) {
      text.append("; the input was not read to its end");
    }
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append("; ").append(count).append(what);
    }
  }
}
