package io.headgate.cli;

import io.headgate.Reason;
import io.headgate.cli.RunOptions.Resume;
import io.headgate.cli.RunOptions.Uncertain;
import io.headgate.cli.store.LineState;
import io.headgate.cli.store.ProgressStore;
import io.headgate.cli.store.StoreFault;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The progress record of a run as the run writes it: a start is committed before the command is
 * started, and an end before it counts. What earlier runs have left is for {@link StoredLines}.
 *
 * <p>Starts and ends are for all threads, the rest is for the main one.
 */
final class StoreRecord implements Jobs.Recorder {
  // Ids that a line for people names.
  private static final int SHOWN = 3;

  private final ProgressStore store;
  private final RunOptions.Store options;
  private final Consumer<String> trouble;
  private final StoredLines lines;

  private final AtomicBoolean broken = new AtomicBoolean();
  // Positions whose start this run has recorded and whose end it has not.
  private final Set<Long> started = ConcurrentHashMap.newKeySet();
  // Lines that a stop met between two attempts.
  private final AtomicLong cut = new AtomicLong();

  private StoreRecord(
      ProgressStore store, RunOptions.Store options, Resume resume, Consumer<String> trouble) {
    this.store = store;
    this.options = options;
    this.trouble = trouble;
    lines = new StoredLines(store, false, options, resume, this::lost);
  }

  /** Opens what makes a store; the tests have others. */
  interface Opener {
    ProgressStore open(String file) throws StoreFault;
  }

  /**
   * Opens the store of a run; null if it cannot be used, which is told.
   *
   * @param opener in the place of the usual one, for tests
   * @param trouble told once, in one line, when the store cannot be used; must not block for long
   * @throws UsageException if there are no failures to take from it
   */
  static @Nullable StoreRecord open(
      RunOptions.Store options, Resume resume, @Nullable Opener opener, Consumer<String> trouble)
      throws UsageException {
    ProgressStore store = null;
    try {
      store =
          opener == null
              ? ProgressStore.open(Path.of(options.file()))
              : opener.open(options.file());
      if (resume == Resume.FAILED_ONLY && store.isEmpty()) {
        store.close();
        throw noFailures(options);
      }
      return new StoreRecord(store, options, resume, trouble);
    } catch (StoreFault e) {
      if (store != null) {
        store.close();
      }
      trouble.accept(e.line());
      return null;
    }
  }

  /** There is nothing that {@code --retry-failed} could begin with. */
  static UsageException noFailures(RunOptions.Store options) {
    return new UsageException(
        RunOption.STORE.option()
            + " "
            + options.file()
            + ": has no earlier run to take failures from");
  }

  /** Begins: from here on the store is changed. {@code false} if it cannot be. */
  boolean begin() {
    try {
      store.begin(options.restart());
      return true;
    } catch (StoreFault e) {
      lost(e);
      return false;
    }
  }

  /** What earlier runs did. */
  StoredLines lines() {
    return lines;
  }

  /** How many lines that count as failed are left to the next run, which makes their attempts. */
  long cut() {
    return cut.get();
  }

  private void lost(StoreFault fault) {
    if (!broken.getAndSet(true)) {
      trouble.accept(fault.line() + "; no more is started");
    }
  }

  /**
   * Lets go of the store, and says what to do about uncertain lines, if there are any.
   *
   * @param interrupted how many this run has interrupted
   */
  void close(long interrupted, Consumer<String> hints) {
    store.close();
    String hint = hint(interrupted);
    if (!hint.isEmpty()) {
      hints.accept(hint);
    }
  }

  private String hint(long interrupted) {
    // Those that have failed by now are decided on.
    List<String> held = options.uncertain() == Uncertain.HOLD ? lines.uncertain() : List.of();
    StringBuilder text = new StringBuilder();
    if (!held.isEmpty()) {
      text.append(held.size()).append(" uncertain, started by an earlier run and never ended: ");
      text.append(String.join(", ", held.subList(0, Math.min(SHOWN, held.size()))));
      text.append(held.size() > SHOWN ? ", and more" : "");
    }
    if (interrupted > 0) {
      text.append(text.isEmpty() ? "" : "; ").append(interrupted);
      text.append(" interrupted, which are uncertain for the next run");
    }
    return text.isEmpty()
        ? ""
        : text.append("; see: headgate jobs ")
            .append(options.file())
            .append("; decide: headgate decide ")
            .append(options.file())
            .append(" ID rerun|complete|fail, or run again with --uncertain rerun or fail")
            .toString();
  }

  // ---- what this run does ----

  /**
   * Records that the command of an item is about to be started.
   *
   * @throws NotStarted if it could not be, so the command must not be started
   */
  void starting(Item item) throws NotStarted {
    try {
      store.started(item.position(), item.firstLine(), item.hash());
      started.add(item.position());
    } catch (StoreFault e) {
      // Also of an earlier attempt, which is known to have failed and is to be made again.
      started.remove(item.position());
      lost(e);
      throw new NotStarted("its start could not be recorded: " + e.line());
    }
  }

  /** An attempt has failed, and there may be another: what it did is certain. */
  void pausing(Item item) {
    var _ = end(item, LineState.SUSPENDED);
  }

  /**
   * The command of an item has ended well.
   *
   * @throws EndNotRecorded if that could not be recorded, so it must not count
   */
  void completed(Item item) throws EndNotRecorded {
    started.remove(item.position());
    try {
      store.ended(item.position(), LineState.COMPLETED);
    } catch (StoreFault e) {
      lost(e);
      throw new EndNotRecorded("uncertain: its end could not be recorded: " + e.line());
    }
  }

  @Override
  public Fate ended(Item item, Fate fate) {
    boolean wasStarted = started.remove(item.position());
    boolean isRecorded = true;
    switch (fate.kind()) {
      case FAILED -> {
        // What failed because the store did has no start there, and costs nothing.
        if (wasStarted && fate.cutByStop()) {
          // The next run makes its attempts, as it would had this one been killed.
          isRecorded = end(item, LineState.SUSPENDED);
          if (isRecorded) {
            cut.incrementAndGet();
          }
        } else if (wasStarted) {
          isRecorded = end(item, LineState.FAILED);
        }
      }
      case INTERRUPTED -> {
        // What is uncertain stays so, recorded or not.
        if (wasStarted) {
          var _ = end(item, item.execution().pid() == 0 ? LineState.OPEN : LineState.UNCERTAIN);
        }
      }
      case REFUSED -> refused(item, fate);
      // Never started, or killed with us: as a crash would leave it.
      case UNSTARTED, UNFINISHED -> {}
      // The command's own thread has recorded that, or could not.
      case COMPLETED, UNCERTAIN -> {}
    }
    return isRecorded ? fate : Fate.UNCERTAIN;
  }

  private void refused(Item item, Fate fate) {
    if (fate.equals(Fate.refused(Reason.CLOSED)) || broken.get()) {
      return;
    }
    // A duplicate is done by its twin, as in a joblog.
    boolean duplicate = fate.equals(Fate.refused(Reason.DUPLICATE));
    try {
      store.refused(item.position(), item.firstLine(), item.hash(), duplicate);
    } catch (StoreFault e) {
      lost(e);
    }
  }

  private boolean end(Item item, LineState state) {
    try {
      store.ended(item.position(), state);
      return true;
    } catch (StoreFault e) {
      lost(e);
      return false;
    }
  }
}
