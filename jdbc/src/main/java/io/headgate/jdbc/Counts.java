package io.headgate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The counters of the store: one row, read at the open and written once by each transaction that
 * changed it. Mutable and confined to the writer; {@link #copy} makes what others may see.
 */
@SuppressWarnings("EnumOrdinal") // the index into an array that is gone with the process
final class Counts {

  /** In the order of the columns of the table {@code counter}. */
  enum Counter {
    ACCEPTED,
    COMPLETED,
    FAILED,
    INTERRUPTED,
    UNSTARTED,
    WAITING_0,
    WAITING_1,
    WAITING_2,
    WAITING_3,
    WAITING_BYTES_0,
    WAITING_BYTES_1,
    WAITING_BYTES_2,
    WAITING_BYTES_3,
    DUE,
    SUSPENDED,
    HELD,
    SET_ASIDE_BYTES,
    RUNNING,
    RUNNING_BYTES,
    LAST_TOKEN,
    LAST_OUTCOME,
    FIRST_OUTCOME,
    KEPT,
    KEPT_BYTES,
    LAST_SEQ
  }

  static final int LEVELS = 4;

  private static final Counter[] ALL = Counter.values();

  private static final String SELECT = "SELECT * FROM counter WHERE one = 1";
  private static final String UPDATE = update();

  private final long[] values;

  private Counts(long[] values) {
    this.values = values;
  }

  private static String update() {
    StringBuilder sql = new StringBuilder("UPDATE counter SET ");
    for (Counter counter : ALL) {
      sql.append(counter == ALL[0] ? "" : ", ").append(counter.name()).append(" = ?");
    }
    return sql.append(" WHERE one = 1").toString();
  }

  static Counts load(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT);
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("the table counter has lost its row");
      }
      long[] values = new long[ALL.length];
      for (Counter counter : ALL) {
        values[counter.ordinal()] = row.getLong(counter.name());
      }
      return new Counts(values);
    }
  }

  static PreparedStatement prepareSave(Connection connection) throws SQLException {
    return connection.prepareStatement(UPDATE);
  }

  void save(PreparedStatement update) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      update.setLong(i + 1, values[i]);
    }
    if (update.executeUpdate() != 1) {
      throw new SQLException("the table counter has lost its row");
    }
  }

  Counts copy() {
    return new Counts(values.clone());
  }

  boolean isSame(Counts other) {
    return Arrays.equals(values, other.values);
  }

  long get(Counter counter) {
    return values[counter.ordinal()];
  }

  void add(Counter counter, long delta) {
    values[counter.ordinal()] += delta;
  }

  /** Adds one and returns the sum. */
  long next(Counter counter) {
    return ++values[counter.ordinal()];
  }

  // ---- places ----

  /** A job of {@code bytes} enters ({@code sign} 1) or leaves (-1) a place. */
  void move(JobState state, int level, long bytes, int sign) {
    switch (state) {
      case WAITING -> {
        values[Counter.WAITING_0.ordinal() + level] += sign;
        values[Counter.WAITING_BYTES_0.ordinal() + level] += sign * bytes;
      }
      case RUNNING -> {
        add(Counter.RUNNING, sign);
        add(Counter.RUNNING_BYTES, sign * bytes);
      }
      case SUSPENDED -> setAside(Counter.SUSPENDED, bytes, sign);
      case HELD -> setAside(Counter.HELD, bytes, sign);
      case DUE -> setAside(Counter.DUE, bytes, sign);
    }
  }

  private void setAside(Counter counter, long bytes, int sign) {
    add(counter, sign);
    add(Counter.SET_ASIDE_BYTES, sign * bytes);
  }

  /** Waiting jobs at {@code level} or less critical. */
  long waitingFrom(int level) {
    return sum(Counter.WAITING_0, level);
  }

  long waitingBytesFrom(int level) {
    return sum(Counter.WAITING_BYTES_0, level);
  }

  private long sum(Counter first, int from) {
    long sum = 0;
    for (int level = from; level < LEVELS; level++) {
      sum += values[first.ordinal() + level];
    }
    return sum;
  }

  /** Jobs that may be claimed now. */
  long ready() {
    return waitingFrom(0) + get(Counter.DUE);
  }

  long unfinished() {
    return ready() + get(Counter.SUSPENDED) + get(Counter.HELD) + get(Counter.RUNNING);
  }

  long ended() {
    return get(Counter.COMPLETED)
        + get(Counter.FAILED)
        + get(Counter.INTERRUPTED)
        + get(Counter.UNSTARTED);
  }

  long bytesNotRunning() {
    return waitingBytesFrom(0) + get(Counter.SET_ASIDE_BYTES);
  }

  long bytes() {
    return bytesNotRunning() + get(Counter.RUNNING_BYTES);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Counts[");
    for (Counter counter : ALL) {
      text.append(counter == ALL[0] ? "" : ", ").append(counter).append('=').append(get(counter));
    }
    return text.append(']').toString();
  }
}
