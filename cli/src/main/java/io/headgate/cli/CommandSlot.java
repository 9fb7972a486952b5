package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands one after another: starts a child, passes its output on, and takes its end.
 *
 * <p>One thread does it all, in one poll over the child's end, its two outputs and the wake-up that
 * a cancel sends. The order at the end: the leader ends; its output is read for at most a second
 * more (a child of the child may hold the pipe); the group is killed; the leader is reaped. Until
 * then the leader's id cannot be given to another process, so a signal never hits a stranger.
 *
 * <p>A cancelled command gets TERM for its whole group (and CONT, as a stopped process takes no
 * TERM), then KILL after the patience. One thread at a time; {@link #waker} is for any.
 */
final class CommandSlot implements Pause {
  private static final long OUTPUT_AFTER_END_NANOS = TimeUnit.SECONDS.toNanos(1);
  // Without pidfd_open the end of a child is looked for this often.
  private static final int LOOK_MILLIS = 5;
  private static final int CHUNK_BYTES = 1 << 14;
  private static final int TAIL_BYTES = 1024;

  private static final int LEADER = 0;
  private static final int OUT = 1;
  private static final int ERR = 2;
  private static final int WAKE = 3;

  private final SpawnGate gate;
  private final Delivery.Opener deliveries;
  private final long patienceNanos;
  private final boolean usePidfd;

  private final Posix posix = new Posix();
  private final Spawner spawner;
  private final Arguments arguments;
  private final WakeUp wakeUp = new WakeUp(posix);
  private final Runnable waker = wakeUp::wake;
  private final PollSet set = new PollSet(4);
  private final MemorySegment chunk = Arena.global().allocate(CHUNK_BYTES);
  private final byte[] bytes = new byte[CHUNK_BYTES];
  private final Tail errTail = new Tail(TAIL_BYTES);

  // The command that runs now.
  private Cancellation cancellation = () -> false;
  private Delivery delivery = Delivery.NONE;
  private int pid;
  private int pidfd = -1;
  private int outFd = -1;
  private int errFd = -1;
  private @Nullable Ending ending;
  private boolean told;
  private boolean killed;
  private long dueNanos;
  private long outBytes;

  /**
   * @param patienceNanos how long a cancelled command may live on
   */
  CommandSlot(
      CommandTemplate template, SpawnGate gate, Delivery.Opener deliveries, long patienceNanos) {
    this(template, gate, deliveries, patienceNanos, true);
  }

  CommandSlot(
      CommandTemplate template,
      SpawnGate gate,
      Delivery.Opener deliveries,
      long patienceNanos,
      boolean usePidfd) {
    this.gate = gate;
    this.deliveries = deliveries;
    this.patienceNanos = patienceNanos;
    this.usePidfd = usePidfd;
    spawner = new Spawner(posix);
    arguments = new Arguments(template);
  }

  /** Makes the running command look at its cancellation. Late calls do no harm. */
  Runnable waker() {
    return waker;
  }

  /**
   * Starts the command for an item.
   *
   * @return 0, or a negative errno; {@link SpawnGate#CLOSED} if no child may start any more
   */
  int start(Item item, Cancellation jobCancellation) {
    long vector = arguments.fill(item);
    if (!gate.enter()) {
      return SpawnGate.CLOSED;
    }
    long startMillis = System.currentTimeMillis();
    long startNanos = System.nanoTime();
    try {
      int result = spawner.spawn(arguments.name(), vector);
      if (result < 0) {
        return result;
      }
      gate.started(result);
      pid = result;
      item.execution().started(pid, startMillis, startNanos);
    } finally {
      gate.leave();
    }
    cancellation = jobCancellation;
    outFd = spawner.outFd();
    errFd = spawner.errFd();
    pidfd = usePidfd ? posix.pidfdOpen(pid) : -1;
    ending = null;
    told = false;
    killed = false;
    outBytes = 0;
    errTail.clear();
    delivery = deliveries.open(item, waker);
    return 0;
  }

  /** Waits for the end of the started command, and passes its output on until then. */
  Ending await() {
    try {
      while (ending == null || ((outFd >= 0 || errFd >= 0) && System.nanoTime() - dueNanos < 0)) {
        attend();
        proceed();
        set.watch(LEADER, ending == null ? pidfd : -1, Posix.POLLIN);
        set.watch(OUT, outFd, Posix.POLLIN);
        set.watch(ERR, errFd, Posix.POLLIN);
        set.watch(WAKE, wakeUp.fd(), Posix.POLLIN);
        posix.poll(set, millisUntilDue());
        boolean outReady = set.ready(OUT);
        boolean errReady = set.ready(ERR);
        if (set.ready(WAKE)) {
          woken();
        }
        if (pidfd < 0 || set.ready(LEADER)) {
          look();
        }
        if (outReady) {
          outFd = pass(outFd, Output.Stream.OUT);
        }
        if (errReady) {
          errFd = pass(errFd, Output.Stream.ERR);
        }
      }
      delivery.ended(Objects.requireNonNull(ending), this);
    } finally {
      reap();
    }
    return Objects.requireNonNull(ending);
  }

  /** Bytes that the last command wrote to its standard output. */
  long outBytes() {
    return outBytes;
  }

  /** Whether the last command was told to stop while it ran. */
  boolean wasTold() {
    return told;
  }

  /** The end of what the last command wrote to its standard error. */
  String errorTail(int codePoints) {
    return errTail.text(codePoints);
  }

  /**
   * Tells a cancelled command, and kills it when its time is over; {@code false} once a cancelled
   * command has ended and nobody has taken its output in time.
   */
  @Override
  public boolean attend() {
    if (told) {
      look();
    }
    if (ending != null) {
      return !told || System.nanoTime() - dueNanos < 0;
    }
    if (!told && cancellation.isCancelled()) {
      look();
      if (ending != null) {
        return true;
      }
      told = true;
      dueNanos = System.nanoTime() + patienceNanos;
      posix.killGroup(pid, Posix.SIGTERM);
      posix.killGroup(pid, Posix.SIGCONT);
    }
    if (told && !killed && System.nanoTime() - dueNanos >= 0) {
      killed = true;
      posix.killGroup(pid, Posix.SIGKILL);
    }
    return true;
  }

  @Override
  public boolean isHurried() {
    return told;
  }

  @Override
  public int millisUntilDue() {
    if (ending == null && !told) {
      return pidfd < 0 ? LOOK_MILLIS : -1;
    }
    if (ending == null && killed) {
      return LOOK_MILLIS;
    }
    long nanos = Math.max(0, dueNanos - System.nanoTime());
    int millis = (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
    // A thread that waits to write does not see the leader's end; so a told one is looked for.
    return ending == null ? Math.min(LOOK_MILLIS, millis) : millis;
  }

  @Override
  public void woken() {
    wakeUp.drain(posix);
  }

  @Override
  public int wakeFd() {
    return wakeUp.fd();
  }

  /** Looks whether the leader has ended, and leaves it to be reaped. */
  private void look() {
    if (ending != null) {
      return;
    }
    ending = posix.waitFor(pid, Posix.WEXITED | Posix.WNOHANG | Posix.WNOWAIT);
    if (ending != null) {
      // A cancelled job must have ended before the worker stops to wait for it.
      long readOn = OUTPUT_AFTER_END_NANOS;
      dueNanos = System.nanoTime() + (told ? Math.min(readOn, patienceNanos / 2) : readOn);
    }
  }

  /** Passes on what is there; answers the descriptor, or -1 once it is closed. */
  private int pass(int fd, Output.Stream stream) {
    int n = posix.read(fd, chunk, CHUNK_BYTES);
    if (n > 0) {
      MemorySegment.copy(chunk, JAVA_BYTE, 0, bytes, 0, n);
      if (stream == Output.Stream.ERR) {
        errTail.add(bytes, n);
      } else {
        outBytes += n;
      }
      long start = System.nanoTime();
      boolean wanted = delivery.take(stream, bytes, n, this);
      excuse(start);
      if (wanted) {
        return fd;
      }
      // The child learns of the broken output as it would in a pipeline: by SIGPIPE.
    }
    posix.close(fd);
    return -1;
  }

  private void proceed() {
    long start = System.nanoTime();
    delivery.proceed(this);
    excuse(start);
  }

  /** A slow reader of our output takes nothing from the time for reading the child's. */
  private void excuse(long sinceNanos) {
    if (ending != null && !told) {
      dueNanos += System.nanoTime() - sinceNanos;
    }
  }

  private void reap() {
    for (int fd : new int[] {outFd, errFd, pidfd}) {
      if (fd >= 0) {
        posix.close(fd);
      }
    }
    outFd = -1;
    errFd = -1;
    pidfd = -1;
    if (!gate.enter()) {
      // The process is about to halt, and the closer of the gate may just be using the id.
      ending = new Ending.Killed(Posix.SIGKILL);
      return;
    }
    try {
      posix.killGroup(pid, Posix.SIGKILL);
      Ending reaped = posix.waitFor(pid, Posix.WEXITED);
      if (ending == null) {
        ending = reaped;
      }
      gate.reaped(pid);
    } finally {
      gate.leave();
    }
  }
}
