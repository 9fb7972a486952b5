package io.headgate.jdbc;

import static java.util.Objects.requireNonNull;

import io.headgate.JobError;
import io.headgate.Outcome;
import io.headgate.RetryCut;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The latest outcomes: all statements on the table {@code outcome}. The writer keeps one, with its
 * statements prepared; readers use the static parts.
 */
final class OutcomeTable implements AutoCloseable {

  private static final int COMPLETED = 0;
  private static final int FAILED = 1;
  private static final int INTERRUPTED = 2;
  private static final int UNSTARTED = 3;

  /** What a row takes beside its texts and payload: a bound, not a measurement. */
  private static final int ROW_BYTES = 128;

  private static final String INSERT =
      "INSERT INTO outcome (number, id, kind, attempts, cause, error_type, error_message,"
          + " error_flags, ended_at, size, level, bytes, payload)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String COLUMNS =
      "id, kind, attempts, cause, error_type, error_message, error_flags";
  private static final String OF_ID =
      "SELECT "
          + COLUMNS
          + " FROM outcome"
          + " WHERE number = (SELECT ended FROM job_id WHERE id = ?)";
  private static final String LATEST =
      "SELECT " + COLUMNS + " FROM outcome ORDER BY number DESC LIMIT ?";
  private static final String OLDEST =
      "SELECT number, 1, size FROM outcome WHERE number >= ? ORDER BY number LIMIT ?";
  private static final String SUM_OF_OLDEST =
      "SELECT max(number), count(*), sum(size) FROM"
          + " (SELECT number, size FROM outcome WHERE number >= ? ORDER BY number LIMIT ?)";
  private static final String DELETE_UP_TO = "DELETE FROM outcome WHERE number <= ?";
  private static final String FREE_IDS_UP_TO =
      "DELETE FROM job_id WHERE id IN (SELECT id FROM outcome WHERE number <= ?)";
  private static final String FAILED_OF_ID =
      "SELECT number, level, bytes, size, payload FROM outcome"
          + " WHERE kind = 1 AND number = (SELECT ended FROM job_id WHERE id = ?)";
  private static final String DELETE = "DELETE FROM outcome WHERE number = ?";

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement oldest;
  private final PreparedStatement sumOfOldest;
  private final PreparedStatement deleteUpTo;
  private final PreparedStatement freeIdsUpTo;

  OutcomeTable(Connection connection) throws SQLException {
    this.connection = connection;
    insert = connection.prepareStatement(INSERT);
    oldest = connection.prepareStatement(OLDEST);
    sumOfOldest = connection.prepareStatement(SUM_OF_OLDEST);
    deleteUpTo = connection.prepareStatement(DELETE_UP_TO);
    freeIdsUpTo = connection.prepareStatement(FREE_IDS_UP_TO);
  }

  /** Writes an outcome and returns what it is reckoned to take. */
  long insert(
      long number, Outcome outcome, long endedAt, int level, long bytes, byte @Nullable [] payload)
      throws SQLException {
    JobError error = null;
    int kind;
    String cause = null;
    switch (outcome) {
      case Outcome.Completed done -> kind = COMPLETED;
      case Outcome.Failed failure -> {
        kind = FAILED;
        error = failure.error();
        cause = failure.retriesCutShort().name();
      }
      case Outcome.Interrupted stopped -> kind = INTERRUPTED;
      case Outcome.Unstarted never -> {
        kind = UNSTARTED;
        cause = never.cause().name();
      }
    }
    long size = size(outcome.jobId(), error, payload);
    insert.setLong(1, number);
    insert.setString(2, outcome.jobId());
    insert.setInt(3, kind);
    insert.setInt(4, outcome.attempts());
    insert.setString(5, cause);
    Errors.bind(insert, 6, error);
    insert.setLong(9, endedAt);
    insert.setLong(10, size);
    insert.setInt(11, level);
    insert.setLong(12, bytes);
    insert.setBytes(13, payload);
    insert.executeUpdate();
    return size;
  }

  /** What an outcome is reckoned to take. */
  static long size(String id, @Nullable JobError error, byte @Nullable [] payload) {
    return ROW_BYTES
        + 3L * id.length()
        + Errors.size(error)
        + (payload == null ? 0 : payload.length);
  }

  // ---- trimming ----

  /** What is known of outcomes that are about to go: the last of them, how many, their sizes. */
  record Oldest(long last, long number, long size) {}

  /** The oldest outcomes from {@code number} on. */
  List<Oldest> oldest(long number, int limit) throws SQLException {
    oldest.setLong(1, number);
    oldest.setInt(2, limit);
    List<Oldest> page = new ArrayList<>(limit);
    try (ResultSet row = oldest.executeQuery()) {
      while (row.next()) {
        page.add(oldest(row));
      }
    }
    return page;
  }

  /** The oldest {@code limit} outcomes from {@code number} on, together. */
  Oldest sumOfOldest(long number, int limit) throws SQLException {
    sumOfOldest.setLong(1, number);
    sumOfOldest.setInt(2, limit);
    try (ResultSet row = sumOfOldest.executeQuery()) {
      row.next();
      return oldest(row);
    }
  }

  private static Oldest oldest(ResultSet row) throws SQLException {
    return new Oldest(row.getLong(1), row.getLong(2), row.getLong(3));
  }

  /** Removes the outcomes up to {@code number}, and their ids from the window. */
  void deleteUpTo(long number) throws SQLException {
    freeIdsUpTo.setLong(1, number);
    freeIdsUpTo.executeUpdate();
    deleteUpTo.setLong(1, number);
    deleteUpTo.executeUpdate();
  }

  // ---- requeuing ----

  /** A failed job as its outcome keeps it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record FailedJob(long number, int level, long bytes, long size, byte[] payload) {}

  @Nullable FailedJob failed(String id) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(FAILED_OF_ID)) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        return new FailedJob(
            row.getLong(1), row.getInt(2), row.getLong(3), row.getLong(4), row.getBytes(5));
      }
    }
  }

  void delete(long number) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setLong(1, number);
      delete.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    insert.close();
    oldest.close();
    sumOfOldest.close();
    deleteUpTo.close();
    freeIdsUpTo.close();
  }

  // ---- for readers ----

  static Optional<Outcome> find(Connection connection, String id) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(OF_ID)) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /** The latest outcomes, oldest first. */
  static List<Outcome> latest(Connection connection, int limit) throws SQLException {
    List<Outcome> outcomes = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(LATEST)) {
      select.setInt(1, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          outcomes.add(read(row));
        }
      }
    }
    return outcomes.reversed();
  }

  private static Outcome read(ResultSet row) throws SQLException {
    String id = row.getString(1);
    int attempts = row.getInt(3);
    String cause = row.getString(4);
    return switch (row.getInt(2)) {
      case COMPLETED -> new Outcome.Completed(id, attempts);
      case FAILED ->
          new Outcome.Failed(
              id,
              attempts,
              requireNonNull(Errors.read(row, 5), "a failure without an error"),
              RetryCut.valueOf(cause));
      case INTERRUPTED -> new Outcome.Interrupted(id, attempts);
      case UNSTARTED -> new Outcome.Unstarted(id, Outcome.Unstarted.Cause.valueOf(cause));
      default -> throw new SQLException("unknown kind of outcome of job " + id);
    };
  }
}
