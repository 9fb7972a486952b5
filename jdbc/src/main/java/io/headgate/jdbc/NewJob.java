package io.headgate.jdbc;

/**
 * A job to be admitted.
 *
 * @param startsAt when its delay is over, or {@link JobRow#NEVER} if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NewJob(String id, int level, long bytes, long expiresAt, long startsAt, byte[] payload) {
  boolean isDelayed() {
    return startsAt != JobRow.NEVER;
  }
}
