package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A pipe to oneself: any thread wakes the one that polls {@link #fd}.
 *
 * <p>Wake-ups are rare and drained when seen, so the pipe never fills and {@link #wake} never
 * blocks.
 */
final class WakeUp {
  private static final int DRAIN_BYTES = 64;

  private final int readEnd;
  private final int writeEnd;
  private final MemorySegment drain = Arena.global().allocate(DRAIN_BYTES);
  // wake() comes from threads that must not share the poller's errno.
  private final Posix wakers = new Posix();
  private final MemorySegment one = Arena.global().allocate(1);

  /** There is no pipe to be had. */
  static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Unavailable(int errno) {
      super("no pipe for wake-ups: " + Errno.text(errno));
    }
  }

  /**
   * Makes the pipe.
   *
   * @throws Unavailable if the system has none
   */
  WakeUp(Posix posix) {
    MemorySegment ends = Arena.global().allocate(8, 8);
    int result = posix.pipe(ends);
    if (result < 0) {
      throw new Unavailable(-result);
    }
    readEnd = ends.get(JAVA_INT, 0);
    writeEnd = ends.get(JAVA_INT, 4);
  }

  int fd() {
    return readEnd;
  }

  synchronized void wake() {
    wakers.write(writeEnd, one, 1);
  }

  /** Takes the wake-ups that have come. To be called only when poll found some. */
  void drain(Posix posix) {
    posix.read(readEnd, drain, DRAIN_BYTES);
  }
}
