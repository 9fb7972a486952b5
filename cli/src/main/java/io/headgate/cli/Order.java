package io.headgate.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Has output printed in the order of the input.
 *
 * <p>The items that were submitted and are not printed stand in a line, in the order of the input.
 * It is the turn of the first. A command whose turn it is writes straight on, in its own thread;
 * the others hold their output. A thread of its own, the printer, prints what finished commands
 * left.
 *
 * <p>Finished results that are held are counted. With more than Q of them (Q is the capacity of the
 * worker) claiming pauses until there are Q again. Both happen under the lock that guards the
 * count, and before the thread of the finished command is free for another. So when the count
 * reaches Q + 1 at most W - 1 others run, and no more than Q + W are ever held. The pause ends:
 * commands are claimed in the order of the input, so the first of the line has been claimed when a
 * later one is finished, and the pause does not keep it from its end. A stop ends a pause; then
 * what was accepted meanwhile comes on top, W + Q at most.
 *
 * <p>A result without output is never held. Lock order: this lock, then that of the worker or of a
 * turn; nothing is written under this lock. Safe for all threads.
 */
final class Order implements Jobs.Listener {
  /** What claiming is paused by; must not block. */
  interface Claims {
    void pause();

    void resume();
  }

  /** Told once, when output cannot be held or is lost; must not block for long. */
  interface Trouble {
    void lost(String message);
  }

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LineSink output;
  private final SpillFile.Source spills;
  private final Claims claims;
  private final int mostHeld;
  private final Trouble trouble;
  private final AtomicBoolean told = new AtomicBoolean();
  private final PrinterPause pause = new PrinterPause();
  private final Thread printer = new Thread(this::print, "headgate-order");

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All guarded by the lock; the map is in the order of the input.
  private final Map<Long, Turn> line = new LinkedHashMap<>();
  private int held;
  private boolean paused;
  private boolean closing;
  private boolean closed;

  /**
   * @param mostHeld finished results that may be held before claiming pauses
   */
  Order(LineSink output, SpillFile.Source spills, Claims claims, int mostHeld, Trouble trouble) {
    this.output = output;
    this.spills = spills;
    this.claims = claims;
    this.mostHeld = mostHeld;
    this.trouble = trouble;
    printer.setDaemon(true);
  }

  /** Starts the printer. */
  void start() {
    printer.start();
  }

  @Override
  public void begun(Item item) {
    Turn turn = new Turn(item.position(), this, output, spills);
    lock.lock();
    try {
      line.put(item.position(), turn);
      callFirst();
    } finally {
      lock.unlock();
    }
  }

  /** The turn of an item whose command was started; see {@link Delivery.Opener}. */
  LineSink open(Item item, Runnable waker) {
    lock.lock();
    try {
      Turn turn = line.get(item.position());
      if (turn == null) {
        return new Turn(item.position(), this, output, spills).over();
      }
      turn.open(waker);
      return turn;
    } finally {
      lock.unlock();
    }
  }

  /** The command has ended; called by its thread. */
  void finish(Turn turn) {
    boolean empty = turn.isEmpty();
    lock.lock();
    try {
      if (!turn.isFinished()) {
        finishLocked(turn, empty);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * An item has its end. Nothing is new about one whose command has ended; one that had no command
   * makes room, and one whose thread is stuck gives what it held.
   */
  @Override
  public void ended(Item item, Fate fate) {
    lock.lock();
    try {
      Turn turn = line.get(item.position());
      if (turn != null && !turn.isFinished()) {
        finishLocked(turn, !turn.isOpened());
      }
    } finally {
      lock.unlock();
    }
  }

  private void finishLocked(Turn turn, boolean empty) {
    turn.setFinished();
    if (empty) {
      remove(turn);
      return;
    }
    turn.setCounted();
    held++;
    if (held > mostHeld && !paused) {
      paused = true;
      claims.pause();
    }
    callFirst();
  }

  private void remove(Turn turn) {
    line.remove(turn.position());
    if (turn.isCounted()) {
      held--;
    }
    if (paused && held <= mostHeld) {
      paused = false;
      claims.resume();
    }
    callFirst();
  }

  private void callFirst() {
    if (line.isEmpty()) {
      changed.signalAll();
      return;
    }
    Turn first = line.values().iterator().next();
    if (first.isFinished()) {
      changed.signalAll();
    } else {
      first.come();
    }
  }

  /** Finished results that are not printed. */
  int held() {
    lock.lock();
    try {
      return held;
    } finally {
      lock.unlock();
    }
  }

  /** Tells once that output is lost. */
  void lose(IOException e) {
    if (!told.getAndSet(true)) {
      trouble.lost("output cannot be held for --keep-order: " + e.getMessage());
    }
  }

  /** The worker was stopped: from now on what nobody reads for a second is given up. */
  void hurry() {
    pause.hurry();
    printer.interrupt();
  }

  /** Waits until all is printed, or given up. All items must have their ends, and no more come. */
  void close() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
      while (!closed) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void print() {
    try {
      for (Turn turn = nextFinished(); turn != null; turn = nextFinished()) {
        turn.printRest(pause);
        lock.lock();
        try {
          remove(turn);
        } finally {
          lock.unlock();
        }
      }
    } catch (RuntimeException | Error t) {
      lose(new IOException("internal error: " + t, t));
    } finally {
      lock.lock();
      try {
        closed = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits for the first of the line to be finished; {@code null} once no more comes. */
  private @Nullable Turn nextFinished() {
    lock.lock();
    try {
      while (true) {
        if (!line.isEmpty()) {
          Turn first = line.values().iterator().next();
          if (first.isFinished()) {
            return first;
          }
        } else if (closing) {
          return null;
        }
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The printer waits for ever, but after a stop for a second a block at most. */
  static final class PrinterPause implements Pause {
    private final Posix posix = new Posix();
    private final WakeUp wakeUp = new WakeUp(posix);
    private volatile boolean hurried;
    private volatile long sinceNanos;

    /** A block is about to be written. */
    void begin() {
      sinceNanos = System.nanoTime();
    }

    void hurry() {
      sinceNanos = System.nanoTime();
      hurried = true;
      wakeUp.wake();
    }

    @Override
    public boolean attend() {
      return !hurried || System.nanoTime() - sinceNanos < SECOND_NANOS;
    }

    @Override
    public void woken() {
      wakeUp.drain(posix);
    }

    @Override
    public int millisUntilDue() {
      if (!hurried) {
        return -1;
      }
      long left = SECOND_NANOS - (System.nanoTime() - sinceNanos);
      return (int) Math.max(0, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    @Override
    public int wakeFd() {
      return wakeUp.fd();
    }
  }
}
