package io.headgate.jdbc;

import io.headgate.JobError;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished jobs and the window of ids: all statements on the tables {@code job} and {@code
 * job_id}. Belongs to one connection, and with it to one thread.
 */
final class JobTable implements AutoCloseable {

  // One statement decides on a duplicate: the id is taken or it is not.
  private static final String TAKE_ID =
      "INSERT INTO job_id (id, seq) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
  private static final String FIND_ID = "SELECT seq, ended FROM job_id WHERE id = ?";
  private static final String END_ID = "UPDATE job_id SET ended = ? WHERE id = ?";
  private static final String FREE_ID = "DELETE FROM job_id WHERE id = ?";

  private static final String INSERT =
      "INSERT INTO job (seq, id, state, level, bytes, expires_at, due_at, payload)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String FIND = "SELECT " + JobRow.COLUMNS + " FROM job WHERE seq = ?";
  private static final String START =
      "UPDATE job SET state = 1, token = ?, attempt = ?, lost = ? WHERE seq = ?";
  private static final String REMOVE_CLAIMED =
      "DELETE FROM job WHERE seq = ? AND token = ? AND state = 1";
  private static final String REMOVE = "DELETE FROM job WHERE seq = ?";
  private static final String PLACE =
      "UPDATE job SET state = ?, attempt = ?, uncertain = ?, lost = ?, due_at = ?, deadline_at = ?,"
          + " retries_below = ?, error_type = ?, error_message = ?, error_flags = ?"
          + " WHERE seq = ? AND token = ? AND state = ?";
  private static final String ENQUEUE =
      "UPDATE job SET seq = ?, state = 0, due_at = NULL WHERE seq = ?";
  private static final String RENUMBER = "UPDATE job_id SET seq = ? WHERE id = ?";
  private static final String MAKE_DUE = "UPDATE job SET state = 4 WHERE seq = ?";

  private static final String SELECT = "SELECT " + JobRow.COLUMNS + " FROM job WHERE ";
  private static final String WAITING =
      "SELECT seq, id, level, bytes, expires_at, payload FROM job"
          + " WHERE state = 0 AND seq > ? ORDER BY seq LIMIT ?";
  // A partial index is used only where its own condition is said too.
  private static final String FIRST_DUE =
      SELECT + "state IN (2, 4) AND state = 4 ORDER BY due_at, seq LIMIT 1";
  private static final String FIRST_SUSPENDED =
      SELECT + "state IN (2, 4) AND state = 2 ORDER BY due_at, seq LIMIT 1";
  private static final String FIRST_EXPIRED =
      SELECT
          + "state = 0 AND expires_at IS NOT NULL AND expires_at <= ?"
          + " ORDER BY expires_at LIMIT 1";
  private static final String FIRST_EXPIRY =
      "SELECT min(expires_at) FROM job WHERE state = 0 AND expires_at IS NOT NULL";
  private static final String OLDEST_FROM_LEVEL =
      SELECT + "state = 0 AND seq > ? AND level >= ? ORDER BY seq LIMIT 1";
  // By the index, which has no jobs of level 1: in order of seq it would pass all of those.
  private static final String OLDEST_OF_LAST_LEVELS =
      SELECT
          + "seq = (SELECT min(first) FROM ("
          + "SELECT min(seq) AS first FROM job WHERE state = 0 AND level <> 1 AND level = 2"
          + " UNION ALL "
          + "SELECT min(seq) AS first FROM job WHERE state = 0 AND level <> 1 AND level = 3))";
  private static final String OLDEST_OF_LEVEL =
      SELECT + "state = 0 AND level <> 1 AND level = ? ORDER BY seq LIMIT 1";
  private static final String RUNNING = SELECT + "state = 1 AND seq > ? ORDER BY seq LIMIT ?";

