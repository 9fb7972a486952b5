package io.headgate.cli.store;

import io.headgate.jdbc.StoreCheck;
import io.headgate.jdbc.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that a command was given, found to be a store.
 *
 * @param kind {@link StoreKind#RUN} or {@link StoreKind#JOBS}
 */
record StoreFile(Path path, StoreKind kind) {
  static final int OK = 0;

  /** Something is not as it should be, and was told. */
  static final int FAULTS = 1;

  /** There is no such file, or it is no store. */
  static final int NO_STORE = 66;

  /** The store is there and cannot be used now. */
  static final int UNUSABLE = 69;

  /** The answer could not be written. */
  static final int OUTPUT = 74;

  /** It is no store that can be used; the message is one line. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    Refused(int exitCode, String message) {
      super(message);
      this.exitCode = exitCode;
    }

    /** The message. */
    String line() {
      return String.valueOf(getMessage());
    }

    int exitCode() {
      return exitCode;
    }
  }

  /**
   * Looks what the file is.
   *
   * @throws Refused if it is no store, or this release cannot read it
   */
  static StoreFile of(Path path) throws Refused, StoreFault {
    if (!Files.exists(path)) {
      throw new Refused(NO_STORE, "there is no store " + path + ": give another path");
    }
    if (!Files.isRegularFile(path)) {
      throw new Refused(NO_STORE, path + " is no regular file: give the path of a store");
    }
    Driver.load(path);
    StoreKind kind = StoreKind.of(path);
    return switch (kind) {
      case RUN -> new StoreFile(path, kind);
      case JOBS -> {
        try {
          StoreCheck.requireKnown(path);
        } catch (StoreException e) {
          throw StoreFault.of(path.toString(), e);
        }
        yield new StoreFile(path, kind);
      }
      case NOTHING ->
          throw new Refused(NO_STORE, path + " has no tables, and is no store: give another path");
      case OTHER ->
          throw new Refused(
              NO_STORE, path + " is a database of another program: give another path");
    };
  }
}
