package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A joblog as others read it: whole rows, each of all columns. */
final class Rows {
  /** The columns of a row that tests look at. */
  record Row(
      long position,
      double runtime,
      long outBytes,
      int exitValue,
      int signal,
      String command,
      String outcome,
      String id,
      String hash) {}

  private Rows() {}

  /** All rows, in the order of the file, after a look at its form. */
  static List<Row> read(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertThat(text).startsWith(Joblog.HEADER + "\n").endsWith("\n");
    List<Row> rows = new ArrayList<>();
    for (String line : text.lines().skip(1).toList()) {
      String[] columns = line.split("\t", -1);
      assertThat(columns).as(line).hasSize(12);
      assertThat(columns[1]).isEqualTo(":");
      rows.add(
          new Row(
              Long.parseLong(columns[0]),
              Double.parseDouble(columns[3]),
              Long.parseLong(columns[5]),
              Integer.parseInt(columns[6]),
              Integer.parseInt(columns[7]),
              columns[8],
              columns[9],
              columns[10],
              columns[11]));
    }
    return rows;
  }

  /** The outcome of each position; the last row of a position counts. */
  static Map<Long, String> outcomes(Path file) throws IOException {
    Map<Long, String> outcomes = new TreeMap<>();
    for (Row row : read(file)) {
      outcomes.put(row.position(), row.outcome());
    }
    return outcomes;
  }

  /** The outcome of each position of a run that wrote one row for each. */
  static Map<Long, String> once(Path file) throws IOException {
    Map<Long, String> outcomes = outcomes(file);
    assertThat(read(file)).hasSameSizeAs(outcomes.keySet());
    return outcomes;
  }
}
