package io.headgate.cli;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One {@code headgate run}: reads lines, has the command run for each, stops when it is told to,
 * and reports.
 *
 * <p>The main thread reads and submits, waits until all is done, and then takes the final report. A
 * stop reaches it in each of these places: a read that waits is woken, a submit that waits is
 * refused CLOSED, the wait for the end is interrupted.
 */
final class Run implements StopLadder.Target {
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final long BYTE_BUDGET = 64L << 20;
  private static final String NAME = "headgate: ";

  private final RunOptions options;
  private final StopLadder ladder;
  private final Verdict verdict = new Verdict();
  private final Output output;
  private final SpawnGate gate;
  private final CommandTemplate template;
  private final LineReader reader;
  private final Worker<Line> worker;

  private final AtomicBoolean programGone = new AtomicBoolean();
  private long refused;
  private boolean unadmitted;
  private boolean reportable;

  /** Starts the parts that take their time, for a thread of its own. */
  static void prepare() {
    Posix posix = new Posix();
    new Spawner(posix);
  }

  Run(RunOptions options, StopLadder ladder) {
    this.options = options;
    this.ladder = ladder;
    // First the worker: meanwhile the other thread prepares what the rest needs.
    worker = startWorker();
    Posix posix = new Posix();
    posix.keepEndedChildren();
    StandardStreams.fill(posix);
    output = new Output(this::outputBroken);
    gate = new SpawnGate();
    template = new CommandTemplate(Words.bytesOf(options.command()));
    reader = new LineReader(posix, 0);
  }

  private Worker<Line> startWorker() {
    WorkerBuilder<Line> builder =
        Worker.<Line>builder("run")
            .concurrency(options.concurrency())
            .capacity(options.capacity())
            .capacityBytes(BYTE_BUDGET, Line::length)
            .whenFull(options.refuseWhenFull() ? WhenFull.refuse() : WhenFull.waitUpTo(FOR_EVER))
            .history(options.history())
            // A command is awaited in a foreign call, which would pin a virtual thread's carrier.
            .threads(Thread.ofPlatform().daemon().name("headgate-job-", 1).factory())
            .grace(options.grace())
            .cleanup(options.cleanup());
    Duration timeout = options.timeout();
    if (timeout != null) {
      builder.timeout(timeout);
    }
    return builder.start(new CommandHandler(this::slot, this::notStarted));
  }

  private CommandSlot slot() {
    // Half of the cleanup is the command's to end by itself, so that its end is recorded in time.
    return new CommandSlot(template, gate, output, saturatedNanos(options.cleanup()) / 2);
  }

  private static long saturatedNanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Does it all; the exit code. */
  int execute() {
    try {
      return readRunReport();
    } catch (Throwable t) {
      // A fault of ours, or no memory: at least nothing is left running.
      gate.closeAndKill();
      throw t;
    }
  }

  private int readRunReport() {
    ladder.attach(this, options.grace());
    reportable = reportCanBeWritten();
    if (reportable && commandIsThere()) {
      readAll();
      ladder.awaitUnlessStopping(() -> worker.awaitIdle(FOR_EVER));
    }
    Report report = finalReport();
    judge(report);
    write(report);
    if (verdict.code() != ExitCode.OK) {
      summarise(report);
    }
    int code = verdict.code();
    if (!report.stuck().isEmpty() || !gate.isEmpty()) {
      // Their threads would run on, and their commands outlive us.
      gate.closeAndKill();
      Runtime.getRuntime().halt(code);
    }
    return code;
  }

  private boolean reportCanBeWritten() {
    String name = options.report();
    if (name == null || name.equals("-")) {
      return true;
    }
    try {
      ReportFile.probe(name);
      return true;
    } catch (IOException e) {
      fault(ExitCode.OUTPUT, "the report cannot be written: " + e.getMessage());
      return false;
    }
  }

  private boolean commandIsThere() {
    if (!template.hasFixedName()) {
      return true;
    }
    String name = options.command().get(0);
    int found = ProgramLookup.find(name, System.getenv("PATH"));
    if (found == ExitCode.OK || !name.equals(new String(template.name(), StandardCharsets.UTF_8))) {
      // A name that Java cannot spell is left to the kernel.
      return true;
    }
    fault(
        found,
        name + (found == ExitCode.NOT_FOUND ? ": command not found" : ": command cannot be run"));
    return false;
  }

