package io.headgate.benchmarks.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** One measured line: what was measured, under which settings, and its figures. */
public final class Row {

  private final Map<String, Object> values = new LinkedHashMap<>();

  private Row() {}

  /**
   * A row that says what it is about.
   *
   * @param version of the peer; of Headgate the commit is recorded with the run
   * @param settings as the peer was built
   */
  public static Row of(String subject, String version, String settings) {
    return new Row().with("subject", subject).with("version", version).with("settings", settings);
  }

  /** Adds a number, a text or a boolean. */
  public Row with(String name, Object value) {
    if (values.put(name, value) != null) {
      throw new IllegalArgumentException("the row has two of " + name);
    }
    return this;
  }

  /** Adds a median and its range. */
  public Row with(String name, Spread spread) {
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("median", spread.median());
    parts.put("min", spread.min());
    parts.put("max", spread.max());
    parts.put("count", spread.count());
    return with(name, (Object) parts);
  }

  Map<String, Object> values() {
    return Collections.unmodifiableMap(values);
  }
}
