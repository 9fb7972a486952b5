package io.headgate.cli;

import io.headgate.Handler;
import io.headgate.Report;
import io.headgate.Worker;
import io.headgate.cli.RunOptions.Halt;
import io.headgate.cli.RunOptions.Resume;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One {@code headgate run}: reads items, has the command run for each, stops when it is told to,
 * and reports.
 *
 * <p>The main thread reads and submits, waits until all is done, and then takes the final report. A
 * stop reaches it in each of these places: a read that waits is woken, a submit that waits is
 * refused CLOSED, the wait for the end is interrupted. What becomes of each item comes to {@link
 * Jobs}, on the thread that brings it.
 */
final class Run implements StopLadder.Target {
  // A third signal halts, whatever the disk of the joblog does.
  private static final long LAST_ROWS_MILLIS = 500;
  private static final long LAST_CLEAR_MILLIS = 100;
  // Above all that a kill waits for. The halt comes long before.
  private static final long HALT_MILLIS = 10_000;
  // Streams, jars, joblog, results; and two for a wake-up, four for pipes, one for the end, one
  // held.
  private static final int OWN_FILES = 32;
  private static final int FILES_PER_COMMAND = 8;
  private static final int RESERVE_BYTES = 1 << 20;
  private static final String NAME = "headgate: ";

  private final RunOptions options;
  private final StopLadder ladder;
  private final Inquiry inquiry;
  private final StoreRecord.@Nullable Opener stores;
  private final Verdict verdict = new Verdict();
  private final Output output;
  private final @Nullable Order order;
  private final Deliveries deliveries;
  private final SpawnGate gate;
  private final CommandTemplate template;
  private final Posix posix;
  private final Worker<Item> worker;
  private final ClaimGate claims;
  private final Jobs jobs;

  private final AtomicBoolean programGone = new AtomicBoolean();
  private final AtomicBoolean joblogBroken = new AtomicBoolean();
  private @Nullable Joblog joblog;
  private volatile @Nullable StoreRecord store;
  private volatile @Nullable LineReader lines;
  private @Nullable Intake intake;
  private @Nullable Control control;
  private boolean reportable;

  // Given back when there is no memory left, for the last steps.
  @SuppressWarnings("UnusedVariable") // being there is its use
  private byte[] reserve = new byte[RESERVE_BYTES];

  /** Starts the parts that take their time, for a thread of its own. */
  static void prepare() {
    Posix posix = new Posix();
    new Spawner(posix);
  }

  Run(RunOptions options, StopLadder ladder, Inquiry inquiry) {
    this(options, ladder, inquiry, null, null);
  }

  /**
   * For tests: a run whose items go to the given handler, if there is one, instead of to commands,
   * since a million commands take their time; and whose store is opened in another way.
   */
  Run(
      RunOptions options,
      StopLadder ladder,
      Inquiry inquiry,
      @Nullable Handler<Item> inPlaceOfCommands,
      StoreRecord.@Nullable Opener stores) {
    this.options = options;
    this.ladder = ladder;
    this.inquiry = inquiry;
    this.stores = stores;
    // First the worker: meanwhile the other thread prepares what the rest needs.
    worker =
        RunWorker.start(
            options,
            withLimit(
                withStore(
                    inPlaceOfCommands == null
                        ? new CommandHandler(
                            this::slot,
                            this::notStarted,
                            new Shortage(this::noneRuns, this::tell),
                            Run::mostCommands)
                        : inPlaceOfCommands)));
    claims = new ClaimGate(worker);
    posix = new Posix();
    posix.keepEndedChildren();
    StandardStreams.fill(posix);
    output = new Output(this::outputBroken);
    order = options.output().keepOrder() ? startOrder() : null;
    deliveries = new Deliveries(output, options.output().tag(), order);
    // First the store: what is in a joblog must not be lost to it.
    List<Jobs.Listener> listeners = new ArrayList<>(List.of(this::log));
    if (order != null) {
      listeners.add(order);
    }
    jobs = new Jobs(this::record, listeners, this::endNotTold);
    gate = new SpawnGate();
    template = new CommandTemplate(Words.bytesOf(options.command()), options.input().lineToken());
  }

  private Handler<Item> withStore(Handler<Item> commands) {
    return options.records().store() == null
        ? commands
        : new RecordedStart(commands, options.bounds().attempts(), () -> store);
  }

  private Handler<Item> withLimit(Handler<Item> commands) {
    Halt halt = options.bounds().halt();
    return halt == null
        ? commands
        : new FailureLimit(
            commands, options.bounds().attempts(), halt.failures(), () -> haltAfter(halt));
  }

