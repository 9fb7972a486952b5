package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A pipe of the operating system, for what takes descriptors. */
final class Pipe implements AutoCloseable {
  private final Posix posix = new Posix();
  private final MemorySegment buffer = Arena.global().allocate(1 << 16);
  private int readEnd;
  private int writeEnd;

  Pipe() {
    MemorySegment ends = Arena.global().allocate(8, 8);
    if (posix.pipe(ends) < 0) {
      throw new IllegalStateException("no pipe");
    }
    readEnd = ends.get(JAVA_INT, 0);
    writeEnd = ends.get(JAVA_INT, 4);
  }

  int readEnd() {
    return readEnd;
  }

  int writeEnd() {
    return writeEnd;
  }

  void write(byte[] bytes) {
    for (int at = 0; at < bytes.length; ) {
      int count = (int) Math.min(buffer.byteSize(), bytes.length - at);
      MemorySegment.copy(bytes, at, buffer, JAVA_BYTE, 0, count);
      int n = posix.write(writeEnd, buffer, count);
      if (n < 0) {
        throw new IllegalStateException(Errno.text(-n));
      }
      at += n;
    }
  }

  /** Reads until the write end is closed everywhere. */
  byte[] readAll() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (true) {
      int n = posix.read(readEnd, buffer, (int) buffer.byteSize());
      if (n <= 0) {
        return all.toByteArray();
      }
      all.writeBytes(buffer.asSlice(0, n).toArray(JAVA_BYTE));
    }
  }

  /** Fills the pipe until a write would block; answers how much went in. */
  int fill() {
    PollSet set = new PollSet(1);
    int filled = 0;
    while (true) {
      set.watch(0, writeEnd, Posix.POLLOUT);
      if (posix.poll(set, 0) == 0) {
        return filled;
      }
      filled += posix.write(writeEnd, buffer, 4096);
    }
  }

  void closeReadEnd() {
    if (readEnd >= 0) {
      posix.close(readEnd);
      readEnd = -1;
    }
  }

  void closeWriteEnd() {
    if (writeEnd >= 0) {
      posix.close(writeEnd);
      writeEnd = -1;
    }
  }

  @Override
  public void close() {
    closeReadEnd();
    closeWriteEnd();
  }
}
