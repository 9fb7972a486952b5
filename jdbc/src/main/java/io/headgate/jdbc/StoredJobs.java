package io.headgate.jdbc;

import static java.util.Objects.requireNonNull;

import io.headgate.JobError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The jobs of a store, listed and decided on from outside. Lists may be made while a worker uses
 * the store; decisions need it to be free. Thread-safe; every call opens the store and closes it.
 */
public final class StoredJobs {

  private static final String HELD =
      "SELECT seq, id, attempt, uncertain, bytes, error_type, error_message, error_flags FROM job"
          + " WHERE state = 3 AND seq > ? ORDER BY seq LIMIT ?";
  private static final String FAILED =
      "SELECT number, id, attempts, 0, bytes, error_type, error_message, error_flags FROM outcome"
          + " WHERE kind = 1 AND number > ? ORDER BY number LIMIT ?";

  private final Path file;
  private final StoreSettings settings;

  StoredJobs(Path file, StoreSettings settings) {
    this.file = file;
    this.settings = settings;
  }

  /**
   * The jobs that wait for a decision, in order of admission.
   *
   * @param after the key of the last one seen, or 0 for the first page
   * @throws StoreException if the store cannot be read
   */
  public List<StoredJob> held(long after, int limit) {
    return page(HELD, after, limit);
  }

  /**
   * The failed jobs that the history keeps, in order of their ends.
   *
   * @param after the key of the last one seen, or 0 for the first page
   * @throws StoreException if the store cannot be read
   */
  public List<StoredJob> failed(long after, int limit) {
    return page(FAILED, after, limit);
  }

  private List<StoredJob> page(String sql, long after, int limit) {
    requireStore();
    try (Connection connection = settings.dialect().openReader();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, after);
      select.setInt(2, limit);
      List<StoredJob> page = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Optional<JobError> error = Optional.ofNullable(Errors.read(row, 6));
          page.add(
              new StoredJob(
                  row.getLong(1),
                  row.getString(2),
                  row.getInt(3),
                  row.getInt(4),
                  row.getLong(5),
                  error));
        }
      }
      return List.copyOf(page);
    } catch (SQLException e) {
      throw settings.dialect().explain(e);
    }
  }

  /**
   * Decides on a held job.
   *
   * @return false if there is no held job with that id
   * @throws StoreException if a worker uses the store, or it cannot be written
   */
  public boolean decide(String jobId, Decision decision) {
    requireNonNull(decision, "decision");
    return change(ledger -> ledger.decide(jobId, decision));
  }

  /**
   * Admits a failed job once more, with its id and payload: its outcome leaves the history, and a
   * new job is accepted, also beyond the capacity.
   *
   * @return false if the history has no failed job with that id
   * @throws StoreException if a worker uses the store, or it cannot be written
   */
  public boolean requeue(String jobId) {
    return change(ledger -> ledger.requeue(jobId));
  }

  private interface Change {
    boolean make(Ledger ledger) throws SQLException;
  }

  @SuppressWarnings("try") // the owner is only held
  private boolean change(Change change) {
    requireStore();
    new Schema(settings.dialect(), settings.signals()).requireUsable(file);
    try (FileOwner owner = FileOwner.of(file);
        Connection connection = settings.dialect().openWriter();
        StoreSession session = new StoreSession(connection, settings.dialect())) {
      // The bounds are those of the next worker, which trims what is too much.
      Room room = new Room(1, Integer.MAX_VALUE, Long.MAX_VALUE);
      Ledger ledger = new Ledger(settings, room, Integer.MAX_VALUE, session);
      ledger.begin();
      try {
        boolean done = change.make(ledger);
        ledger.commit();
        return done;
      } catch (SQLException e) {
        ledger.rollback();
        throw e;
      }
    } catch (SQLException e) {
      throw settings.dialect().explain(e);
    }
  }

  private void requireStore() {
    if (!Files.exists(file)) {
      throw new StoreException(
          StoreException.Kind.UNREACHABLE, "there is no store " + file + ": give another path");
    }
  }

  @Override
  public String toString() {
    return "StoredJobs[" + file + "]";
  }
}
