package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a descriptor, read as they are asked for.
 *
 * <p>Never more is read than 64 KiB beyond the line that was asked for. A line is the bytes before
 * a newline, or before the end of the input. Empty lines are skipped; a carriage return is part of
 * its line. Read by one thread; {@link #stop} is for any.
 */
final class LineReader {
  /** The longest line that is kept whole: more can be no argument on any known system. */
  static final int LONGEST_KEPT = 2 << 20;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int FIRST_BYTES = 1 << 10;

  private final Posix posix;
  private final int fd;
  private final WakeUp wakeUp;
  private final PollSet set = new PollSet(2);
  private final MemorySegment chunk = Arena.global().allocate(BUFFER_BYTES);
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;

  // The part of a line that lay before the current buffer.
  private byte[] begun = new byte[0];
  private int begunLength;
  private long lineLength;

  private long lines;
  private long emptyLines;
  private boolean ended;
  private volatile boolean stopped;

  LineReader(Posix posix, int fd) {
    this.posix = posix;
    this.fd = fd;
    wakeUp = new WakeUp(posix);
  }

  /**
   * The next line that is not empty; {@code null} at the end of the input and after {@link #stop}.
   *
   * @throws IOException if the input cannot be read
   */
  @Nullable Line next() throws IOException {
    while (true) {
      if (stopped) {
        return null;
      }
      int newline = at;
      while (newline < limit && buffer[newline] != '\n') {
        newline++;
      }
      if (newline < limit) {
        Line line = line(newline);
        at = newline + 1;
        if (line != null) {
          return line;
        }
        continue;
      }
      keep(newline);
      if (ended || !fill()) {
        return ended && lineLength > 0 ? line(at) : null;
      }
    }
  }

  /** Makes a read that waits, and all later ones, answer {@code null}. */
  void stop() {
    stopped = true;
    wakeUp.wake();
  }

  /** Whether the end of the input has been reached. */
  boolean endReached() {
    return ended && at == limit;
  }

  /** Lines that were found so far, empty ones included. */
  long lines() {
    return lines;
  }

  /** Empty lines that were skipped so far. */
  long emptyLines() {
    return emptyLines;
  }

  private @Nullable Line line(int newline) {
    lines++;
    byte[] bytes;
    if (begunLength == 0) {
      bytes = Arrays.copyOfRange(buffer, at, newline);
      lineLength = bytes.length;
    } else {
      keep(newline);
      bytes = Arrays.copyOf(begun, begunLength);
      begun = new byte[0];
      begunLength = 0;
    }
    long length = lineLength;
    lineLength = 0;
    if (length == 0) {
      emptyLines++;
      return null;
    }
    return new Line(lines, bytes, length);
  }

  private void keep(int end) {
    int count = end - at;
    lineLength += count;
    int kept = Math.min(count, LONGEST_KEPT - begunLength);
    if (begunLength + kept > begun.length) {
      int size = Math.max(FIRST_BYTES, Math.max(2 * begun.length, begunLength + kept));
      begun = Arrays.copyOf(begun, Math.min(LONGEST_KEPT, size));
    }
    System.arraycopy(buffer, at, begun, begunLength, kept);
    begunLength += kept;
    at = end;
  }

  /** Reads more; {@code false} at the end and when stopped. */
  private boolean fill() throws IOException {
    while (true) {
      set.watch(0, fd, Posix.POLLIN);
      set.watch(1, wakeUp.fd(), Posix.POLLIN);
      posix.poll(set, -1);
      if (stopped) {
        return false;
      }
      if (!set.ready(0)) {
        continue;
      }
      int n = posix.read(fd, chunk, BUFFER_BYTES);
      if (n == -Posix.EAGAIN) {
        continue;
      }
      if (n < 0) {
        throw new IOException(Errno.text(-n));
      }
      if (n == 0) {
        ended = true;
        return false;
      }
      MemorySegment.copy(chunk, JAVA_BYTE, 0, buffer, 0, n);
      at = 0;
      limit = n;
      return true;
    }
  }
}
