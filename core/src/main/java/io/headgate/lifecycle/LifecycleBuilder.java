package io.headgate.lifecycle;

import static java.util.Objects.requireNonNull;

import io.headgate.Worker;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Lifecycle}; none is required. Each setter refuses a bad argument at once
 * and, {@link #worker} apart, may be called once. Not thread-safe.
 */
public final class LifecycleBuilder {

  private static final Duration EXIT_AT_MOST = Duration.ofSeconds(1);

  private enum Option {
    GRACE,
    EXIT_WHEN_STOPPED,
    BEFORE_HALT,
    TICKER
  }

  final List<Worker<?>> workers = new ArrayList<>();
  long graceNanos = TimeUnit.SECONDS.toNanos(25);
  Ticker ticker = Ticker.system();

  private @Nullable Runnable beforeHalt;
  private @Nullable Consumer<? super StopReport> lastly;
  private long lastlyNanos;
  private ProcessEnd process = ProcessEnd.THIS_PROCESS;
  private SignalSource signals = JvmSignals.INSTANCE;
  private final Set<Option> given = EnumSet.noneOf(Option.class);

  LifecycleBuilder() {}

  /** Adds a worker; any number may be added, now or by {@link Lifecycle#add}. */
  public LifecycleBuilder worker(Worker<?> worker) {
    workers.add(requireNonNull(worker, "worker"));
    return this;
  }

  /**
   * How long all workers together may drain, from the arrival of the first signal. Then each awaits
   * its cancelled handlers for its own time of cleanup, all side by side. Zero cancels at once.
   * Default: 25 s.
   */
  public LifecycleBuilder grace(Duration grace) {
    once(Option.GRACE);
    graceNanos = Durations.nanos("grace", grace);
    return this;
  }

  /**
   * Ends the process when a stop is over, whoever asked for it, with {@link StopReport#exitCode()};
   * prints nothing. As {@link #exitWhenStopped(Duration, Consumer)} with one second and nothing to
   * do. Default: the process goes on, and whoever called {@link Lifecycle#awaitStop()} decides.
   */
  public LifecycleBuilder exitWhenStopped() {
    return exitWhenStopped(EXIT_AT_MOST, report -> {});
  }

  /**
   * Ends the process when a stop is over, with {@link StopReport#exitCode()}: {@code lastly} is
   * called, then the process ends by {@link System#exit}, or, where a handler is stuck, by {@link
   * Runtime#halt}, which runs no shutdown hook. Whatever hangs on the way, {@code lastly} or a
   * hook, is cut short by a halt with the same status; the status is ours even if the hooks were
   * already running because somebody else exits.
   *
   * @param atMost how long {@code lastly} and the shutdown hooks may take together, after grace and
   *     cleanup; zero means a halt at once
   * @param lastly prints the report, say; what it throws is logged
   */
  public LifecycleBuilder exitWhenStopped(Duration atMost, Consumer<? super StopReport> lastly) {
    once(Option.EXIT_WHEN_STOPPED);
    lastlyNanos = Durations.nanos("atMost", atMost);
    this.lastly = requireNonNull(lastly, "lastly");
    return this;
  }

  /**
   * Called before the halt by the third signal, to kill children, say. It has one second; a fourth
   * signal does not wait for it. Default: nothing.
   */
  public LifecycleBuilder beforeHalt(Runnable action) {
    once(Option.BEFORE_HALT);
    beforeHalt = requireNonNull(action, "action");
    return this;
  }

  /** The source of time. Default: the machine's; tests take one they move by hand. */
  public LifecycleBuilder ticker(Ticker ticker) {
    once(Option.TICKER);
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /**
   * Listens to TERM, INT and HUP from now on: the first drains, the second cancels, the third ends
   * the process with 128 + its number. A signal that cannot be listened to is named in one line of
   * the log, and keeps its default: all of them under {@code -Xrs} or without the module
   * jdk.unsupported. One that the parent had ignored when the JVM started stays ignored, unseen:
   * INT in the background of a shell, HUP under nohup.
   *
   * <p>Install before anything takes work in, so that a signal during start-up is heard, too. Of
   * several lifecycles in one process, the signals are the latest's.
   *
   * @throws IllegalArgumentException if a worker was given twice
   */
  public Lifecycle install() {
    Lifecycle lifecycle = new Lifecycle(this);
    lifecycle.install(signals);
    return lifecycle;
  }

  /** For tests: signals that are called, and a process that survives. */
  LifecycleBuilder in(SignalSource signals, ProcessEnd process) {
    this.signals = signals;
    this.process = process;
    return this;
  }

  LastActs lastActs() {
    return new LastActs(ticker, process, beforeHalt, lastly, lastlyNanos);
  }

  private void once(Option option) {
    if (!given.add(option)) {
      throw new IllegalStateException(option + " was set already; an option may be set once");
    }
  }
}
