package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.jdbc.Counts.Counter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Looks at the rows of a store that nobody uses, by SQL of its own, and holds them to the rules.
 */
final class StoreAudit implements AutoCloseable {

  private final Connection connection;

  private StoreAudit(Connection connection) {
    this.connection = connection;
  }

  static StoreAudit of(Path file) throws SQLException {
    return new StoreAudit(DriverManager.getConnection("jdbc:sqlite:" + file));
  }

  /** Counters equal rows, every id is in the window once, and the file is sound. */
  StoreAudit holds() throws SQLException {
    assertThat(text("PRAGMA integrity_check")).isEqualTo("ok");
    Counts counts = Counts.load(connection);
    for (int level = 0; level < Counts.LEVELS; level++) {
      String waiting = " FROM job WHERE state = 0 AND level = " + level;
      assertThat(number("SELECT count(*)" + waiting))
          .isEqualTo(counts.get(Counter.valueOf("WAITING_" + level)));
      assertThat(number("SELECT coalesce(sum(bytes), 0)" + waiting))
          .isEqualTo(counts.get(Counter.valueOf("WAITING_BYTES_" + level)));
    }
    assertThat(inState(JobState.RUNNING)).isEqualTo(counts.get(Counter.RUNNING));
    assertThat(inState(JobState.SUSPENDED)).isEqualTo(counts.get(Counter.SUSPENDED));
    assertThat(inState(JobState.HELD)).isEqualTo(counts.get(Counter.HELD));
    assertThat(inState(JobState.DUE)).isEqualTo(counts.get(Counter.DUE));
    assertThat(number("SELECT count(*) FROM outcome")).isEqualTo(counts.get(Counter.KEPT));
    assertThat(number("SELECT coalesce(sum(size), 0) FROM outcome"))
        .isEqualTo(counts.get(Counter.KEPT_BYTES));
    assertThat(counts.ended() + counts.unfinished())
        .as("accepted = outcomes + unfinished, of " + counts)
        .isEqualTo(counts.get(Counter.ACCEPTED));
    assertThat(number("SELECT count(*) FROM job_id"))
        .as("ids in the window")
        .isEqualTo(number("SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM outcome)"));
    assertThat(
            number(
                "SELECT count(*) FROM job j JOIN job_id i ON i.id = j.id AND i.seq = j.seq"
                    + " WHERE i.ended IS NULL"))
        .isEqualTo(number("SELECT count(*) FROM job"));
    assertThat(
            number(
                "SELECT count(*) FROM outcome o JOIN job_id i ON i.id = o.id"
                    + " WHERE i.ended = o.number"))
        .isEqualTo(number("SELECT count(*) FROM outcome"));
    return this;
  }

  /** Where every id of the store is: the state of an unfinished job, or how it ended. */
  Map<String, String> places() throws SQLException {
    Map<String, String> places = new HashMap<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT id, 'job ' || state FROM job UNION ALL SELECT id, 'outcome ' || kind FROM"
                    + " outcome");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        assertThat(places.put(row.getString(1), row.getString(2))).as("twice").isNull();
      }
    }
    return places;
  }

  /** Ids of unfinished jobs whose payload is not {@code expected} of the id. */
  Set<String> damaged(UnaryOperator<String> expected) throws SQLException {
    Set<String> damaged = new TreeSet<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT id, payload FROM job UNION ALL"
                    + " SELECT id, payload FROM outcome WHERE payload IS NOT NULL");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        String payload = new String(row.getBytes(2), UTF_8);
        if (!payload.equals(expected.apply(row.getString(1)))) {
          damaged.add(row.getString(1));
        }
      }
    }
    return damaged;
  }

  private long inState(JobState state) throws SQLException {
    return number("SELECT count(*) FROM job WHERE state = " + state.code);
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  String text(String sql) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  void execute(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
