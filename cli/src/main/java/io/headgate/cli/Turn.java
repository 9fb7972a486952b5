package io.headgate.cli;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One command's place in the {@link Order}: what it writes goes straight on once it is its turn,
 * and is held before.
 *
 * <p>The thread of the command writes, also what was held, until the command has ended; then the
 * printer of the order takes what is left. A command that was told to stop leaves it to the printer
 * too, as its time is short and the reader may be slow.
 */
final class Turn implements LineSink {
  private final long position;
  private final Order order;
  private final LineSink output;
  private final ReentrantLock holding = new ReentrantLock();
  // Guarded by holding.
  private final Hold hold;
  private volatile boolean come;
  private volatile boolean over;

  // Guarded by the lock of the order.
  private Runnable waker = () -> {};
  private boolean opened;
  private boolean finished;
  private boolean counted;

  Turn(long position, Order order, LineSink output, SpillFile.Source spills) {
    this.position = position;
    this.order = order;
    this.output = output;
    hold = new Hold(spills);
  }

  @Override
  public boolean write(Output.Stream stream, byte[] lines, int length, Pause pause) {
    if (over) {
      return false;
    }
    if (come && printHeld(pause)) {
      return output.write(stream, lines, length, pause);
    }
    holding.lock();
    try {
      hold.add(stream, lines, length);
      return true;
    } catch (IOException e) {
      order.lose(e);
      return false;
    } finally {
      holding.unlock();
    }
  }

  @Override
  public void proceed(Pause pause) {
    if (come) {
      printHeld(pause);
    }
  }

  @Override
  public void end(Pause pause) {
    // What is still held is left to the printer: waiting for a reader would count into the timeout
    // of a job whose command has ended.
    order.finish(this);
  }

  /** Prints what was held before the turn came; {@code false} if some of it is left. */
  private boolean printHeld(Pause pause) {
    holding.lock();
    try {
      while (!hold.isEmpty()) {
        if (!pause.attend() || pause.isHurried()) {
          return false;
        }
        printBlock(pause);
      }
      return true;
    } finally {
      holding.unlock();
    }
  }

  /**
   * Prints all that is left, for the printer. A thread that is stuck while it holds the lock is not
   * waited for longer than a second.
   *
   * @param pause begins anew with each block
   */
  void printRest(Order.PrinterPause pause) {
    over = true;
    if (!lockForASecond()) {
      order.lose(new IOException("the thread of a command is stuck in it"));
      return;
    }
    try {
      while (!hold.isEmpty()) {
        pause.begin();
        printBlock(pause);
      }
    } finally {
      holding.unlock();
    }
  }

  private boolean lockForASecond() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (true) {
      try {
        return holding.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        // The interrupt is for a wait to write; this wait is short.
      }
    }
  }

  private void printBlock(Pause pause) {
    try {
      hold.take();
      // What cannot be written is told by the output, and dropped as anywhere else.
      output.write(hold.stream(), hold.block(), hold.length(), pause);
    } catch (IOException e) {
      hold.clear();
      order.lose(e);
    }
  }

  long position() {
    return position;
  }

  /** Whether nothing is held. */
  boolean isEmpty() {
    holding.lock();
    try {
      return hold.isEmpty();
    } finally {
      holding.unlock();
    }
  }

  // ---- under the lock of the order ----

  void open(Runnable toWake) {
    waker = toWake;
    opened = true;
  }

  boolean isOpened() {
    return opened;
  }

  /** It is its turn from now on. */
  void come() {
    if (!come) {
      come = true;
      waker.run();
    }
  }

  /** Its item had its end before it began. */
  Turn over() {
    over = true;
    return this;
  }

  void setFinished() {
    finished = true;
  }

  boolean isFinished() {
    return finished;
  }

  void setCounted() {
    counted = true;
  }

  boolean isCounted() {
    return counted;
  }
}