  private Order startOrder() {
    Order started =
        new Order(
            output, SpillFile::temporary, claims, options.bounds().capacity(), this::outputLost);
    started.start();
    return started;
  }

  private CommandSlot slot() {
    // Half of the cleanup is the command's to end by itself, so that its end is recorded in time.
    return new CommandSlot(
        template, gate, deliveries, saturatedNanos(options.bounds().cleanup()) / 2);
  }

  private static long saturatedNanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Does it all; the exit code.
   *
   * @throws UsageException if the files that were named are not what they must be; nothing was read
   */
  int execute() throws UsageException {
    try {
      return readRunReport();
    } catch (RuntimeException | Error t) {
      // A fault of ours, or no memory: at least nothing is left running, and nothing without a row.
      reserve = new byte[0];
      attempt(t, gate::closeAndKill);
      attempt(t, jobs::endUnfinished);
      attempt(t, output::endStatus);
      throw t;
    }
  }

  private static void attempt(Throwable fault, Runnable last) {
    try {
      last.run();
    } catch (RuntimeException | Error e) {
      fault.addSuppressed(e);
    }
  }

  private int readRunReport() throws UsageException {
    boolean ready = openFiles();
    ladder.attach(this, options.bounds().grace());
    // The store is begun last: a run that cannot begin changes nothing in it.
    if (ready && commandIsThere() && (store == null || store.begin())) {
      startControl();
      readAll();
      ladder.awaitUnlessStopping(() -> worker.awaitIdle(RunWorker.FOR_EVER));
    }
    Report report = finalReport();
    leaveTheEndToAHalt();
    jobs.awaitTold(report.accepted() - report.unfinished());
    jobs.endUnfinished();
    if (order != null) {
      order.close();
    }
    if (control != null) {
      control.end();
    }
    RunSummary summary = new RunSummary(report, intake, lines, store);
    summary.judge(verdict);
    write(report);
    if (verdict.code() != ExitCode.OK && intake != null) {
      tell(summary.text());
    }
    if (store != null) {
      store.close(report.interrupted(), this::tell);
    }
    int code = verdict.code();
    if (!report.stuck().isEmpty() || !gate.isEmpty()) {
      // Their threads would run on, and their commands outlive us.
      gate.closeAndKill();
      Runtime.getRuntime().halt(code);
    }
    return code;
  }

  /** Opens what the run needs before anything is read; {@code false} if it cannot. */
  private boolean openFiles() throws UsageException {
    String report = options.records().report();
    try {
      if (report != null && !report.equals("-")) {
        ReportFile.probe(report);
      }
      reportable = report != null;
    } catch (IOException e) {
      fault(ExitCode.OUTPUT, "the report cannot be written: " + e.getMessage());
      return false;
    }
    RunOptions.Store storeOptions = options.records().store();
    if (storeOptions != null) {
      store = StoreRecord.open(storeOptions, options.records().resume(), stores, this::storeLost);
      if (store == null) {
        return false;
      }
    }
    String name = options.records().joblog();
    try {
      if (name != null) {
        // Beside a store it decides nothing, and goes on as the run does.
        joblog = Joblog.open(name, store == null ? options.records().resume() : Resume.UNFINISHED);
        tellTornRow(name, joblog.recorded().tornBytes());
      }
    } catch (IOException e) {
      fault(ExitCode.OUTPUT, "the joblog cannot be used: " + e.getMessage());
      return false;
    }
    String directory = options.output().results();
    try {
      if (directory != null) {
        deliveries.keep(Results.in(directory, this::outputLost));
      }
    } catch (IOException e) {
      fault(ExitCode.OUTPUT, "the results cannot be written: " + e.getMessage());
      return false;
    }
    try {
      LineReader reader = InputFile.open(posix, options.input());
      lines = reader;
      intake = new Intake(reader, worker, jobs, earlier(), options, this::tell);
      return true;
    } catch (IOException e) {
      fault(ExitCode.INPUT, String.valueOf(e.getMessage()));
      return false;
    }
  }

  private Earlier earlier() {
    if (store != null) {
      return store.lines();
    }
    return joblog == null ? new Recorded(Resume.NO) : joblog.recorded();
  }

