package io.headgate.cli;

import io.headgate.Report;

/** The report of a run: the worker's, and one more member for what only the run knows. */
final class RunReport {
  private RunReport() {}

  static String json(Report report, Run run) {
    String json = report.toJson();
    int end = json.lastIndexOf('}');
    return json.substring(0, end)
        + ",\"run\":{\"exitCode\":"
        + run.exitCode()
        + ",\"lines\":"
        + run.lines()
        + ",\"emptyLines\":"
        + run.emptyLines()
        + ",\"endOfInput\":"
        + run.endOfInput()
        + ",\"signals\":"
        + run.signals()
        + "}}";
  }
}