  private void readAll() {
    try {
      if (StandardStreams.inputIsOurOwnFile()) {
        throw new IOException("it is closed");
      }
      while (!ladder.isStopping()) {
        Line line = reader.next();
        if (line == null || !submit(line)) {
          return;
        }
      }
    } catch (IOException e) {
      fault(ExitCode.INPUT, "standard input cannot be read: " + e.getMessage());
    }
  }

  /** Submits a line; {@code false} if no further one can be accepted. */
  private boolean submit(Line line) {
    Admission admission;
    try {
      admission = worker.submit(Job.of(Long.toString(line.position()), line));
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted by nobody", e);
    }
    return switch (admission) {
      case Admission.Accepted accepted -> true;
      case Admission.Refused no -> goesOnAfter(no.reason(), line);
    };
  }

  private boolean goesOnAfter(Reason reason, Line line) {
    if (reason == Reason.CLOSED) {
      unadmitted = true;
      return false;
    }
    refused++;
    if (reason == Reason.TOO_LARGE) {
      output.complain(
          NAME
              + "line "
              + line.position()
              + ": its "
              + line.length()
              + " bytes are above the budget of "
              + BYTE_BUDGET
              + " for all accepted lines");
    }
    return true;
  }

  private Report finalReport() {
    while (true) {
      try {
        return worker.drain(options.grace());
      } catch (InterruptedException e) {
        // Nobody means to interrupt the last thing that this thread does; the stop goes on.
      }
    }
  }

  private void judge(Report report) {
    long undone = report.interrupted() + report.unstarted() + report.unfinished();
    if (undone > 0 || refused > 0 || unadmitted || !reader.endReached()) {
      verdict.add(ExitCode.INCOMPLETE);
    }
    if (report.failed() > 0) {
      verdict.add(ExitCode.FAILED);
    }
  }

  private void write(Report report) {
    String name = options.report();
    if (name == null || !reportable) {
      return;
    }
    String json = RunReport.json(report, this);
    if (name.equals("-")) {
      byte[] bytes = (json + "\n").getBytes(StandardCharsets.UTF_8);
      output.write(Output.Stream.OUT, bytes, bytes.length, Output.NO_HURRY);
      return;
    }
    try {
      ReportFile.write(name, json);
    } catch (IOException e) {
      fault(ExitCode.OUTPUT, "the report cannot be written: " + e.getMessage());
    }
  }

  private void summarise(Report report) {
    output.complain(
        NAME
            + report.accepted()
            + " accepted: "
            + report.completed()
            + " completed, "
            + report.failed()
            + " failed, "
            + report.interrupted()
            + " interrupted, "
            + report.unstarted()
            + " unstarted, "
            + report.unfinished()
            + " unfinished"
            + (refused > 0 ? "; " + refused + " refused" : "")
            + (reader.endReached() ? "" : "; the input was not read to its end"));
  }

  long lines() {
    return reader.lines();
  }

  long emptyLines() {
    return reader.emptyLines();
  }

  boolean endOfInput() {
    return reader.endReached();
  }

  int signals() {
    return ladder.signals();
  }

  int exitCode() {
    return verdict.code();
  }

  private void fault(int code, String message) {
    verdict.add(code);
    output.complain(NAME + message);
  }

  private void outputBroken(String message) {
    fault(ExitCode.OUTPUT, message);
    ladder.fail();
  }

  private void notStarted(int code, String message) {
    boolean sameForAll = code != ExitCode.FAILED && template.hasFixedName();
    if (sameForAll) {
      // The program went away under way: no use in starting more, or in saying so more than once.
      ladder.fail();
    }
    if (!sameForAll || !programGone.getAndSet(true)) {
      fault(code, message);
    }
  }

  @Override
  public void stopAdmission() {
    worker.stopAdmission();
    reader.stop();
  }

  @Override
  public void drain(Duration grace) throws InterruptedException {
    worker.drain(grace);
  }

  @Override
  public void abort(Duration grace) throws InterruptedException {
    worker.abort(grace);
  }

  @Override
  public void kill() {
    gate.closeAndKill();
  }
}
