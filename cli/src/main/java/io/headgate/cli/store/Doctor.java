package io.headgate.cli.store;

import io.headgate.jdbc.SqliteFile;
import io.headgate.jdbc.StoreCheck;
import io.headgate.jdbc.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/** The command {@code headgate doctor}: says whether a store is sound. Changes nothing. */
public final class Doctor {
  private static final String CURE_OF_DAMAGE =
      "move it away with its -wal and restore a backup, or recover it with: sqlite3 FILE .recover";

  private final Path path;
  private final Console console;

  private Doctor(Path path, Console console) {
    this.path = path;
    this.console = console;
  }

  /** Examines a file; the exit code. */
  public static int examine(Path path, Console console) {
    return new Doctor(path, console).examine();
  }

  private int examine() {
    try {
      StoreFile store = StoreFile.of(path);
      List<String> faults = faults(store);
      if (!faults.isEmpty() && Files.exists(Path.of(path + "-wal"))) {
        // A process may have come meanwhile, whose log was not read with the file.
        faults = faults(store);
      }
      if (!faults.isEmpty()) {
        return unsound(store, faults);
      }
      console.print(path + " is sound: " + contents(store));
      return StoreFile.OK;
    } catch (StoreFile.Refused e) {
      console.complain(e.line());
      return e.exitCode();
    } catch (StoreException e) {
      return refused(StoreFault.of(path.toString(), e));
    } catch (StoreFault e) {
      return refused(e);
    }
  }

  private int refused(StoreFault fault) {
    if (fault.isNoDatabase()) {
      console.complain(fault.line());
      return StoreFile.NO_STORE;
    }
    if (fault.kind() == StoreException.Kind.CORRUPT) {
      console.complain(fault.line());
      return StoreFile.FAULTS;
    }
    console.complain(fault.line());
    return StoreFile.UNUSABLE;
  }

  private List<String> faults(StoreFile store) throws StoreFault {
    if (store.kind() == StoreKind.JOBS) {
      return StoreCheck.faults(path);
    }
    try (SqliteFile file = SqliteFile.look(path)) {
      try {
        return ProgressCheck.faults(file);
      } catch (SQLException e) {
        throw StoreFault.of(file, path.toString(), e);
      }
    }
  }

  private int unsound(StoreFile store, List<String> faults) {
    for (String fault : faults) {
      console.print(path + ": " + fault);
    }
    console.print(path + ": cure: " + cure(store, faults));
    return StoreFile.FAULTS;
  }

  private static String cure(StoreFile store, List<String> faults) {
    if (faults.stream().anyMatch(fault -> fault.startsWith("the file is damaged"))) {
      return CURE_OF_DAMAGE;
    }
    return store.kind() == StoreKind.RUN
        ? "restore a backup, or run again with --restart; a joblog, if there is one, has what was"
            + " done"
        : "restore a backup; what is wrong was not written by headgate, or is a fault of it that"
            + " should be reported";
  }

  private String contents(StoreFile store) throws StoreFault {
    OptionalLong owner = SqliteFile.owner(path);
    String by = owner.isPresent() ? ", in use by process " + owner.getAsLong() : "";
    if (store.kind() == StoreKind.JOBS) {
      return "the jobs of a worker" + by;
    }
    try (ProgressStore record = ProgressStore.look(path)) {
      Sums sums = record == null ? Sums.NONE : record.sums();
      long held =
          record == null || owner.isPresent()
              ? 0
              : record.beyond(0, List.of(LineState.RUNNING, LineState.UNCERTAIN));
      return "the progress of a run, "
          + sums.known()
          + " lines known, "
          + sums.completed()
          + " completed, "
          + sums.failed()
          + " failed"
          + (held > 0 ? ", " + held + " uncertain (see headgate jobs " + path + ")" : "")
          + by;
    }
  }
}
