package io.headgate.cli.store;

import io.headgate.jdbc.SqliteFile;
import io.headgate.jdbc.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The progress record of a run, in a file that this process owns: what is said to be recorded is on
 * the disk. Safe for all threads; every change blocks, uninterruptibly, until it is committed.
 */
/*
 * Group commit without a thread: a change lies down in the queue and waits for the lock. Who gets
 * the lock commits all that lies there in one transaction, with one sync; the others find theirs
 * done. While the disk is awaited, the next group gathers at the lock.
 *
 * A group that cannot be committed is rolled back, and the store is broken from then on: starts
 * fail at once, so that nothing runs of which there is no record. Ends are kept, no more than run
 * at once, and tried once more at the close, when there may be room again.
 */
public final class ProgressStore implements AutoCloseable {
  private final SqliteFile file;
  private final String name;
  private final Points points;
  private final boolean writable;

  private final ConcurrentLinkedQueue<Change> queue = new ConcurrentLinkedQueue<>();
  // Fair, so that who comes anew waits behind those who are to find theirs done, and joins a group.
  private final ReentrantLock lock = new ReentrantLock(true);

  // Guarded by the lock. Null in a file without tables, which only a look can meet.
  private @Nullable ProgressTables tables;
  private @Nullable StoreFault broken;
  private final List<Step> unwritten = new ArrayList<>();

  /** A step of a transaction. */
  private interface Step {
    void take(ProgressTables tables) throws SQLException;
  }

  /** What somebody waits for. */
  private static final class Change {
    private final Step step;
    private final boolean isEnd;
    // Guarded by the lock.
    private boolean done;
    private @Nullable StoreFault fault;

    private Change(Step step, boolean isEnd) {
      this.step = step;
      this.isEnd = isEnd;
    }
  }

  private ProgressStore(SqliteFile file, String name, Points points, boolean writable) {
    this.file = file;
    this.name = name;
    this.points = points;
    this.writable = writable;
  }

  /** Opens a store for a run, makes it if it is not there, and changes nothing else yet. */
  public static ProgressStore open(Path path) throws StoreFault {
    return open(path, Points.NONE);
  }

  /** For tests: with points at which they end the process. */
  public static ProgressStore open(Path path, Points points) throws StoreFault {
    Driver.load(path);
    // Before it is opened for writing, which changes a file: it may be of somebody else.
    requireOurs(path);
    ProgressStore store;
    try {
      store = new ProgressStore(SqliteFile.own(path), path.toString(), points, true);
    } catch (StoreException e) {
      throw StoreFault.of(path.toString(), e);
    }
    try {
      store.makeTables();
      return store;
    } catch (SQLException e) {
      store.file.close();
      throw StoreFault.of(store.file, store.name, e);
    } catch (RuntimeException | Error e) {
      store.file.close();
      throw e;
    }
  }

  /** Opens a store to read it alone; an empty one if it is not there. */
  public static @Nullable ProgressStore look(Path path) throws StoreFault {
    if (!Files.exists(path)) {
      return null;
    }
    Driver.load(path);
    if (!requireOurs(path)) {
      return null;
    }
    try {
      ProgressStore store =
          new ProgressStore(SqliteFile.look(path), path.toString(), Points.NONE, false);
      store.tables = new ProgressTables(store.file.connection(), Points.NONE);
      return store;
    } catch (StoreException e) {
      throw StoreFault.of(path.toString(), e);
    } catch (SQLException e) {
      throw new StoreFault("the store " + path + " cannot be read: " + e.getMessage());
    }
  }

  /** Whether there is a progress record in the file; refuses what is something else. */
  private static boolean requireOurs(Path path) throws StoreFault {
    try {
      if (Files.isDirectory(path)) {
        throw new StoreFault("the store " + path + " is a folder: give the path of a file");
      }
      if (!Files.exists(path) || Files.size(path) == 0) {
        return false;
      }
    } catch (IOException e) {
      throw new StoreFault("the store " + path + " cannot be read: let this user read it");
    }
    StoreKind kind = StoreKind.of(path);
    return switch (kind) {
      case NOTHING -> false;
      case RUN -> true;
      case JOBS ->
          throw new StoreFault(
              "the store " + path + " holds the jobs of a worker, not of a run: give another path");
      case OTHER ->
          throw new StoreFault(
              "the store " + path + " is a database of another program: give another path");
    };
  }

  private void makeTables() throws SQLException {
    Connection connection = file.connection();
    try (Statement statement = connection.createStatement()) {
      // A run writes little, and the log beside the file is to stay small.
      statement.execute("PRAGMA wal_autocheckpoint = 1000");
      statement.execute("BEGIN IMMEDIATE");
      try {
        if (StoreKind.of(connection) == StoreKind.NOTHING) {
          ProgressTables.create(statement);
        } else {
          // So that a store which cannot be written is found out before anything runs.
          statement.execute("UPDATE headgate_run SET known = known");
        }
        points.reached(Points.Point.SCHEMA);
        statement.execute("COMMIT");
      } catch (SQLException e) {
        rollback();
        throw e;
      }
    }
    tables = new ProgressTables(connection, points);
  }

