package io.headgate.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a study found.
 *
 * @param title the heading of its section
 * @param text Markdown: what was run, tables, what they do not say
 * @param failures what must not be and was seen, empty if all is well
 */
public record Findings(String title, String text, List<Row> rows, List<String> failures) {

  /** Copies the lists. */
  public Findings {
    rows = List.copyOf(rows);
    failures = List.copyOf(failures);
  }

  /** Findings that nothing can be wrong with. */
  public Findings(String title, String text, List<Row> rows) {
    this(title, text, rows, List.of());
  }

  /** Every row carries the whole description of the run, so that it can be read alone. */
  public String json(Machine machine, String command) {
    List<Object> all = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> line = new LinkedHashMap<>(row.values());
      line.put("command", command);
      line.putAll(machine.values());
      all.add(line);
    }
    Map<String, Object> top = new LinkedHashMap<>();
    top.put("title", title);
    top.put("rows", all);
    top.put("failures", failures);
    return Json.of(top);
  }
}
