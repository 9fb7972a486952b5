package io.headgate.jdbc;

import io.headgate.JobError;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The three columns of an error: type, message, flags. Cut to a bound whatever the worker kept. */
final class Errors {

  /** UTF-16 units kept of a message, also where the worker has no bound of its own. */
  static final int MAX_MESSAGE = 16_384;

  private static final int MAX_TYPE = 256;
  private static final int TRUNCATED = 1;
  private static final int UNCERTAIN = 2;

  private Errors() {}

  static @Nullable JobError read(ResultSet row, int column) throws SQLException {
    String type = row.getString(column);
    if (type == null) {
      return null;
    }
    int flags = row.getInt(column + 2);
    String message = row.getString(column + 1);
    return new JobError(
        type, message == null ? "" : message, (flags & TRUNCATED) != 0, (flags & UNCERTAIN) != 0);
  }

  static void bind(PreparedStatement statement, int index, @Nullable JobError error)
      throws SQLException {
    if (error == null) {
      statement.setNull(index, Types.VARCHAR);
      statement.setNull(index + 1, Types.VARCHAR);
      statement.setNull(index + 2, Types.INTEGER);
      return;
    }
    String message = prefix(error.message(), MAX_MESSAGE);
    boolean truncated = error.messageTruncated() || message.length() < error.message().length();
    statement.setString(index, prefix(error.errorType(), MAX_TYPE));
    statement.setString(index + 1, message);
    statement.setInt(
        index + 2, (truncated ? TRUNCATED : 0) | (error.effectsUncertain() ? UNCERTAIN : 0));
  }

  /** What an error takes in the store, roughly: two bytes a unit. */
  static long size(@Nullable JobError error) {
    return error == null
        ? 0
        : 2L * (Math.min(error.message().length(), MAX_MESSAGE) + error.errorType().length());
  }

  /** The error of a job that was started, and of whose end nothing is known. */
  static JobError unknownEnd(String message) {
    return new JobError("UncertainStart", message, false, true);
  }

  /** What is left of an error that cannot be written as it is. */
  static JobError bare(JobError error) {
    return new JobError("UnrecordableError", "", true, error.effectsUncertain());
  }

  private static String prefix(String text, int units) {
    if (text.length() <= units) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(units - 1));
    return text.substring(0, splits ? units - 1 : units);
  }
}
