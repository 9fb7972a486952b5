package io.headgate.cli;

import io.headgate.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The items that were read and have no end yet, and the one place that every end comes to. Each
 * item ends once: who takes it out tells its fate. Safe for all threads.
 */
final class Jobs {
  /** Has an end recorded before anything hears of it. */
  interface Recorder {
    /** Answers what the others are to hear; must not throw. */
    Fate ended(Item item, Fate fate);
  }

  /** Hears of items, on the thread that brings the news; must not throw. */
  interface Listener {
    /** An item is about to be submitted. Comes in the order of the input. */
    default void begun(Item item) {}

    /** An item has its end. */
    void ended(Item item, Fate fate);
  }

  private final ConcurrentMap<Long, Item> open = new ConcurrentHashMap<>();
  private final Map<Fate.Kind, AtomicLong> counts = new EnumMap<>(Fate.Kind.class);
  private final Recorder recorder;
  private final List<Listener> listeners;
  private final Consumer<Throwable> breakage;

  private volatile boolean killing;

  // Guarded by this: ends of accepted jobs that have been told to all listeners, and ends, of any
  // items, that are being told.
  private long told;
  private int telling;

  /** Jobs of which nothing is recorded. */
  Jobs(List<Listener> listeners, Consumer<Throwable> breakage) {
    this((item, fate) -> fate, listeners, breakage);
  }

  /**
   * @param breakage told when the recorder or a listener throws, against its contract
   */
  Jobs(Recorder recorder, List<Listener> listeners, Consumer<Throwable> breakage) {
    this.recorder = recorder;
    this.listeners = List.copyOf(listeners);
    this.breakage = breakage;
    for (Fate.Kind kind : Fate.Kind.values()) {
      counts.put(kind, new AtomicLong());
    }
  }

  /** An item is about to be submitted. */
  void begin(Item item) {
    open.put(item.position(), item);
    for (Listener listener : listeners) {
      listener.begun(item);
    }
  }

  /** An item was refused. */
  void refused(Item item, Fate fate) {
    end(item, fate);
  }

  /** An accepted item has its outcome. */
  void ended(Item item, Outcome outcome) {
    try {
      end(item, Fate.of(outcome));
    } finally {
      synchronized (this) {
        told++;
        notifyAll();
      }
    }
  }

  private void end(Item item, Fate known) {
    synchronized (this) {
      if (open.remove(item.position()) == null) {
        return;
      }
      telling++;
    }
    try {
      tell(item, known);
    } finally {
      synchronized (this) {
        telling--;
        notifyAll();
      }
    }
  }

  private void tell(Item item, Fate known) {
    Fate fate = killing && known.kind() == Fate.Kind.FAILED ? Fate.UNFINISHED : known;
    Throwable fault = null;
    try {
      fate = recorder.ended(item, fate);
    } catch (RuntimeException | Error e) {
      fate = Fate.UNCERTAIN;
      fault = e;
    }
    for (Listener listener : listeners) {
      try {
        listener.ended(item, fate);
      } catch (RuntimeException | Error e) {
        // The others must hear of the end all the same: they wait for it.
        fault = e;
      }
    }
    // Last: what counts is recorded.
    counter(fate.kind()).incrementAndGet();
    if (fault != null) {
      breakage.accept(fault);
    }
  }

  /**
   * Waits until so many ends of accepted jobs were told. A worker completes the future of every
   * outcome after it is in the ledger, so a final report may be a little ahead.
   */
  synchronized void awaitTold(long ends) {
    awaitUntil(() -> told >= ends);
  }

  /** Holding this. */
  private void awaitUntil(BooleanSupplier condition) {
    boolean interrupted = false;
    while (!condition.getAsBoolean()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** From now on commands are killed by us: one that fails now has not failed by itself. */
  void killing() {
    killing = true;
  }

  /** Whether {@link #killing} was called. */
  boolean isKilling() {
    return killing;
  }

  /**
   * Gives all that is open its end, and waits for the ends that others are just telling: the
   * process is about to go, and would take their rows with it.
   */
  void endUnfinished() {
    for (Item item : inOrder()) {
      end(item, Fate.UNFINISHED);
    }
    synchronized (this) {
      awaitUntil(() -> telling == 0);
    }
  }

  /** What is open, in the order of the input. */
  List<Item> inOrder() {
    List<Item> items = new ArrayList<>(open.values());
    items.sort(Comparator.comparingLong(Item::position));
    return items;
  }

  /** How many items are open. */
  int open() {
    return open.size();
  }

  /** How many items had this fate. */
  long count(Fate.Kind kind) {
    return counter(kind).get();
  }

  private AtomicLong counter(Fate.Kind kind) {
    return Objects.requireNonNull(counts.get(kind));
  }
}
