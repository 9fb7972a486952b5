package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Asks a terminal what it is like. Changes nothing in it. Used by one thread at a time. */
final class Terminal {
  private static final MemorySegment IOCTL = Posix.function("ioctl");
  private static final MemorySegment TCGETPGRP = Posix.function("tcgetpgrp");
  private static final MemorySegment GETPGRP = Posix.function("getpgrp");
  private static final long TIOCGWINSZ = 0x5413;
  private static final long COLUMNS = 2;
  private static final int DEFAULT_COLUMNS = 80;

  private final Posix posix = new Posix();
  private final MemorySegment size = Arena.global().allocate(8, 8);
  private final int fd;

  Terminal(int fd) {
    this.fd = fd;
  }

  /** How many columns it has now. */
  int columns() {
    // The last argument of ioctl is variadic, which on macOS is another way to pass it.
    if (!Posix.MAC && (int) posix.call(IOCTL, fd, TIOCGWINSZ, size.address(), 0, 0, 0) == 0) {
      int columns = Short.toUnsignedInt(size.get(JAVA_SHORT, COLUMNS));
      if (columns > 0) {
        return columns;
      }
    }
    return columnsOf(System.getenv("COLUMNS"));
  }

  private static int columnsOf(@Nullable String variable) {
    try {
      int columns = variable == null ? 0 : Integer.parseInt(variable);
      return columns > 0 ? columns : DEFAULT_COLUMNS;
    } catch (NumberFormatException e) {
      return DEFAULT_COLUMNS;
    }
  }

  /** Whether we are not in its background, where a shell or another program writes. */
  boolean isOurs() {
    int foreground = (int) posix.call(TCGETPGRP, fd, 0, 0, 0, 0, 0);
    // Not our controlling terminal: then it has no background for us.
    return foreground < 0 || foreground == (int) posix.call(GETPGRP, 0, 0, 0, 0, 0, 0);
  }
}
