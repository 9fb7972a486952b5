package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Starts commands by posix_spawnp: each in a process group of its own, with every signal at its
 * default and none blocked, nothing on standard input, and pipes for the two outputs.
 *
 * <p>The Java virtual machine ignores and blocks some signals and keeps descriptors open that are
 * not close-on-exec; a child must inherit none of it. One thread at a time.
 */
final class Spawner {
  private static final MemorySegment SPAWNP = Posix.function("posix_spawnp");
  private static final MemorySegment ATTR_INIT = Posix.function("posix_spawnattr_init");
  private static final MemorySegment ATTR_FLAGS = Posix.function("posix_spawnattr_setflags");
  private static final MemorySegment ATTR_GROUP = Posix.function("posix_spawnattr_setpgroup");
  private static final MemorySegment ATTR_DEFAULT = Posix.function("posix_spawnattr_setsigdefault");
  private static final MemorySegment ATTR_MASK = Posix.function("posix_spawnattr_setsigmask");
  private static final MemorySegment FILL = Posix.function("sigfillset");
  private static final MemorySegment EMPTY = Posix.function("sigemptyset");
  private static final MemorySegment ACTIONS_INIT = Posix.function("posix_spawn_file_actions_init");
  private static final MemorySegment ACTIONS_DESTROY =
      Posix.function("posix_spawn_file_actions_destroy");
  private static final MemorySegment ADD_OPEN = Posix.function("posix_spawn_file_actions_addopen");
  private static final MemorySegment ADD_DUP2 = Posix.function("posix_spawn_file_actions_adddup2");
  private static final MemorySegment ADD_CLOSE =
      Posix.function("posix_spawn_file_actions_addclose");
  private static final MemorySegment ADD_CLOSE_FROM =
      Posix.functionOrNull("posix_spawn_file_actions_addclosefrom_np");

  private static final int SETPGROUP = 2;
  private static final int SETSIGDEF = 4;
  private static final int SETSIGMASK = 8;
  private static final int MAC_CLOEXEC_DEFAULT = 0x4000;
  private static final int FIRST_UNSHARED_FD = 3;

  private static final MemorySegment DEV_NULL = Arena.global().allocateFrom("/dev/null");
  private static final long ENVIRONMENT = Posix.environment();

  private final Posix posix;
  private final boolean closeFrom;
  private final MemorySegment attributes = Arena.global().allocate(Posix.STRUCT_BYTES, 16);
  private final MemorySegment actions = Arena.global().allocate(Posix.STRUCT_BYTES, 16);
  private final MemorySegment out = Arena.global().allocate(8, 8);
  private final MemorySegment err = Arena.global().allocate(8, 8);
  private final MemorySegment pid = Arena.global().allocate(8, 8);

  private int outFd = -1;
  private int errFd = -1;

  Spawner(Posix posix) {
    this(posix, ADD_CLOSE_FROM.address() != 0);
  }

  /**
   * @param closeFrom whether to use the C library's close-from action; without it each descriptor
   *     that is open at the start is closed by an action of its own
   */
  Spawner(Posix posix, boolean closeFrom) {
    this.posix = posix;
    this.closeFrom = closeFrom;
    MemorySegment signals = Arena.global().allocate(Posix.STRUCT_BYTES, 16);
    long attr = attributes.address();
    posix.call(ATTR_INIT, attr, 0, 0, 0, 0, 0);
    int flags = SETPGROUP | SETSIGDEF | SETSIGMASK | (Posix.MAC ? MAC_CLOEXEC_DEFAULT : 0);
    posix.call(ATTR_FLAGS, attr, flags, 0, 0, 0, 0);
    posix.call(ATTR_GROUP, attr, 0, 0, 0, 0, 0);
    posix.call(FILL, signals.address(), 0, 0, 0, 0, 0);
    posix.call(ATTR_DEFAULT, attr, signals.address(), 0, 0, 0, 0);
    posix.call(EMPTY, signals.address(), 0, 0, 0, 0, 0);
    posix.call(ATTR_MASK, attr, signals.address(), 0, 0, 0, 0);
  }

  /**
   * Starts a command.
   *
   * @param program the address of its name, looked up in PATH unless it has a slash
   * @param arguments the address of its argument vector
   * @return its process id, which is its group's too; or a negative errno
   */
  int spawn(long program, long arguments) {
    int failure = posix.pipe(out);
    if (failure < 0) {
      return failure;
    }
    failure = posix.pipe(err);
    if (failure < 0) {
      closeBoth(out);
      return failure;
    }
    int result = spawnInto(program, arguments);
    posix.close(out.get(JAVA_INT, 4));
    posix.close(err.get(JAVA_INT, 4));
    if (result != 0) {
      posix.close(out.get(JAVA_INT, 0));
      posix.close(err.get(JAVA_INT, 0));
      return -result;
    }
    outFd = out.get(JAVA_INT, 0);
    errFd = err.get(JAVA_INT, 0);
    return pid.get(JAVA_INT, 0);
  }

  /** The read end of the last child's standard output; the caller closes it. */
  int outFd() {
    return outFd;
  }

  /** The read end of the last child's standard error; the caller closes it. */
  int errFd() {
    return errFd;
  }

  private int spawnInto(long program, long arguments) {
    long list = actions.address();
    posix.call(ACTIONS_INIT, list, 0, 0, 0, 0, 0);
    posix.call(ADD_OPEN, list, 0, DEV_NULL.address(), Posix.O_RDONLY, 0, 0);
    posix.call(ADD_DUP2, list, out.get(JAVA_INT, 4), 1, 0, 0, 0);
    posix.call(ADD_DUP2, list, err.get(JAVA_INT, 4), 2, 0, 0, 0);
    if (closeFrom) {
      posix.call(ADD_CLOSE_FROM, list, FIRST_UNSHARED_FD, 0, 0, 0, 0);
    } else if (!Posix.MAC) {
      closeEach(list);
    }
    int result =
        (int)
            posix.call(
                SPAWNP, pid.address(), program, list, attributes.address(), arguments, ENVIRONMENT);
    posix.call(ACTIONS_DESTROY, list, 0, 0, 0, 0, 0);
    return result;
  }

  // One that another thread closes in between is no error: the action ignores it.
  private void closeEach(long list) {
    String[] open = new File("/proc/self/fd").list();
    if (open == null) {
      return;
    }
    for (String name : open) {
      int fd = Integer.parseInt(name);
      if (fd >= FIRST_UNSHARED_FD) {
        posix.call(ADD_CLOSE, list, fd, 0, 0, 0, 0);
      }
    }
  }

  private void closeBoth(MemorySegment ends) {
    posix.close(ends.get(JAVA_INT, 0));
    posix.close(ends.get(JAVA_INT, 4));
  }
}
