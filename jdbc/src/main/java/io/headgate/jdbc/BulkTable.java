package io.headgate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/**
 * What a group does to many jobs alike, in a few statements: all of the common way of a job, from
 * admission over its start to its completion. Belongs to one connection, as {@link JobTable}, which
 * has the same for one job and everything else.
 */
final class BulkTable implements AutoCloseable {

  private final ManyRows takeIds;
  private final ManyRows giveIdsBack;
  private final ManyRows freeIds;
  private final ManyRows insert;
  private final ManyRows removeClaimed;
  private final ManyRows complete;
  private final PreparedStatement start;
  private final PreparedStatement endIds;

  BulkTable(Connection connection) throws SQLException {
    takeIds =
        new ManyRows(
            connection,
            rows ->
                "INSERT INTO job_id (id, seq) VALUES "
                    + ManyRows.rows("(?, ?)", rows)
                    + " ON CONFLICT (id) DO NOTHING");
    giveIdsBack =
        new ManyRows(
            connection,
            rows -> "DELETE FROM job_id WHERE seq >= ? AND id IN (" + ManyRows.places(rows) + ")");
    freeIds =
        new ManyRows(
            connection, rows -> "DELETE FROM job_id WHERE id IN (" + ManyRows.places(rows) + ")");
    insert =
        new ManyRows(
            connection,
            rows ->
                "INSERT INTO job (seq, id, state, level, bytes, expires_at, payload) VALUES "
                    + ManyRows.rows("(?, ?, 0, ?, ?, ?, ?)", rows));
    // No two starts have the same token, so this finds exactly the pairs of a job and its token.
    removeClaimed =
        new ManyRows(
            connection,
            rows ->
                "DELETE FROM job WHERE seq IN ("
                    + ManyRows.places(rows)
                    + ") AND token IN ("
                    + ManyRows.places(rows)
                    + ") AND state = 1");
    complete =
        new ManyRows(
            connection,
            rows ->
                "INSERT INTO outcome (number, id, kind, attempts, ended_at, size, level, bytes)"
                    + " VALUES "
                    + ManyRows.rows("(?, ?, 0, ?, ?, ?, ?, ?)", rows));
    start =
        connection.prepareStatement(
            "UPDATE job SET state = 1, token = seq + ?, attempt = 1, lost = 1"
                + " WHERE seq BETWEEN ? AND ? AND state = 0");
    endIds =
        connection.prepareStatement(
            "UPDATE job_id SET ended = o.number FROM outcome o"
                + " WHERE o.number BETWEEN ? AND ? AND job_id.id = o.id");
  }

  /** Takes the ids for jobs numbered from {@code first}; how many of them were not taken yet. */
  int takeIds(List<NewJob> jobs, long first) throws SQLException {
    return takeIds.update(
        jobs.size(),
        (statement, from, rows) -> {
          int place = 1;
          for (int i = from; i < from + rows; i++) {
            statement.setString(place++, jobs.get(i).id());
            statement.setLong(place++, first + i);
          }
        });
  }

  /** Undoes {@link #takeIds}. */
  void giveIdsBack(List<NewJob> jobs, long first) throws SQLException {
    giveIdsBack.update(
        jobs.size(),
        (statement, from, rows) -> {
          statement.setLong(1, first);
          for (int i = 0; i < rows; i++) {
            statement.setString(2 + i, jobs.get(from + i).id());
          }
        });
  }

  void insert(List<NewJob> jobs, long first) throws SQLException {
    insert.update(
        jobs.size(),
        (statement, from, rows) -> {
          int place = 1;
          for (int i = from; i < from + rows; i++) {
            NewJob job = jobs.get(i);
            statement.setLong(place++, first + i);
            statement.setString(place++, job.id());
            statement.setInt(place++, job.level());
            statement.setLong(place++, job.bytes());
            if (job.expiresAt() == JobRow.NEVER) {
              statement.setNull(place++, Types.BIGINT);
            } else {
              statement.setLong(place++, job.expiresAt());
            }
            statement.setBytes(place++, job.payload());
          }
        });
  }

  /**
   * Starts waiting jobs for the first time; they are given in order of admission.
   *
   * @param token of the first one, the next has the next
   * @return how many of them waited indeed
   */
  int start(List<JobRow> rows, long token) throws SQLException {
    int started = 0;
    int from = 0;
    while (from < rows.size()) {
      long first = rows.get(from).seq();
      int to = from + 1;
      while (to < rows.size() && rows.get(to).seq() == first + (to - from)) {
        to++;
      }
      start.setLong(1, token + from - first);
      start.setLong(2, first);
      start.setLong(3, first + (to - from) - 1);
      started += start.executeUpdate();
      from = to;
    }
    return started;
  }

  /** Removes jobs of which the tokens are those of their latest claims; how many these were. */
  int removeClaimed(List<JobRow> claimed) throws SQLException {
    return removeClaimed.update(
        claimed.size(),
        (statement, from, rows) -> {
          for (int i = 0; i < rows; i++) {
            statement.setLong(1 + i, claimed.get(from + i).seq());
            statement.setLong(1 + rows + i, claimed.get(from + i).token());
          }
        });
  }

  /** Writes outcomes numbered from {@code first}; returns what they are reckoned to take. */
  long complete(List<JobRow> ended, long first, long endedAt) throws SQLException {
    long[] sizes = new long[1];
    complete.update(
        ended.size(),
        (statement, from, rows) -> {
          int place = 1;
          for (int i = from; i < from + rows; i++) {
            JobRow row = ended.get(i);
            long size = OutcomeTable.size(row.id(), null, null);
            sizes[0] += size;
            statement.setLong(place++, first + i);
            statement.setString(place++, row.id());
            statement.setInt(place++, row.attempt());
            statement.setLong(place++, endedAt);
            statement.setLong(place++, size);
            statement.setInt(place++, row.level());
            statement.setLong(place++, row.bytes());
          }
        });
    endIds.setLong(1, first);
    endIds.setLong(2, first + ended.size() - 1);
    endIds.executeUpdate();
    return sizes[0];
  }

  /** Takes the ids of ended jobs out of the window. */
  void freeIds(List<JobRow> ended) throws SQLException {
    freeIds.update(
        ended.size(),
        (statement, from, rows) -> {
          for (int i = 0; i < rows; i++) {
            statement.setString(1 + i, ended.get(from + i).id());
          }
        });
  }

  @Override
  public void close() throws SQLException {
    takeIds.close();
    giveIdsBack.close();
    freeIds.close();
    insert.close();
    removeClaimed.close();
    complete.close();
    start.close();
    endIds.close();
  }
}
