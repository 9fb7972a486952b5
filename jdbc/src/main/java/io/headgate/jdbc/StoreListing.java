package io.headgate.jdbc;

import io.headgate.JobError;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pages of the jobs in a store, in order of admission, those that have ended in order of their
 * ends. Reads only, also beside the worker that owns the store; payloads only where they are asked
 * for.
 */
public final class StoreListing {

  private static final List<String> STATES =
      List.of("waiting", "running", "suspended", "held", "waiting");
  private static final List<String> ENDS =
      List.of("completed", "failed", "interrupted", "unstarted");

  private StoreListing() {}

  /**
   * One page.
   *
   * @param after the key of the last job seen, or 0 for the first page
   * @param limit how many at most
   * @param payloads whether payloads are read
   * @throws StoreException if the store cannot be read
   */
  public static List<ListedJob> page(
      Path file, JobPlace place, long after, int limit, boolean payloads) {
    boolean ended = place == JobPlace.ENDED;
    String key = ended ? "number" : "seq";
    String sql =
        "SELECT "
            + key
            + (ended ? ", id, kind, attempts, 0" : ", id, state, attempt, uncertain")
            + ", bytes, error_type, error_message, error_flags"
            + (payloads ? ", payload" : ", NULL")
            + " FROM "
            + place.rows()
            + " AND "
            + key
            + " > ? ORDER BY "
            + key
            + " LIMIT ?";
    List<String> words = ended ? ENDS : STATES;
    try (SqliteFile store = SqliteFile.look(file)) {
      try (PreparedStatement select = store.connection().prepareStatement(sql)) {
        select.setLong(1, after);
        select.setInt(2, limit);
        List<ListedJob> page = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            page.add(read(row, words));
          }
        }
        return page;
      } catch (SQLException e) {
        throw store.explain(e);
      }
    }
  }

  private static ListedJob read(ResultSet row, List<String> words) throws SQLException {
    int state = row.getInt(3);
    Optional<JobError> error = Optional.ofNullable(Errors.read(row, 7));
    return new ListedJob(
        row.getLong(1),
        row.getString(2),
        state >= 0 && state < words.size() ? words.get(state) : "unknown",
        row.getInt(4),
        row.getInt(5),
        row.getLong(6),
        error,
        Optional.ofNullable(row.getBytes(10)));
  }
}