  private final Connection connection;
  private final List<PreparedStatement> prepared = new ArrayList<>();
  private final PreparedStatement takeId;
  private final PreparedStatement findId;
  private final PreparedStatement endId;
  private final PreparedStatement freeId;
  private final PreparedStatement insert;
  private final PreparedStatement find;
  private final PreparedStatement start;
  private final PreparedStatement removeClaimed;
  private final PreparedStatement remove;
  private final PreparedStatement place;
  private final PreparedStatement makeDue;
  private final PreparedStatement enqueue;
  private final PreparedStatement renumber;
  private final PreparedStatement waiting;
  private final PreparedStatement firstDue;
  private final PreparedStatement firstSuspended;
  private final PreparedStatement firstExpired;
  private final PreparedStatement firstExpiry;
  private final PreparedStatement oldestFromLevel;
  private final PreparedStatement oldestOfLastLevels;
  private final PreparedStatement oldestOfLevel;

  JobTable(Connection connection) throws SQLException {
    this.connection = connection;
    takeId = prepare(TAKE_ID);
    findId = prepare(FIND_ID);
    endId = prepare(END_ID);
    freeId = prepare(FREE_ID);
    insert = prepare(INSERT);
    find = prepare(FIND);
    start = prepare(START);
    removeClaimed = prepare(REMOVE_CLAIMED);
    remove = prepare(REMOVE);
    place = prepare(PLACE);
    makeDue = prepare(MAKE_DUE);
    enqueue = prepare(ENQUEUE);
    renumber = prepare(RENUMBER);
    waiting = prepare(WAITING);
    firstDue = prepare(FIRST_DUE);
    firstSuspended = prepare(FIRST_SUSPENDED);
    firstExpired = prepare(FIRST_EXPIRED);
    firstExpiry = prepare(FIRST_EXPIRY);
    oldestFromLevel = prepare(OLDEST_FROM_LEVEL);
    oldestOfLastLevels = prepare(OLDEST_OF_LAST_LEVELS);
    oldestOfLevel = prepare(OLDEST_OF_LEVEL);
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    prepared.add(statement);
    return statement;
  }

  // ---- the window of ids ----

  /** What the window knows of an id. */
  record Known(long seq, boolean isEnded) {}

  @Nullable Known find(String id) throws SQLException {
    findId.setString(1, id);
    try (ResultSet row = findId.executeQuery()) {
      if (!row.next()) {
        return null;
      }
      long seq = row.getLong(1);
      row.getLong(2);
      return new Known(seq, !row.wasNull());
    }
  }

  /** Takes the id for job {@code seq}; false if it is taken already. */
  boolean takeId(String id, long seq) throws SQLException {
    takeId.setString(1, id);
    takeId.setLong(2, seq);
    return takeId.executeUpdate() == 1;
  }

  void endId(String id, long outcome) throws SQLException {
    endId.setLong(1, outcome);
    endId.setString(2, id);
    endId.executeUpdate();
  }

  void freeId(String id) throws SQLException {
    freeId.setString(1, id);
    freeId.executeUpdate();
  }

  // ---- jobs ----

  void insert(long seq, NewJob job) throws SQLException {
    insert.setLong(1, seq);
    insert.setString(2, job.id());
    insert.setInt(3, (job.isDelayed() ? JobState.SUSPENDED : JobState.WAITING).code);
    insert.setInt(4, job.level());
    insert.setLong(5, job.bytes());
    bindTime(insert, 6, job.expiresAt());
    bindTime(insert, 7, job.startsAt());
    insert.setBytes(8, job.payload());
    insert.executeUpdate();
  }

  /** Lets a suspended job wait under another number, the last one. */
  void enqueue(JobRow row, long seq) throws SQLException {
    enqueue.setLong(1, seq);
    enqueue.setLong(2, row.seq());
    enqueue.executeUpdate();
    renumber.setLong(1, seq);
    renumber.setString(2, row.id());
    renumber.executeUpdate();
  }

  @Nullable JobRow find(long seq) throws SQLException {
    find.setLong(1, seq);
    return one(find);
  }

  void start(long seq, long token, int attempt, int lost) throws SQLException {
    start.setLong(1, token);
    start.setInt(2, attempt);
    start.setInt(3, lost);
    start.setLong(4, seq);
    start.executeUpdate();
  }

  /** Removes a job if {@code token} is that of its latest claim. */
  boolean removeClaimed(long seq, long token) throws SQLException {
    removeClaimed.setLong(1, seq);
    removeClaimed.setLong(2, token);
    return removeClaimed.executeUpdate() == 1;
  }

