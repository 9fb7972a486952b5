package io.headgate.cli;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes sure that descriptors 0 to 2 are what they are taken for.
 *
 * <p>A closed one is filled with something that fails when it is used, as a closed one does; else
 * the next pipe that is opened would get its number, and a child's output or the input would go
 * astray.
 */
final class StandardStreams {
  private static final int COUNT = 3;

  private StandardStreams() {}

  /** Fills what is closed. To be called before the first pipe is made. */
  static void fill(Posix posix) {
    PollSet set = new PollSet(COUNT);
    for (int fd = 0; fd < COUNT; fd++) {
      set.watch(fd, fd, (short) 0);
    }
    posix.poll(set, 0);
    MemorySegment devNull = Arena.global().allocateFrom("/dev/null");
    for (int fd = 0; fd < COUNT; fd++) {
      if (set.notOpen(fd)) {
        // Opened the wrong way round: reading standard input fails, and writing the others.
        int got = posix.open(devNull, fd == 0 ? Posix.O_WRONLY : Posix.O_RDONLY);
        if (got >= COUNT) {
          posix.close(got);
        }
      }
    }
  }

  /**
   * Whether standard input was closed when the process started, and its number then went to a file
   * that the virtual machine opened for itself. Known on Linux only.
   */
  static boolean inputIsOurOwnFile() {
    File link = new File("/proc/self/fd/0");
    try {
      String path = link.getCanonicalPath();
      if (path.startsWith(System.getProperty("java.home", "/nowhere") + File.separator)) {
        return true;
      }
      String classPath = System.getProperty("java.class.path", "");
      for (String entry : classPath.split(File.pathSeparator, -1)) {
        if (entry.endsWith(".jar") && path.equals(new File(entry).getCanonicalPath())) {
          return true;
        }
      }
      return path.endsWith(".aot") || path.endsWith(".jsa");
    } catch (IOException e) {
      return false;
    }
  }
}
