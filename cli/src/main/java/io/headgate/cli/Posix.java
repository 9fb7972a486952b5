package io.headgate.cli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the C library that a run needs.
 *
 * <p>Every call that can fail answers a negative errno instead of setting one. An instance holds
 * the place that errno is captured in, so it belongs to one thread at a time. Calls may block; an
 * interrupt of the Java thread does not end them.
 */
final class Posix {
  // All functions go through one handle: six longs in, one long out. On the supported ABIs the
  // callee reads the registers that it declares and ignores the rest, and each further shape would
  // cost several milliseconds of start-up. An int result is the low half of the long.
  private static final MethodHandle CALL = call();
  private static final SymbolLookup LIBRARY = Linker.nativeLinker().defaultLookup();

  static final boolean MAC = System.getProperty("os.name", "").startsWith("Mac");

  static final int EINTR = 4;
  static final int ENOENT = 2;
  static final int E2BIG = 7;
  static final int ENOEXEC = 8;
  static final int EAGAIN = MAC ? 35 : 11;
  static final int EACCES = 13;
  static final int EISDIR = 21;
  static final int ENOTDIR = 20;
  static final int ELOOP = MAC ? 62 : 40;
  static final int ENAMETOOLONG = MAC ? 63 : 36;

  static final int SIGKILL = 9;
  static final int SIGTERM = 15;
  static final int SIGCONT = MAC ? 19 : 18;

  private static final int SIGCHLD = MAC ? 20 : 17;
  private static final long SIG_DFL = 0;

  static final short POLLIN = 1;
  static final short POLLOUT = 4;
  static final short POLLNVAL = 32;

  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_NONBLOCK = MAC ? 0x4 : 0x800;
  static final int O_CLOEXEC = MAC ? 0x1000000 : 0x80000;

  static final int WNOHANG = 1;
  static final int WEXITED = 4;
  static final int WNOWAIT = MAC ? 0x20 : 0x0100_0000;
  private static final int P_PID = 1;
  private static final long SI_CODE = 8;
  private static final long SI_PID = MAC ? 12 : 16;
  private static final long SI_STATUS = MAC ? 20 : 24;
  private static final int CLD_EXITED = 1;

  private static final int RLIMIT_NOFILE = MAC ? 8 : 7;
  private static final MemorySegment GETRLIMIT = function("getrlimit");
  private static final MemorySegment READ = function("read");
  private static final MemorySegment WRITE = function("write");
  private static final MemorySegment CLOSE = function("close");
  private static final MemorySegment OPEN = function("open");
  private static final MemorySegment POLL = function("poll");
  private static final MemorySegment KILLPG = function("killpg");
  private static final MemorySegment WAITID = function("waitid");
  private static final MemorySegment SIGNAL = function("signal");
  private static final MemorySegment PIPE2 = functionOrNull("pipe2");
  private static final MemorySegment PIPE = function("pipe");
  private static final MemorySegment ISATTY = function("isatty");
  private static final MemorySegment PIDFD_OPEN = functionOrNull("pidfd_open");

  /** Bytes enough for a sigset_t, a siginfo_t, and the spawn structures of the known systems. */
  static final long STRUCT_BYTES = 512;

  private final MemorySegment errno;
  private final MemorySegment info;

