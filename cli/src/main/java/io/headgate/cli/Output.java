package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The standard output and error of this process, shared by all jobs.
 *
 * <p>Each write is of whole lines and is made under one lock, so lines of two jobs never mix, also
 * where both streams lead to the same file. A write that fails is noticed: the stream is broken
 * from then on, what follows is dropped, and the {@link Breakage} is told once. Safe for all
 * threads.
 */
final class Output implements LineSink {
  /** Told once about each stream that cannot be written; must not block. */
  interface Breakage {
    void broken(String line);
  }

  /** One of the two streams. */
  enum Stream {
    OUT,
    ERR
  }

  /** Where a stream leads, and how it fares. */
  private static final class Sink {
    private final int fd;
    private final String label;
    private final AtomicBoolean told = new AtomicBoolean();
    // Guarded by the lock.
    private boolean broken;

    Sink(int fd, String label) {
      this.fd = fd;
      this.label = label;
    }
  }

  /** A pause of somebody who does not wait at all. */
  static final Pause AT_ONCE =
      new Pause() {
        @Override
        public boolean attend() {
          return false;
        }

        @Override
        public int millisUntilDue() {
          return 0;
        }
      };

  private static final String NOBODY_READ = "nobody read it until the stop";
  // A pipe that poll calls writable takes this much without blocking (PIPE_BUF).
  private static final int UNBLOCKED_BYTES = 4096;

  private final ReentrantLock lock = new ReentrantLock();
  private final Breakage breakage;
  private final Sink out;
  private final Sink err;
  private final Posix posix = new Posix();
  private final PollSet set = new PollSet(2);
  private final MemorySegment buffer = Arena.global().allocate(UNBLOCKED_BYTES);
  // Guarded by the lock.
  private @Nullable StatusLine status;

  Output(Breakage breakage) {
    this(breakage, 1, 2);
  }

  Output(Breakage breakage, int outFd, int errFd) {
    this.breakage = breakage;
    out = new Sink(outFd, "standard output");
    err = new Sink(errFd, "standard error");
  }

  /**
   * Writes whole lines. Waits as long as the reader does not read, attending to the pause.
   *
   * @return whether all was taken
   */
  @Override
  public boolean write(Stream stream, byte[] lines, int length, Pause pause) {
    Sink sink = stream == Stream.OUT ? out : err;
    if (!lock(pause)) {
      fail(sink, NOBODY_READ);
      return false;
    }
    String reason;
    try {
      if (sink.broken) {
        return false;
      }
      reason = writeLocked(sink, lines, length, pause);
      if (reason.isEmpty()) {
        return true;
      }
      sink.broken = true;
    } finally {
      lock.unlock();
    }
    fail(sink, reason);
    return false;
  }

  /**
   * Writes one line of our own to standard error. Given up after a second when nobody reads: a
   * complaint must not keep a job from being stopped.
   *
   * @return whether all was taken
   */
  boolean complain(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    Pause pause = new Second();
    if (!lock(pause)) {
      return false;
    }
    try {
      return writeLocked(err, bytes, bytes.length, pause).isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Writes one line of our own to standard error, if that takes it at once. */
  void remark(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    if (!lock(new Second())) {
      return;
    }
    try {
      writeLocked(err, bytes, bytes.length, AT_ONCE);
    } finally {
      lock.unlock();
    }
  }

  /** Has a line stand below all output, on standard error. */
  void setStatusLine(StatusLine line) {
    lock.lock();
    try {
      status = line;
    } finally {
      lock.unlock();
    }
  }

  /** Shows a text in the status line. Left out while somebody else writes, or waits to write. */
  void drawStatus(String text) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (status != null) {
        status.draw(text, this::writeStatus);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes the status line away for good. Given up after a second, as a complaint is. */
  void endStatus() {
    Pause pause = new Second();
    if (!lock(pause)) {
      return;
    }
    try {
      if (status != null) {
        status.end(this::writeStatus, pause);
      }
    } finally {
      lock.unlock();
    }
  }

  private void writeStatus(byte[] bytes, Pause pause) {
    writeAll(err.fd, bytes, bytes.length, pause);
  }

  /** A pause that ends after a second. */
  private static final class Second implements Pause {
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);

    @Override
    public boolean attend() {
      return System.nanoTime() - endNanos < 0;
    }

    @Override
    public int millisUntilDue() {
      long nanos = endNanos - System.nanoTime();
      return (int) Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
  }

  private void fail(Sink sink, String reason) {
    if (!sink.told.getAndSet(true)) {
      breakage.broken(sink.label + " cannot be written: " + reason);
    }
  }

  /** Takes the lock; {@code false} if the pause ended first. */
  private boolean lock(Pause pause) {
    if (lock.tryLock()) {
      return true;
    }
    while (true) {
      int millis = pause.millisUntilDue();
      try {
        if (millis < 0) {
          lock.lockInterruptibly();
          return true;
        }
        if (lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
          return true;
        }
      } catch (InterruptedException e) {
        // A cancel interrupts the thread of its job; the pause knows about the cancel itself.
      }
      if (!pause.attend()) {
        return false;
      }
    }
  }

  /** Writes all, above the status line; the reason why not, or an empty string. */
  private String writeLocked(Sink sink, byte[] lines, int length, Pause pause) {
    StatusLine line = status;
    if (line == null) {
      return writeAll(sink.fd, lines, length, pause);
    }
    Stream stream = sink == out ? Stream.OUT : Stream.ERR;
    line.giveWay(stream, this::writeStatus, pause);
    String reason = writeAll(sink.fd, lines, length, pause);
    line.comeBack(stream, this::writeStatus);
    return reason;
  }

  /** Writes all; the reason why not, or an empty string. */
  private String writeAll(int fd, byte[] lines, int length, Pause pause) {
    int written = 0;
    while (written < length) {
      set.watch(0, fd, Posix.POLLOUT);
      set.watch(1, pause.wakeFd(), Posix.POLLIN);
      posix.poll(set, pause.millisUntilDue());
      if (set.ready(1)) {
        pause.woken();
      }
      if (!set.ready(0)) {
        if (!pause.attend()) {
          return NOBODY_READ;
        }
        continue;
      }
      int some = Math.min(length - written, UNBLOCKED_BYTES);
      MemorySegment.copy(lines, written, buffer, JAVA_BYTE, 0, some);
      int n = posix.write(fd, buffer, some);
      if (n == -Posix.EAGAIN) {
        continue;
      }
      if (n < 0) {
        return Errno.text(-n);
      }
      written += n;
    }
    return "";
  }
}
