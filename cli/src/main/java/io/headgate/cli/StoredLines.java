package io.headgate.cli;

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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a store says of the lines of the input. They come in their order, so one block of the record
 * is in memory at a time.
 */
final class StoredLines implements Earlier {
  private static final Block NOTHING = new Block(null, Map.of());

  private final @Nullable ProgressStore store;
  private final boolean readOnly;
  private final Resume resume;
  private final Uncertain policy;
  private final Consumer<StoreFault> lost;

  // The block that the input is in.
  private long number = -1;
  private Block block = NOTHING;
  private long digest;
  private boolean digestDiffers;
  // Lines of a full block are skipped for certain once the whole block is known to be the same.
  private long skipped;
  private long unsettled;
  private final List<String> uncertain = new ArrayList<>();

  /**
   * @param store null for one that is not there
   * @param readOnly whether decisions are not recorded
   * @param lost told when the store cannot be read; must not block for long
   */
  StoredLines(
      @Nullable ProgressStore store,
      boolean readOnly,
      RunOptions.Store options,
      Resume resume,
      Consumer<StoreFault> lost) {
    this.store = store;
    this.readOnly = readOnly;
    this.resume = resume == Resume.NO ? Resume.UNFINISHED : resume;
    this.policy = options.uncertain();
    this.lost = lost;
  }

  /**
   * A look that changes nothing; null if the store cannot be used, which is told.
   *
   * @throws UsageException if there are no failures to take from it
   */
  static @Nullable StoredLines readOnly(
      RunOptions.Store options, Resume resume, Consumer<String> trouble) throws UsageException {
    try {
      ProgressStore store = options.restart() ? null : ProgressStore.look(Path.of(options.file()));
      if (resume == Resume.FAILED_ONLY && (store == null || store.isEmpty())) {
        throw StoreRecord.noFailures(options);
      }
      return new StoredLines(store, true, options, resume, fault -> trouble.accept(fault.line()));
    } catch (StoreFault e) {
      trouble.accept(e.line());
      return null;
    }
  }

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
      lost.accept(e);
      return Decision.LOST;
    }
  }

  private void enter(long position) throws StoreFault {
    long entered = Block.of(position);
    if (entered != number) {
      number = entered;
      digest = Block.SEED;
      block = store == null ? NOTHING : store.block(entered);
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
    if (!readOnly && store != null) {
      store.ended(item.position(), LineState.FAILED);
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
      lost.accept(e);
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
}
