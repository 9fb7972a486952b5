package io.headgate.cli;

import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.JobContext;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command for an item, and tells the worker how it ended: exit status 0 completes the job,
 * a cancelled command that was ended by the cancel is interrupted, all else fails it.
 */
final class CommandHandler implements Handler<Item> {
  /** Told about commands that could not be started; must not block for long. */
  interface Trouble {
    /**
     * A command could not be started.
     *
     * @param exitCode the exit code that this gives to the run; {@link ExitCode#FAILED} if it
     *     concerns this item alone
     */
    void notStarted(int exitCode, String message);
  }

  /** Makes a slot when more commands run at once than ever before. */
  interface SlotFactory {
    CommandSlot slot();
  }

  // Below the worker's cap for error messages, so that the worker never cuts the end off.
  private static final int MESSAGE_CODE_POINTS = 240;

  private final SlotFactory factory;
  private final Trouble trouble;
  private final Shortage shortage;
  private final LongSupplier mostSlots;
  private final ArrayDeque<CommandSlot> idle = new ArrayDeque<>();

  // Guarded by the lock of idle.
  private long slots;
  private long most;

  /**
   * @param mostSlots how many commands the limit of open files leaves room for
   */
  CommandHandler(SlotFactory factory, Trouble trouble, Shortage shortage, LongSupplier mostSlots) {
    this.factory = factory;
    this.trouble = trouble;
    this.shortage = shortage;
    this.mostSlots = mostSlots;
  }

  @Override
  public void handle(Job<Item> job, JobContext context)
      throws CommandFailure, InterruptedException {
    Item item = job.payload();
    if (context.attempt() > 1) {
      item.execution().again();
    }
    check(item);
    // A slot whose command ended by an exception of ours is not used again: its state is unknown.
    CommandSlot slot = takeSlot(item);
    int started = start(slot, item, context);
    if (started < 0) {
      giveBack(slot);
      throw notStarted(item, -started);
    }
    Ending ending = slot.await();
    item.execution().ended(ending, System.nanoTime(), slot.outBytes());
    boolean told = slot.wasTold();
    String tail = slot.errorTail(MESSAGE_CODE_POINTS);
    giveBack(slot);
    judge(ending, told, tail);
  }

  private int start(CommandSlot slot, Item item, JobContext context) throws InterruptedException {
    context.onCancel(slot.waker());
    if (context.isCancelled()) {
      giveBack(slot);
      throw new InterruptedException("told to stop before the command was started");
    }
    Cancellation cancellation = new OfContext(context);
    Shortage.Wait wait = shortage.new Wait();
    try {
      int started = slot.start(item, cancellation);
      while (Shortage.isOne(-started) && wait.after(-started)) {
        started = slot.start(item, cancellation);
      }
      if (started == SpawnGate.CLOSED) {
        throw new InterruptedException("no command is started any more");
      }
      return started;
    } catch (InterruptedException e) {
      giveBack(slot);
      throw e;
    }
  }

  private record OfContext(JobContext context) implements Cancellation {
    @Override
    public boolean isCancelled() {
      return context.isCancelled();
    }
  }

  private void check(Item item) throws NotStarted {
    for (Line line : item.lines()) {
      if (line.holdsZeroByte()) {
        throw told(
            ExitCode.FAILED,
            "line " + line.number() + ": it has a zero byte, which no argument can hold");
      }
    }
  }

  private NotStarted notStarted(Item item, int errno) {
    String place = "line " + item.firstLine() + ": the command cannot be started: ";
    int code;
    if (errno == Posix.ENOENT || errno == Posix.ENOTDIR) {
      code = ExitCode.NOT_FOUND;
    } else if (errno == Posix.EACCES || errno == Posix.ENOEXEC || errno == Posix.ELOOP) {
      code = ExitCode.CANNOT_RUN;
    } else if (Shortage.isOne(errno)) {
      code = ExitCode.INCOMPLETE;
    } else {
      code = ExitCode.FAILED;
    }
    if (errno == Posix.ENOEXEC) {
      place += "it has no #! line, so name its shell, as in -- sh FILE {}: ";
    }
    String size = errno == Posix.E2BIG ? " (the line has " + item.length() + " bytes)" : "";
    return told(code, place + Errno.text(errno) + size);
  }

  private NotStarted told(int code, String message) {
    trouble.notStarted(code, message);
    return new NotStarted(message);
  }

  private static void judge(Ending ending, boolean told, String tail)
      throws CommandFailure, InterruptedException {
    switch (ending) {
      case Ending.Exited(int status) -> {
        if (status == 0) {
          return;
        }
        // A shell, and many a program that catches TERM, answers with 128 and the signal.
        if (told && isOurSignal(status - Ending.SHELL_SIGNAL_BASE)) {
          throw new InterruptedException("told to stop, exit status " + status);
        }
        throw new ExitStatus(withTail("exit status " + status, tail));
      }
      case Ending.Killed(int signal) -> {
        if (told && isOurSignal(signal)) {
          throw new InterruptedException("told to stop, killed by signal " + signal);
        }
        throw new KilledBySignal(withTail("killed by signal " + signal, tail));
      }
    }
  }

  private static boolean isOurSignal(int signal) {
    return signal == Posix.SIGTERM || signal == Posix.SIGKILL;
  }

  private static String withTail(String message, String tail) {
    if (tail.isEmpty()) {
      return message;
    }
    int room = MESSAGE_CODE_POINTS - message.length() - 2;
    int count = tail.codePointCount(0, tail.length());
    return message
        + ": "
        + (count <= room ? tail : tail.substring(tail.offsetByCodePoints(0, count - room)));
  }

  private CommandSlot takeSlot(Item item) throws NotStarted, InterruptedException {
    Shortage.Wait wait = shortage.new Wait();
    while (true) {
      synchronized (idle) {
        CommandSlot slot = idle.pollLast();
        if (slot != null) {
          return slot;
        }
      }
      CommandSlot made = makeSlot();
      if (made != null) {
        return made;
      }
      if (!wait.after(Shortage.EMFILE)) {
        throw notStarted(item, Shortage.EMFILE);
      }
    }
  }

  private @Nullable CommandSlot makeSlot() {
    synchronized (idle) {
      if (most == 0) {
        most = mostSlots.getAsLong();
      }
      if (slots >= most) {
        return null;
      }
      slots++;
    }
    try {
      return factory.slot();
    } catch (WakeUp.Unavailable e) {
      synchronized (idle) {
        slots--;
      }
      return null;
    }
  }

  private void giveBack(CommandSlot slot) {
    synchronized (idle) {
      idle.addLast(slot);
    }
  }
}
