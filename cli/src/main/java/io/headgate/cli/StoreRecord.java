package io.headgate.cli;

import io.headgate.Reason;
import io.headgate.cli.RunOptions.Resume;
import io.headgate.cli.RunOptions.Uncertain;
import io.headgate.cli.store.Block;
import io.headgate.cli.store.LineState;
import io.headgate.cli.store.ProgressStore;
import io.headgate.cli.store.Row;
import io.headgate.cli.store.StoreFault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The progress record of a run as the run sees it: what earlier runs did with an item, and what
 * this one does. A start is committed before the command is, and an end before it counts.
 *
 * <p>{@link Earlier} is for the thread that reads, {@link #starting} and the ends are for all.
 */
final class StoreRecord implements Earlier, Jobs.Listener, AutoCloseable {
  private final @Nullable ProgressStore store;
  private final boolean readOnly;
  private final String file;
  private final Resume resume;
  private final Uncertain policy;
  private final Consumer<String> trouble;

  private final AtomicBoolean broken = new AtomicBoolean();
  // Positions whose start this run has recorded and whose end it has not.
  private final Set<Long> started = ConcurrentHashMap.newKeySet();

  // Of the reading thread: the block that it is in.
  private long number = -1;
  private Block block = new Block(null, Map.of());
  private long digest;
  private boolean digestDiffers;
  // Lines of a full block are skipped for certain once the whole block is known to be the same.
  private long skipped;
  private long unsettled;
  private final List<String> uncertain = new ArrayList<>();

  private StoreRecord(
      @Nullable ProgressStore store,
      boolean readOnly,
      RunOptions.Store options,
      Resume resume,
      Consumer<String> trouble) {
    this.store = store;
    this.readOnly = readOnly;
    this.file = options.file();
    this.resume = resume == Resume.NO ? Resume.UNFINISHED : resume;
    this.policy = options.uncertain();
    this.trouble = trouble;
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
      return new StoreRecord(store, false, options, resume, trouble);
    } catch (StoreFault e) {
      if (store != null) {
        store.close();
      }
      trouble.accept(e.getMessage());
      return null;
    }
  }

  /** The same for a look that changes nothing. */
  static @Nullable StoreRecord readOnly(
      RunOptions.Store options, Resume resume, Consumer<String> trouble) throws UsageException {
    try {
      ProgressStore store = options.restart() ? null : ProgressStore.look(Path.of(options.file()));
      if (resume == Resume.FAILED_ONLY && (store == null || store.isEmpty())) {
        throw noFailures(options);
      }
      return new StoreRecord(store, true, options, resume, trouble);
    } catch (StoreFault e) {
      trouble.accept(e.getMessage());
      return null;
    }
  }

  private static UsageException noFailures(RunOptions.Store options) {
    return new UsageException(
        RunOption.STORE.option()
            + " "
            + options.file()
            + ": has no earlier run to take failures from");
  }

  /** Begins: from here on the store is changed. {@code false} if it cannot be. */
  boolean begin(boolean restart) {
    try {
      store().begin(restart);
      return true;
    } catch (StoreFault e) {
      lost(e);
      return false;
    }
  }

  private ProgressStore store() throws StoreFault {
    if (store == null) {
      throw new IllegalStateException("a look at no store asks nothing of it");
    }
    return store;
  }

  private void lost(StoreFault fault) {
    if (!broken.getAndSet(true)) {
      trouble.accept(fault.getMessage() + "; no more is started");
    }
  }

  // ---- what earlier runs did ----

  @Override
  public Decision decide(Item item) {
    try {
      enter(item.position());
      digest = Block.digest(digest, item.hash());
      Row row = block.rows().get(item.position());
      if (row != null && row.hash() != item.hash()) {
        return Decision.DIFFERS;
      }
      Long whole = block.digest();
      boolean full = whole != null;
      boolean ends = full && item.position() == Block.last(number);
      if (ends && !Objects.equals(whole, digest)) {
        digestDiffers = true;
        return Decision.DIFFERS;
      }
      Decision decision = row == null ? unknown(full) : decide(row, item);
      switch (decision) {
        case SKIP, SKIP_FAILED, SKIP_UNDONE -> {
          if (full && row == null) {
            unsettled++;
          } else {
            skipped++;
          }
        }
        case RUN, HOLD, DIFFERS, LOST -> {}
      }
      if (ends) {
        skipped += unsettled;
        unsettled = 0;
      }
      return decision;
    } catch (StoreFault e) {
      lost(e);
      return Decision.LOST;
    }
  }

  private void enter(long position) throws StoreFault {
    long entered = Block.of(position);
    if (entered != number) {
      number = entered;
      digest = Block.SEED;
      block = store == null ? new Block(null, Map.of()) : store.block(entered);
    }
  }

  private Decision unknown(boolean full) {
    if (full) {
      return Decision.SKIP;
    }
    return resume == Resume.FAILED_ONLY ? Decision.SKIP_UNDONE : Decision.RUN;
  }

  private Decision decide(Row row, Item item) throws StoreFault {
    return switch (row.state()) {
      case COMPLETED -> Decision.SKIP;
      case FAILED -> resume == Resume.UNFINISHED ? Decision.SKIP_FAILED : Decision.RUN;
      case OPEN, SUSPENDED -> resume == Resume.FAILED_ONLY ? Decision.SKIP_UNDONE : Decision.RUN;
      case RUNNING, UNCERTAIN -> uncertain(row, item);
    };
  }

  private Decision uncertain(Row row, Item item) throws StoreFault {
    if (policy == Uncertain.RERUN) {
      return Decision.RUN;
    }
    uncertain.add(row.id());
    if (policy == Uncertain.HOLD) {
      return Decision.HOLD;
    }
    if (!readOnly) {
      store().ended(item.position(), LineState.FAILED);
    }
    return Decision.SKIP_FAILED;
  }

  @Override
  public long takeSkipped() {
    long taken = skipped;
    skipped = 0;
    return taken;
  }

  @Override
  public String difference(Item item) {
    Row row = block.rows().get(item.position());
    String cure = "give the input of the earlier run, another --store, or --restart to begin anew";
    if (digestDiffers || row == null) {
      return "ends a part of the input that is not what the store has at the positions "
          + Block.first(number)
          + " to "
          + Block.last(number)
          + "; nothing that has changed in it was run or skipped, and nothing after it: "
          + cure;
    }
    return "is not what the store has at position "
        + item.position()
        + " (its hash there is "
        + ItemIds.hash(row.hash())
        + ", here "
        + ItemIds.hash(item.hash())
        + "); it was not run, and nothing after it: "
        + cure;
  }

  @Override
  public String wrongEnd(long last) {
    return unsettled == 0
        ? ""
        : "the input ends at position "
            + last
            + ", and the store has the positions "
            + Block.first(number)
            + " to "
            + Block.last(number)
            + " as one, all done: whether these "
            + unsettled
            + " are the same lines cannot be told; give the input of the earlier run, another"
            + " --store, or --restart to begin anew";
  }

  @Override
  public long beyond(long last) {
    return known(last, null);
  }

  @Override
  public long beyondToRun(long last) {
    List<LineState> states = new ArrayList<>();
    if (resume != Resume.FAILED_ONLY) {
      states.addAll(
          List.of(LineState.OPEN, LineState.SUSPENDED, LineState.RUNNING, LineState.UNCERTAIN));
    }
    if (resume != Resume.UNFINISHED) {
      states.add(LineState.FAILED);
    }
    return known(last, states);
  }

  private long known(long last, @Nullable List<LineState> states) {
    try {
      if (store == null) {
        return 0;
      }
      return states == null ? store.beyond(last) : store.beyond(last, states);
    } catch (StoreFault e) {
      lost(e);
      return 0;
    }
  }

  @Override
  public String name() {
    return "store";
  }

  /** The ids of the lines that were found uncertain, and not run. */
  List<String> uncertain() {
    return uncertain;
  }

  /** What to do about uncertain lines, in a line for people; empty if there are none. */
  String hint(long interrupted) {
    StringBuilder text = new StringBuilder();
    if (!uncertain.isEmpty()) {
      text.append(uncertain.size()).append(" uncertain, started by an earlier run and never ended");
      text.append(": ")
          .append(String.join(", ", uncertain.subList(0, Math.min(3, uncertain.size()))));
      text.append(uncertain.size() > 3 ? ", and more" : "");
    }
    if (interrupted > 0) {
      text.append(text.isEmpty() ? "" : "; ").append(interrupted);
      text.append(" interrupted, which are uncertain for the next run");
    }
    if (text.isEmpty() || (policy == Uncertain.FAIL && interrupted == 0)) {
      return "";
    }
    return text.append("; see: headgate jobs ")
        .append(file)
        .append("; decide: headgate decide ")
        .append(file)
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
      store().started(item.position(), item.firstLine(), item.hash());
      started.add(item.position());
    } catch (StoreFault e) {
      lost(e);
      throw new NotStarted("its start could not be recorded: " + e.getMessage());
    }
  }

  /** An attempt has failed, and there may be another: what it did is certain. */
  void pausing(Item item) {
    end(item, LineState.SUSPENDED);
  }

  @Override
  public void ended(Item item, Fate fate) {
    boolean wasStarted = started.remove(item.position());
    switch (fate.kind()) {
      case COMPLETED -> end(item, LineState.COMPLETED);
      case FAILED -> {
        // What failed because the store did has no start there, and costs nothing.
        if (wasStarted) {
          end(item, LineState.FAILED);
        }
      }
      case INTERRUPTED -> {
        if (wasStarted) {
          end(item, item.execution().pid() == 0 ? LineState.OPEN : LineState.UNCERTAIN);
        }
      }
      case REFUSED -> refused(item, fate);
      // Never started, or killed with us: as a crash would leave it.
      case UNSTARTED, UNFINISHED -> {}
    }
  }

  private void refused(Item item, Fate fate) {
    if (fate.equals(Fate.refused(Reason.CLOSED)) || broken.get()) {
      return;
    }
    boolean duplicate = fate.equals(Fate.refused(Reason.DUPLICATE));
    try {
      store()
          .notStarted(
              item.position(),
              item.firstLine(),
              item.hash(),
              duplicate ? LineState.COMPLETED : LineState.OPEN);
    } catch (StoreFault e) {
      lost(e);
    }
  }

  private void end(Item item, LineState state) {
    try {
      store().ended(item.position(), state);
    } catch (StoreFault e) {
      lost(e);
    }
  }

  /** Lets go of the store. */
  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
  }
}