  /**
   * Takes what there is as that of earlier runs: forgets it, or makes uncertain what was running.
   */
  public void begin(boolean restart) throws StoreFault {
    change(
        at -> {
          if (restart) {
            at.clear();
          } else {
            at.resolveRunning();
          }
          points.reached(Points.Point.BEGIN);
        },
        false);
  }

  /** Records that a line is about to be started. */
  public void started(long position, long line, long hash) throws StoreFault {
    change(
        at -> {
          at.put(new Row(position, line, hash, LineState.RUNNING));
          points.reached(Points.Point.START);
        },
        false);
  }

  /** Records a line that was refused, if it was not known: it is to be run, unless {@code done}. */
  public void refused(long position, long line, long hash, boolean done) throws StoreFault {
    change(
        at -> {
          if (done) {
            at.put(new Row(position, line, hash, LineState.COMPLETED));
          } else if (at.row(position) == null) {
            at.put(new Row(position, line, hash, LineState.OPEN));
          }
        },
        false);
  }

  /** Records how a start ended, or what somebody decided. */
  public void ended(long position, LineState state) throws StoreFault {
    change(
        at -> {
          at.change(position, state);
          points.reached(Points.Point.END);
        },
        true);
  }

  private void change(Step step, boolean isEnd) throws StoreFault {
    Change change = new Change(step, isEnd);
    queue.add(change);
    lock.lock();
    try {
      if (!change.done) {
        write();
      }
      if (change.fault != null) {
        throw change.fault;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Commits all that lies in the queue. Holding the lock. */
  private void write() {
    List<Change> group = new ArrayList<>();
    for (Change change = queue.poll(); change != null; change = queue.poll()) {
      group.add(change);
    }
    StoreFault fault = broken != null ? broken : commit(group.stream().map(c -> c.step).toList());
    broken = fault;
    for (Change change : group) {
      change.done = true;
      change.fault = fault;
      if (fault != null && change.isEnd) {
        unwritten.add(change.step);
      }
    }
  }

  /** Takes the steps in one transaction; null, or why nothing of it is committed. */
  private @Nullable StoreFault commit(List<Step> steps) {
    ProgressTables at = tables;
    if (!writable || at == null) {
      return new StoreFault("the store " + name + " was opened to be read alone");
    }
    try (Statement statement = file.connection().createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      for (Step step : steps) {
        step.take(at);
      }
      at.saveSums();
      points.reached(Points.Point.COMMIT);
      statement.execute("COMMIT");
      at.committed();
      points.reached(Points.Point.COMMITTED);
      return null;
    } catch (SQLException e) {
      rollback();
      return StoreFault.of(file, name, e);
    } catch (RuntimeException | Error e) {
      // Whoever waits for the group must hear of it.
      rollback();
      return new StoreFault("the store " + name + " cannot be written: " + e);
    }
  }

  private void rollback() {
    try (Statement statement = file.connection().createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      // There was no transaction any more: either way nothing of it remains.
    }
  }

  /** A look at the record. */
  private interface Look<R> {
    R at(ProgressTables tables) throws SQLException;
  }

  private <R> R look(Look<R> look) throws StoreFault {
    lock.lock();
    try {
      ProgressTables at = tables;
      if (at == null) {
        throw new StoreFault("the store " + name + " is closed");
      }
      return look.at(at);
    } catch (SQLException e) {
      throw StoreFault.of(file, name, e);
    } finally {
      lock.unlock();
    }
  }

  /** What is recorded of a block. */
  public Block block(long block) throws StoreFault {
    return look(at -> at.block(block));
  }

  /** How many lines beyond a position are known. */
  public long beyond(long position) throws StoreFault {
    return look(at -> at.beyond(position, ""));
  }

  /** How many lines beyond a position are in these states. */
  public long beyond(long position, List<LineState> states) throws StoreFault {
    return look(at -> at.beyond(position, codes(states)));
  }

  /** The counters. */
  Sums sums() throws StoreFault {
    return look(ProgressTables::sums);
  }

  /** The row of a position, or null. */
  @Nullable Row row(long position) throws StoreFault {
    return look(at -> Optional.ofNullable(at.row(position))).orElse(null);
  }

  /** The first rows in these states behind a position, in order. */
  List<Row> page(long after, int limit, List<LineState> states) throws StoreFault {
    return look(at -> at.page(after, limit, codes(states)));
  }

  private static String codes(List<LineState> states) {
    return String.join(", ", states.stream().map(s -> Integer.toString(s.code())).toList());
  }

  /** Whether anything is recorded. */
  public boolean isEmpty() throws StoreFault {
    return look(at -> at.beyond(0, "")) == 0;
  }

  /**
   * Writes the ends that could not be written before, if there is room now, and lets go of the
   * file. Nothing may be recorded any more.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      ProgressTables at = tables;
      if (at != null && !unwritten.isEmpty()) {
        at.reload();
        var _ = commit(unwritten);
      }
    } catch (SQLException e) {
      // Then those lines are uncertain, as was told when it broke.
    } finally {
      tables = null;
      file.close();
      lock.unlock();
    }
  }
}