  Posix() {
    Arena arena = Arena.global();
    errno = arena.allocate(Linker.Option.captureStateLayout());
    info = arena.allocate(STRUCT_BYTES, 16);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle call() {
    return Linker.nativeLinker()
        .downcallHandle(
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.captureCallState("errno"));
  }

  /** The address of a function that every POSIX system has. */
  static MemorySegment function(String name) {
    return LIBRARY.findOrThrow(name);
  }

  /** The address of a function, or the null address where this system has none. */
  static MemorySegment functionOrNull(String name) {
    return LIBRARY.find(name).orElse(MemorySegment.NULL);
  }

  /** The address of the process environment, as the C library keeps it. */
  static long environment() {
    MemorySegment environ = functionOrNull("environ");
    if (environ.address() == 0) {
      return 0;
    }
    return at(environ, ADDRESS.byteSize()).get(ADDRESS, 0).address();
  }

  @SuppressWarnings("restricted")
  private static MemorySegment at(MemorySegment address, long bytes) {
    return address.reinterpret(bytes);
  }

  /** Calls a function; arguments that it does not declare are zero. */
  long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL.invokeExact(function, errno, a, b, c, d, e, f);
    } catch (Throwable t) {
      throw new AssertionError("the C library could not be called", t);
    }
  }

  private int errno() {
    return errno.get(JAVA_INT, 0);
  }

  private int checked(long result) {
    int value = (int) result;
    return value == -1 ? -errno() : value;
  }

  /** Reads at most {@code length} bytes; 0 at the end of the input. */
  int read(int fd, MemorySegment buffer, int length) {
    while (true) {
      int n = checked(call(READ, fd, buffer.address(), length, 0, 0, 0));
      if (n != -EINTR) {
        return n;
      }
    }
  }

  /** Writes at most {@code length} bytes; answers how many were taken. */
  int write(int fd, MemorySegment buffer, int length) {
    while (true) {
      int n = checked(call(WRITE, fd, buffer.address(), length, 0, 0, 0));
      if (n != -EINTR) {
        return n;
      }
    }
  }

  /** Closes a descriptor. Not repeated after EINTR: the descriptor is gone by then. */
  void close(int fd) {
    call(CLOSE, fd, 0, 0, 0, 0, 0);
  }

  /** Opens an existing file, with the given access mode. */
  int open(MemorySegment path, int access) {
    return checked(call(OPEN, path.address(), access, 0, 0, 0, 0));
  }

  /**
   * Waits until a descriptor is ready.
   *
   * @param millis the longest wait; negative waits for ever
   * @return how many are ready; 0 after the time and after a signal
   */
  int poll(PollSet set, int millis) {
    int n = checked(call(POLL, set.address(), set.size(), millis, 0, 0, 0));
    if (n > 0) {
      return n;
    }
    // After an interrupted call the set still holds what an earlier one found.
    set.clear();
    if (n < 0 && n != -EINTR && n != -EAGAIN) {
      throw new IllegalStateException("poll failed: " + Errno.text(-n));
    }
    return 0;
  }

  /** Makes a pipe: the read end and the write end as two ints at {@code ends}. */
  int pipe(MemorySegment ends) {
    if (PIPE2.address() != 0) {
      return checked(call(PIPE2, ends.address(), O_CLOEXEC, 0, 0, 0, 0));
    }
    return checked(call(PIPE, ends.address(), 0, 0, 0, 0, 0));
  }

  /**
   * Makes sure that children can be waited for: where a parent has left CHLD ignored, the system
   * reaps them by itself, and their ends are lost.
   */
  void keepEndedChildren() {
    call(SIGNAL, SIGCHLD, SIG_DFL, 0, 0, 0, 0);
  }

  /** How many files this process may have open. */
  long openFilesLimit() {
    int result = checked(call(GETRLIMIT, RLIMIT_NOFILE, info.address(), 0, 0, 0, 0));
    long limit = info.get(JAVA_LONG, 0);
    // No limit is the largest unsigned number.
    return result < 0 || limit < 0 ? Long.MAX_VALUE : limit;
  }

  /** Signals a process group. */
  int killGroup(int group, int signal) {
    return checked(call(KILLPG, group, signal, 0, 0, 0, 0));
  }

  /** Whether a descriptor leads to a terminal. */
  boolean isTerminal(int fd) {
    return (int) call(ISATTY, fd, 0, 0, 0, 0, 0) == 1;
  }

  /** A descriptor that is readable once the process has ended, or a negative errno. */
  int pidfdOpen(int pid) {
    if (PIDFD_OPEN.address() == 0) {
      return -1;
    }
    return checked(call(PIDFD_OPEN, pid, 0, 0, 0, 0, 0));
  }

  /**
   * Waits for a child of this process.
   *
   * @return the child's end, or {@code null} if it has none yet (only with WNOHANG)
   */
  @Nullable Ending waitFor(int pid, int options) {
    while (true) {
      info.fill((byte) 0);
      int result = checked(call(WAITID, P_PID, pid, info.address(), options, 0, 0));
      if (result == -EINTR) {
        continue;
      }
      if (result < 0) {
        throw new IllegalStateException("waitid(" + pid + ") failed with errno " + -result);
      }
      if (info.get(JAVA_INT, SI_PID) == 0) {
        return null;
      }
      int status = info.get(JAVA_INT, SI_STATUS);
      return info.get(JAVA_INT, SI_CODE) == CLD_EXITED
          ? new Ending.Exited(status)
          : new Ending.Killed(status);
    }
  }
}
