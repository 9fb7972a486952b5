package io.headgate.jdbc;

import io.headgate.Criticality;
import io.headgate.JobError;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code job}: an unfinished job. The places that a transition changes are in
 * the table, not here.
 *
 * @param level the criticality, 0 the most critical
 * @param expiresAt when it is too late to start it, or {@link #NEVER}
 * @param attempt how many starts it had that count
 * @param uncertain how many of all starts have an unknown end
 * @param lost how many of these were lost to crashes, since somebody last decided on it
 * @param deadlineAt when it is too late for another attempt, or {@link #NEVER}
 * @param lastError with which it fails if there is no other attempt; null before the first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record JobRow(
    long seq,
    String id,
    JobState state,
    int level,
    long bytes,
    long expiresAt,
    long token,
    int attempt,
    int uncertain,
    int lost,
    long dueAt,
    long deadlineAt,
    int retriesBelow,
    @Nullable JobError lastError,
    byte[] payload) {

  /** A time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  static final String COLUMNS =
      "seq, id, state, level, bytes, expires_at, token, attempt, uncertain, lost, due_at,"
          + " deadline_at, retries_below, error_type, error_message, error_flags, payload";

  private static final byte[] NO_BYTES = {};

  /** The index is what the column {@code level} holds. */
  private static final List<Criticality> CRITICALITIES =
      List.of(
          Criticality.CRITICAL_PLUS,
          Criticality.CRITICAL,
          Criticality.SHEDDABLE_PLUS,
          Criticality.SHEDDABLE);

  static JobRow read(ResultSet row) throws SQLException {
    return new JobRow(
        row.getLong(1),
        row.getString(2),
        JobState.of(row.getInt(3)),
        row.getInt(4),
        row.getLong(5),
        timeOrNever(row, 6),
        row.getLong(7),
        row.getInt(8),
        row.getInt(9),
        row.getInt(10),
        timeOrNever(row, 11),
        timeOrNever(row, 12),
        row.getInt(13),
        Errors.read(row, 14),
        row.getBytes(17));
  }

  /** One that was never started. */
  static JobRow waiting(
      long seq, String id, int level, long bytes, long expiresAt, byte[] payload) {
    return new JobRow(
        seq,
        id,
        JobState.WAITING,
        level,
        bytes,
        expiresAt,
        0,
        0,
        0,
        0,
        NEVER,
        NEVER,
        0,
        null,
        payload);
  }

  static long timeOrNever(ResultSet row, int column) throws SQLException {
    long time = row.getLong(column);
    return row.wasNull() ? NEVER : time;
  }

  static int level(Criticality criticality) {
    return CRITICALITIES.indexOf(criticality);
  }

  Criticality criticality() {
    return CRITICALITIES.get(level);
  }

  /** Whether it has a delay that is not over, and was never started. */
  boolean isDelayed() {
    return state == JobState.SUSPENDED && attempt == 0;
  }

  // ---- the same job elsewhere ----

  /** Running under {@code token}; its payload is with whoever claimed it. */
  JobRow started(long newToken) {
    return with(
        JobState.RUNNING, newToken, attempt + 1, uncertain, lost + 1, dueAt, deadlineAt, lastError);
  }

  /** After the start under way has ended, well or not: that start is not lost. */
  JobRow ended(int attempts, int uncertainStarts, JobError error) {
    return with(state, token, attempts, uncertainStarts, lost - 1, dueAt, deadlineAt, error);
  }

  JobRow backTo(JobState place, long due) {
    return with(place, token, attempt, uncertain, lost, due, deadlineAt, lastError);
  }

  /** Between two attempts; the start under way has ended. */
  JobRow suspended(long due, long deadline, JobError error, int retries) {
    return new JobRow(
        seq,
        id,
        JobState.SUSPENDED,
        level,
        bytes,
        expiresAt,
        token,
        attempt,
        uncertain,
        lost - 1,
        due,
        deadline,
        retries,
        error,
        payload);
  }

  JobRow attempt(int attempts) {
    return with(state, token, attempts, uncertain, lost, dueAt, deadlineAt, lastError);
  }

  JobRow lost(int starts) {
    return with(state, token, attempt, uncertain, starts, dueAt, deadlineAt, lastError);
  }

  JobRow withoutPayload() {
    return new JobRow(
        seq,
        id,
        state,
        level,
        bytes,
        expiresAt,
        token,
        attempt,
        uncertain,
        lost,
        dueAt,
        deadlineAt,
        retriesBelow,
        lastError,
        NO_BYTES);
  }

  private JobRow with(
      JobState place,
      long newToken,
      int attempts,
      int uncertainStarts,
      int lostStarts,
      long due,
      long deadline,
      @Nullable JobError error) {
    return new JobRow(
        seq,
        id,
        place,
        level,
        bytes,
        expiresAt,
        newToken,
        attempts,
        uncertainStarts,
        lostStarts,
        due,
        deadline,
        retriesBelow,
        error,
        payload);
  }

  @Override
  public String toString() {
    return "JobRow[" + seq + ", " + state + "]";
  }
}
