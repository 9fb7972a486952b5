package io.headgate.cli.store;

import io.headgate.jdbc.SqliteFile;
import io.headgate.jdbc.StoreException;
import java.sql.SQLException;

/** A store cannot be used. The message is one line that names the file and the cure. */
public final class StoreFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final StoreException.Kind kind;

  StoreFault(String message) {
    super(message);
    kind = StoreException.Kind.UNREACHABLE;
  }

  StoreFault(StoreException.Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  private StoreFault(String message, StoreException cause) {
    super(message, cause);
    kind = cause.kind();
  }

  /** The message. */
  public String line() {
    return String.valueOf(getMessage());
  }

  /** What is wrong. */
  StoreException.Kind kind() {
    return kind;
  }

  /** Whether the file is none of SQLite at all. */
  boolean isNoDatabase() {
    return kind == StoreException.Kind.CORRUPT && line().contains("is not a SQLite file");
  }

  static StoreFault of(SqliteFile file, String name, SQLException failure) {
    return of(name, file.explain(failure));
  }

  static StoreFault of(String name, StoreException failure) {
    String cause = String.valueOf(failure.getMessage());
    String message =
        switch (failure.kind()) {
          case FULL -> "the store " + name + " has no room left: free space on its disk";
          case UNREACHABLE ->
              cause.contains("IOERR")
                  ? "the store "
                      + name
                      + " cannot be read or written: look for room on its disk, for faults of it, and"
                      + " for a limit of file sizes (ulimit -f)"
                  : cause;
          case READ_ONLY, LOCKED, CORRUPT, WRONG_VERSION, UNACCEPTABLE -> cause;
        };
    // What the driver adds in brackets is for those who search for it, and may have several lines.
    return new StoreFault(message.replaceAll("\\s*\\R\\s*", " "), failure);
  }
}
