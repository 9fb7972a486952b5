package io.headgate.cli;

import io.headgate.Report;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The report of a run: the worker's, and one more member for what only the run knows. */
final class RunReport {
  private RunReport() {}

  /**
   * @param uncertain the ids of lines of which nobody knows what an earlier run did; null without a
   *     store
   */
  static String json(
      Report report,
      int exitCode,
      LineReader lines,
      Intake intake,
      @Nullable List<String> uncertain,
      int signals) {
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
        // Ids of positions have nothing that JSON would have escaped.
        + (uncertain == null
            ? ""
            : uncertain.stream()
                .map(id -> '"' + id + '"')
                .collect(Collectors.joining(",", ",\"uncertain\":[", "]")))
        + "}}";
  }
}
