package io.headgate.jdbc;

import io.headgate.jdbc.Counts.Counter;
import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks whether a store of jobs is sound: the file by SQLite's own check, the counters against the
 * rows, the equation, and the window of ids. Changes nothing, and may be used beside the worker
 * that owns the store: all is seen as of one instant.
 */
public final class StoreCheck {

  private static final int MOST_LINES = 10;

  private final Statement statement;
  private final List<String> faults = new ArrayList<>();

  private StoreCheck(Statement statement) {
    this.statement = statement;
  }

  /**
   * What is wrong with the store, one sentence each; empty if it is sound. Takes a time that grows
   * with the store.
   *
   * @throws StoreException if it cannot be read, or is of a release that this one does not
   *     understand
   */
  public static List<String> faults(Path file) {
    try (SqliteFile store = SqliteFile.look(file)) {
      try (Statement statement = store.connection().createStatement()) {
        requireKnown(file, statement);
        StoreCheck check = new StoreCheck(statement);
        statement.execute("BEGIN");
        check.integrity();
        if (check.faults.isEmpty()) {
          check.counters(Counts.load(store.connection()));
          check.window();
        }
        return check.faults;
      } catch (SQLException e) {
        throw store.explain(e);
      }
    }
  }

  /**
   * Checks that this release understands the store.
   *
   * @throws StoreException if it does not, or the store cannot be read
   */
  public static void requireKnown(Path file) {
    try (SqliteFile store = SqliteFile.look(file)) {
      try (Statement statement = store.connection().createStatement()) {
        requireKnown(file, statement);
      } catch (SQLException e) {
        throw store.explain(e);
      }
    }
  }

  private static void requireKnown(Path file, Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT version, compatible_from FROM headgate_schema")) {
      if (!row.next()) {
        throw new StoreException(
            Kind.CORRUPT, "the store " + file + " has lost its version: restore a backup");
      }
      int version = row.getInt(1);
      if (version > Schema.VERSION && row.getInt(2) > Schema.VERSION) {
        throw new StoreException(
            Kind.WRONG_VERSION,
            "the store %s has schema %d, and this release has %d: use a newer release"
                .formatted(file, version, Schema.VERSION));
      }
      if (version < Schema.VERSION) {
        throw new StoreException(
            Kind.WRONG_VERSION,
            "the store %s has schema %d, and this release has %d: a worker of this release migrates it when it opens it"
                .formatted(file, version, Schema.VERSION));
      }
    }
  }

  private void integrity() throws SQLException {
    faults.addAll(integrity(statement));
  }

  /** What SQLite finds wrong with a file, the first of it; empty if nothing. */
  public static List<String> integrity(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return integrity(statement);
    }
  }

  private static List<String> integrity(Statement statement) throws SQLException {
    List<String> found = new ArrayList<>();
    try (ResultSet row = statement.executeQuery("PRAGMA integrity_check(" + MOST_LINES + ")")) {
      while (row.next()) {
        String text = row.getString(1);
        if (!text.equals("ok")) {
          found.add("the file is damaged: " + text.replaceAll("\\s*\\R\\s*", " "));
        }
      }
    }
    return found;
  }

  private void counters(Counts counts) throws SQLException {
    for (int level = 0; level < Counts.LEVELS; level++) {
      String waiting = " FROM job WHERE state = 0 AND level = " + level;
      same(counts, Counter.valueOf("WAITING_" + level), "SELECT count(*)" + waiting);
      same(
          counts,
          Counter.valueOf("WAITING_BYTES_" + level),
          "SELECT coalesce(sum(bytes), 0)" + waiting);
    }
    same(counts, Counter.RUNNING, inState(JobState.RUNNING));
    same(counts, Counter.SUSPENDED, inState(JobState.SUSPENDED));
    same(counts, Counter.HELD, inState(JobState.HELD));
    same(counts, Counter.DUE, inState(JobState.DUE));
    same(counts, Counter.KEPT, "SELECT count(*) FROM outcome");
    same(counts, Counter.KEPT_BYTES, "SELECT coalesce(sum(size), 0) FROM outcome");
    long accounted = counts.ended() + counts.unfinished();
    if (counts.get(Counter.ACCEPTED) != accounted) {
      faults.add(
          "accepted is %d, but the outcomes and the unfinished jobs are %d"
              .formatted(counts.get(Counter.ACCEPTED), accounted));
    }
  }

  private static String inState(JobState state) {
    return "SELECT count(*) FROM job WHERE state = " + state.code;
  }

  private void same(Counts counts, Counter counter, String sql) throws SQLException {
    long rows = number(sql);
    if (rows != counts.get(counter)) {
      faults.add(
          "the counter %s is %d, but the rows say %d"
              .formatted(counter, counts.get(counter), rows));
    }
  }

  private void window() throws SQLException {
    none(
        "unfinished jobs are not in the window of ids",
        "SELECT count(*) FROM job j WHERE NOT EXISTS (SELECT 1 FROM job_id i"
            + " WHERE i.id = j.id AND i.seq = j.seq AND i.ended IS NULL)");
    none(
        "outcomes are not in the window of ids",
        "SELECT count(*) FROM outcome o WHERE NOT EXISTS (SELECT 1 FROM job_id i"
            + " WHERE i.id = o.id AND i.ended = o.number)");
    none(
        "ids of the window have no job and no outcome",
        "SELECT count(*) FROM job_id i WHERE NOT EXISTS (SELECT 1 FROM job j WHERE j.seq = i.seq"
            + " AND i.ended IS NULL) AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.number ="
            + " i.ended)");
    none(
        "jobs are in a state that there is not",
        "SELECT count(*) FROM job WHERE state NOT BETWEEN 0 AND " + (JobState.values().length - 1));
  }

  private void none(String what, String sql) throws SQLException {
    long found = number(sql);
    if (found > 0) {
      faults.add(found + " " + what);
    }
  }

  private long number(String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
