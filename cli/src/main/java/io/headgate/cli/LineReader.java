package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a descriptor, read as they are asked for.
 *
 * <p>Never more is read than 64 KiB beyond the line that was asked for. A line is the bytes before
 * a delimiter, or before the end of the input; a carriage return is part of its line. Of a line
 * that is too long only the front is kept, whatever its length. Read by one thread; {@link #stop}
 * is for any, and so are the counts, which others may see late.
 */
final class LineReader {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int FIRST_BYTES = 1 << 10;

  private final Posix posix;
  private final int fd;
  private final byte delimiter;
  private final boolean skipsEmpty;
  private final int longest;
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
  private long lineHash = ContentHash.EMPTY;

  private final AtomicLong lines = new AtomicLong();
  private final AtomicLong emptyLines = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong bytesTaken = new AtomicLong();
  private boolean ended;
  private volatile boolean stopped;

  /**
   * @param delimiter the byte that ends a line
   * @param skipsEmpty whether empty lines are left out
   * @param longest how many bytes of a line are kept
   */
  LineReader(Posix posix, int fd, byte delimiter, boolean skipsEmpty, int longest) {
    this.posix = posix;
    this.fd = fd;
    this.delimiter = delimiter;
    this.skipsEmpty = skipsEmpty;
    this.longest = longest;
    wakeUp = new WakeUp(posix);
  }

  /**
   * The next line; {@code null} at the end of the input and after {@link #stop}.
   *
   * @throws IOException if the input cannot be read
   */
  @Nullable Line next() throws IOException {
    while (true) {
      if (stopped) {
        return null;
      }
      int newline = at;
      while (newline < limit && buffer[newline] != delimiter) {
        newline++;
      }
      if (newline < limit) {
        Line line = line(newline);
        at = newline + 1;
        bytesTaken.lazySet(bytesRead.get() - (limit - at));
        if (line != null) {
          return line;
        }
        continue;
      }
      keep(newline);
      if (ended || !fill()) {
        if (ended) {
          bytesTaken.lazySet(bytesRead.get());
        }
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
    return lines.get();
  }

  /** Empty lines that were skipped so far. */
  long emptyLines() {
    return emptyLines.get();
  }

  /** Bytes of the input that were taken from the descriptor so far. */
  long bytesRead() {
    return bytesRead.get();
  }

  /** Bytes of the input in the lines that were given out or skipped, with their delimiters. */
  long bytesTaken() {
    return bytesTaken.get();
  }

  /** The descriptor. */
  int fd() {
    return fd;
  }

  private @Nullable Line line(int newline) {
    long number = lines.incrementAndGet();
    byte[] bytes;
    if (begunLength == 0 && newline - at <= longest) {
      bytes = Arrays.copyOfRange(buffer, at, newline);
      lineLength = bytes.length;
      lineHash = ContentHash.add(ContentHash.EMPTY, bytes, 0, bytes.length);
    } else {
      keep(newline);
      bytes = Arrays.copyOf(begun, begunLength);
      begun = new byte[0];
      begunLength = 0;
    }
    long length = lineLength;
    long hash = ContentHash.finish(lineHash);
    lineLength = 0;
    lineHash = ContentHash.EMPTY;
    if (length == 0 && skipsEmpty) {
      emptyLines.incrementAndGet();
      return null;
    }
    return new Line(number, bytes, length, hash);
  }

  private void keep(int end) {
    int count = end - at;
    lineLength += count;
    lineHash = ContentHash.add(lineHash, buffer, at, end);
    int kept = Math.min(count, longest - begunLength);
    if (begunLength + kept > begun.length) {
      int size = Math.max(FIRST_BYTES, Math.max(2 * begun.length, begunLength + kept));
      begun = Arrays.copyOf(begun, Math.min(longest, size));
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
      bytesRead.addAndGet(n);
      at = 0;
      limit = n;
      return true;
    }
  }
}