  void remove(long seq) throws SQLException {
    remove.setLong(1, seq);
    remove.executeUpdate();
  }

  /**
   * Writes all that a row says but its payload, if it is still in the place {@code from} and {@code
   * row.token()} is that of its latest claim.
   */
  boolean place(JobState from, JobRow row) throws SQLException {
    place.setInt(1, row.state().code);
    place.setInt(2, row.attempt());
    place.setInt(3, row.uncertain());
    place.setInt(4, row.lost());
    bindTime(place, 5, row.dueAt());
    bindTime(place, 6, row.deadlineAt());
    place.setInt(7, row.retriesBelow());
    JobError error = row.lastError();
    Errors.bind(place, 8, error);
    place.setLong(11, row.seq());
    place.setLong(12, row.token());
    place.setInt(13, from.code);
    return place.executeUpdate() == 1;
  }

  void makeDue(long seq) throws SQLException {
    makeDue.setLong(1, seq);
    makeDue.executeUpdate();
  }

  private static void bindTime(PreparedStatement statement, int index, long time)
      throws SQLException {
    if (time == JobRow.NEVER) {
      statement.setNull(index, Types.BIGINT);
    } else {
      statement.setLong(index, time);
    }
  }

  // ---- the first of a kind ----

  /**
   * Gives the first waiting jobs after {@code seq} to {@code page}, in order, until there are
   * {@code limit} or their payloads have {@code maxBytes}; whether these were all.
   */
  boolean waiting(long seq, int limit, long maxBytes, Consumer<JobRow> page) throws SQLException {
    waiting.setLong(1, seq);
    waiting.setInt(2, limit);
    int rows = 0;
    long bytes = 0;
    try (ResultSet row = waiting.executeQuery()) {
      while (bytes < maxBytes && row.next()) {
        JobRow next =
            JobRow.waiting(
                row.getLong(1),
                row.getString(2),
                row.getInt(3),
                row.getLong(4),
                JobRow.timeOrNever(row, 5),
                row.getBytes(6));
        rows++;
        bytes += next.payload().length;
        page.accept(next);
      }
    }
    return rows < limit && bytes < maxBytes;
  }

  @Nullable JobRow firstDue() throws SQLException {
    return one(firstDue);
  }

  @Nullable JobRow firstSuspended() throws SQLException {
    return one(firstSuspended);
  }

  @Nullable JobRow firstExpired(long now) throws SQLException {
    firstExpired.setLong(1, now);
    return one(firstExpired);
  }

  long firstExpiry() throws SQLException {
    try (ResultSet row = firstExpiry.executeQuery()) {
      row.next();
      long time = row.getLong(1);
      return row.wasNull() ? JobRow.NEVER : time;
    }
  }

  /**
   * The oldest of a level and those after it; none waits before {@code seq}. Below level 2 it
   * passes the jobs of lower levels that are older, and no others.
   */
  @Nullable JobRow oldestFromLevel(long seq, int level) throws SQLException {
    if (level == Counts.LEVELS - 1) {
      return oldestOfLevel(level);
    }
    if (level == Counts.LEVELS - 2) {
      return one(oldestOfLastLevels);
    }
    oldestFromLevel.setLong(1, seq);
    oldestFromLevel.setInt(2, level);
    return one(oldestFromLevel);
  }

  /** The oldest of one level; level 1, of which there are most, has no index for it. */
  @Nullable JobRow oldestOfLevel(int level) throws SQLException {
    oldestOfLevel.setInt(1, level);
    return one(oldestOfLevel);
  }

  private static @Nullable JobRow one(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? JobRow.read(row) : null;
    }
  }

  /** A page of the jobs that the store believes to be running. */
  List<JobRow> running(long after, int limit) throws SQLException {
    List<JobRow> page = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(RUNNING)) {
      select.setLong(1, after);
      select.setInt(2, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          page.add(JobRow.read(row));
        }
      }
    }
    return page;
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : prepared) {
      statement.close();
    }
  }

  /** Whether an id is that of an unfinished job, or is remembered. For those who only read. */
  static boolean isKnown(Connection connection, String id) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(FIND_ID)) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }
}
