package io.headgate.cli;

import io.headgate.Report;

/** The report of a run: the worker's, and one more member for what only the run knows. */
final class RunReport {
  private RunReport() {}

  static String json(Report report, int exitCode, LineReader lines, Intake intake, int signals) {
    String json = report.toJson();
    int end = json.lastIndexOf('}');
    return json.substring(0, end)
        + ",\"run\":{\"exitCode\":"
        + exitCode
        + ",\"lines\":"
        + lines.lines()
        + ",\"emptyLines\":"
        + lines.emptyLines()
        + ",\"skipped\":"
        + intake.skipped()
        + ",\"endOfInput\":"
        + lines.endReached()
        + ",\"signals\":"
        + signals
        + "}}";
  }
}