  private void tellTornRow(String name, long bytes) {
    if (bytes > 0) {
      tell(name + ": its last row was not whole (" + bytes + " bytes) and was taken away");
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

  private void startControl() {
    LineReader reader = lines;
    Intake reading = intake;
    if (reader != null && reading != null) {
      control = new Control(options, output, jobs, gate, reader, reading);
      control.start(posix, worker, inquiry);
    }
  }

  private void readAll() {
    Intake reading = intake;
    if (reading == null || ladder.isStopping()) {
      return;
    }
    try {
      reading.run();
    } catch (IOException e) {
      fault(ExitCode.INPUT, InputFile.name(options.input()) + " cannot be read: " + e.getMessage());
    }
  }

  /**
   * The kill of a third signal ends all jobs, and with them the wait of this thread, a little
   * before it halts the process: it must not exit first, with another code.
   */
  private void leaveTheEndToAHalt() {
    if (jobs.isKilling()) {
      try {
        TimeUnit.MILLISECONDS.sleep(HALT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Report finalReport() {
    while (true) {
      try {
        // Of two requests the stronger wins, but a drain would let the waiting go on until then.
        Duration rest = ladder.givenUp();
        return rest == null ? worker.drain(options.bounds().grace()) : worker.abort(rest);
      } catch (InterruptedException e) {
        // Nobody means to interrupt the last thing that this thread does; the stop goes on.
      }
    }
  }

  /** Has the end of an item committed, before anything else hears of it. */
  private Fate record(Item item, Fate fate) {
    return store == null ? fate : store.ended(item, fate);
  }

  /** Writes the row of an item that has its end. */
  private void log(Item item, Fate fate) {
    Joblog log = joblog;
    Intake reading = intake;
    if (log == null || reading == null) {
      return;
    }
    try {
      log.append(item, fate, template, reading.id(item));
    } catch (IOException e) {
      if (!joblogBroken.getAndSet(true)) {
        fault(
            ExitCode.OUTPUT,
            "the joblog cannot be written: " + e.getMessage() + "; no more is started");
        ladder.fail();
      }
    }
  }

  private void storeLost(String message) {
    fault(ExitCode.STORE, message);
    ladder.fail();
  }

  private void haltAfter(Halt halt) {
    // At once, in the thread of the failure: the stop itself is another thread's.
    claims.halt();
    tell("halted, as --halt says: " + halt.failures() + " failed");
    ladder.giveUp(halt.now() ? Duration.ZERO : RunWorker.FOR_EVER);
  }

  private void write(Report report) {
    String name = options.records().report();
    LineReader reader = lines;
    Intake reading = intake;
    if (name == null || reader == null || reading == null || !reportable) {
      return;
    }
    String json =
        RunReport.json(
            report,
            verdict.code(),
            reader,
            reading,
            store == null ? null : store.lines().uncertain(),
            ladder.signals());
    if (name.equals("-")) {
      byte[] bytes = (json + "\n").getBytes(StandardCharsets.UTF_8);
      output.write(Output.Stream.OUT, bytes, bytes.length, new StopPause(ladder));
      return;
    }
    try {
      ReportFile.write(name, json);
    } catch (IOException e) {
      fault(ExitCode.OUTPUT, "the report cannot be written: " + e.getMessage());
    }
  }

  private void fault(int code, String message) {
    verdict.add(code);
    tell(message);
  }

  private void tell(String message) {
    output.complain(NAME + message);
  }

  /** How many commands can run at once without taking the last open file of this process. */
  private static long mostCommands() {
    return Math.max(1, (new Posix().openFilesLimit() - OWN_FILES) / FILES_PER_COMMAND);
  }

  private boolean noneRuns() {
    return gate.isEmpty();
  }

  private void endNotTold(Throwable fault) {
    fault(ExitCode.OUTPUT, "the end of a job could not be recorded: " + fault);
    ladder.fail();
  }

  private void outputBroken(String message) {
    fault(ExitCode.OUTPUT, message);
    ladder.fail();
  }

  private void outputLost(String message) {
    outputBroken(message + "; no more is started");
  }

  private void notStarted(int code, String message) {
    boolean sameForAll =
        code != ExitCode.FAILED && code != ExitCode.INCOMPLETE && template.hasFixedName();
    if (code == ExitCode.INCOMPLETE) {
      // A limit was met while no command of ours ran: waiting for more room is pointless.
      ladder.fail();
    }
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
    LineReader reader = lines;
    if (reader != null) {
      reader.stop();
    }
  }

  @Override
  public void drain(Duration grace) throws InterruptedException {
    worker.drain(grace);
    hurryOutput();
  }

  @Override
  public void abort(Duration grace) throws InterruptedException {
    worker.abort(grace);
    hurryOutput();
  }

  private void hurryOutput() {
    if (order != null) {
      order.hurry();
    }
  }

  @Override
  public void kill() {
    jobs.killing();
    gate.closeAndKill();
    Thread lastRows = Thread.ofPlatform().daemon().start(jobs::endUnfinished);
    Thread lastClear = Thread.ofPlatform().daemon().start(output::endStatus);
    try {
      lastRows.join(LAST_ROWS_MILLIS);
      lastClear.join(LAST_CLEAR_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
