package io.headgate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import kotlin.Unit;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.LambdaExecutor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.randomness.ControlledRandom;
import org.pastalab.fray.core.randomness.Randomness;
import org.pastalab.fray.core.scheduler.POSScheduler;
import org.pastalab.fray.core.scheduler.RandomScheduler;
import org.pastalab.fray.core.scheduler.Scheduler;

/**
 * Runs a scenario under many schedules that Fray controls: half of them sampled by partial order,
 * half a plain random walk, which finds what needs one thread to be late for long.
 *
 * <p>A hang is found as such, without a watchdog: no thread can run and not all have ended.
 * Volatile fields, var handles, locks, parks and monitors are points where the schedule may switch;
 * plain fields are not, so races on those are for other tests.
 *
 * <p>{@code -Dheadgate.fray.scale=N} multiplies the schedules. A failure names the number of its
 * schedule, and {@code -Dheadgate.fray.first=NUMBER -Dheadgate.fray.count=1} runs that one again.
 */
final class Schedules {

  /** What one schedule runs, from fresh objects, to the end of all its threads. */
  interface Scenario {
    void run() throws Exception;
  }

  private static final int SECONDS = 120;
  private static final int ENDLESS = 200_000;
  private static final double SCALE =
      Double.parseDouble(System.getProperty("headgate.fray.scale", "1"));
  private static final int FIRST = Integer.getInteger("headgate.fray.first", 0);
  private static final int COUNT = Integer.getInteger("headgate.fray.count", 0);
  private static final Path REPORTS = Path.of(System.getProperty("fray.workDir", "target/fray"));

  /** Held, for the log manager holds its loggers weakly: unclean stops are what is tested here. */
  private static final Logger SILENT = Logger.getLogger("io.headgate");

  static {
    SILENT.setLevel(Level.OFF);
  }

  private Schedules() {}

  /**
   * Runs {@code scenario} under {@code schedules} schedules, or fails with the first that breaks.
   */
  static void explore(int schedules, Scenario scenario) {
    explore(schedules, false, scenario);
  }

  /** As {@link #explore}, where plain fields and arrays are points of the schedule too. */
  static void explorePlainFields(int schedules, Scenario scenario) {
    explore(schedules, true, scenario);
  }

  private static void explore(int schedules, boolean plainFields, Scenario scenario) {
    int count = COUNT > 0 ? COUNT : (int) Math.max(1, schedules * SCALE);
    AtomicInteger next = new AtomicInteger(FIRST);
    long began = System.nanoTime();
    for (int left = count; left > 0; left -= 100) {
      boolean byPartialOrder = next.get() / 100 % 2 == 0;
      run(scenario, plainFields, Math.min(100, left), next, byPartialOrder, began);
    }
    System.out.printf(
        "%s: %d schedules in %d ms%n", caller(), count, (System.nanoTime() - began) / 1_000_000);
  }

  private static void run(
      Scenario scenario,
      boolean plainFields,
      int count,
      AtomicInteger next,
      boolean byPartialOrder,
      long began) {
    AtomicInteger current = new AtomicInteger(-1);
    // One source of chance for each schedule, so that each can be run alone.
    Function<Integer, Randomness> chance =
        number -> new ControlledRandom(new ArrayList<>(), new ArrayList<>(), new Random(number));
    Randomness first = chance.apply(next.getAndIncrement());
    Scheduler scheduler = byPartialOrder ? new POSScheduler(first) : new RandomScheduler(first);
    Configuration configuration =
        new Configuration(
            new ExecutionInfo(
                new LambdaExecutor(
                    () -> {
                      current.incrementAndGet();
                      unchecked(scenario);
                      return Unit.INSTANCE;
                    }),
                false,
                plainFields,
                ENDLESS),
            REPORTS,
            count,
            SECONDS,
            scheduler,
            () -> chance.apply(next.getAndIncrement()),
            false,
            false,
            true,
            false,
            false,
            false,
            NetworkDelegateType.PROACTIVE,
            SystemTimeDelegateType.NONE,
            100_000,
            true,
            true,
            false,
            false,
            false,
            false,
            null);
    int from = next.get() - 1;
    Throwable broken = new TestRunner(configuration).run();
    if (broken != null) {
      int number = from + current.get();
      throw new AssertionError(
          "schedule %d (%s, after %d ms): -Dheadgate.fray.first=%d -Dheadgate.fray.count=1 runs it again: %s"
              .formatted(
                  number,
                  byPartialOrder ? "partial order" : "random",
                  (System.nanoTime() - began) / 1_000_000,
                  number,
                  broken),
          broken);
    }
    next.set(from + count);
  }

  private static void unchecked(Scenario scenario) {
    try {
      scenario.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !frame.getClassName().equals(Schedules.class.getName()))
                    .findFirst()
                    .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                    .orElse(""));
  }
}
