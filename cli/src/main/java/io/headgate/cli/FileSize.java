package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** How much a descriptor has to give from where it stands, if it leads to a regular file. */
final class FileSize {
  // Its structure, unlike that of fstat, is the same on all processors. macOS has none.
  private static final MemorySegment STATX = Posix.functionOrNull("statx");
  private static final MemorySegment LSEEK = Posix.function("lseek");
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long TYPE_AND_SIZE = 0x201;
  private static final long MODE = 28;
  private static final long SIZE = 40;
  private static final int TYPE_BITS = 0xF000;
  private static final int REGULAR = 0x8000;
  private static final long SEEK_CUR = 1;

  private final Posix posix = new Posix();
  private final MemorySegment status = Arena.global().allocate(Posix.STRUCT_BYTES, 16);
  private final MemorySegment empty = Arena.global().allocate(1);
  private final int fd;
  private final long start;

  /**
   * @param alreadyRead bytes that were read from it by us
   */
  FileSize(int fd, long alreadyRead) {
    this.fd = fd;
    start = Math.max(0, posix.call(LSEEK, fd, 0, SEEK_CUR, 0, 0, 0) - alreadyRead);
  }

  /** Bytes from the start of reading to the end of the file, as it is now; -1 where unknown. */
  long now() {
    if (STATX.address() == 0
        || (int)
                posix.call(
                    STATX, fd, empty.address(), AT_EMPTY_PATH, TYPE_AND_SIZE, status.address(), 0)
            != 0
        || (status.get(JAVA_SHORT, MODE) & TYPE_BITS) != REGULAR) {
      return -1;
    }
    return Math.max(0, status.get(JAVA_LONG, SIZE) - start);
  }
}
