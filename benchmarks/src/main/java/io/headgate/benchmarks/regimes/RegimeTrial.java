package io.headgate.benchmarks.regimes;

import io.headgate.Job;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.benchmarks.measure.Trial;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One regime on one kind of threads, for several numbers of workers: jobs per second with a backlog
 * that is never empty, and then how long jobs take when they come at 0.7 of that rate whether or
 * not the worker keeps up.
 */
public final class RegimeTrial {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final double LOAD = 0.7;
  private static final int CAPACITY = 64;
  private static final long SEED = 11;
  private static final int MOST_JOBS = 1 << 20;

  private final Regime.Step step;
  private final boolean virtual;
  private final long millis;

  private RegimeTrial(Regime.Step step, boolean virtual, long millis) {
    this.step = step;
    this.virtual = virtual;
    this.millis = millis;
  }

  /**
   * Measures.
   *
   * @param arguments the regime, {@code virtual} or {@code platform}, milliseconds for each of the
   *     two, then numbers of workers; one that comes again is told apart by its place
   */
  public static void main(String[] arguments) throws InterruptedException {
    Regime.Step step = Regime.valueOf(arguments[0]).step(Computing.calibrated());
    RegimeTrial trial =
        new RegimeTrial(step, arguments[1].equals("virtual"), Long.parseLong(arguments[2]));
    trial.saturated(2);
    for (int i = 3; i < arguments.length; i++) {
      int workers = Integer.parseInt(arguments[i]);
      Seen full = trial.saturated(workers);
      Seen open = trial.open(workers, full.perSecond * LOAD);
      String name = "." + (i - 3);
      Trial.answer("rate" + name, full.perSecond);
      Trial.answer("inside" + name, full.percentile(50, full.inside));
      Trial.answer("p99" + name, open.percentile(99, open.total));
    }
  }

  /** What a phase saw, in nanoseconds, by job: in the handler, and since it was due. */
  private static final class Seen {
    private final long[] inside = new long[MOST_JOBS];
    private final long[] total = new long[MOST_JOBS];
    private final AtomicInteger ended = new AtomicInteger();
    private double perSecond;

    private void add(long insideNanos, long totalNanos) {
      int at = ended.getAndIncrement();
      if (at < MOST_JOBS) {
        inside[at] = insideNanos;
        total[at] = totalNanos;
      }
    }

    private long percentile(double percentile, long[] times) {
      long[] sorted = Arrays.copyOf(times, Math.min(MOST_JOBS, ended.get()));
      Arrays.sort(sorted);
      return sorted[Math.max(0, (int) Math.ceil(percentile / 100 * sorted.length) - 1)];
    }
  }

  private Worker<Long> worker(int workers, Seen seen) {
    WorkerBuilder<Long> builder =
        Worker.<Long>builder("regime")
            .concurrency(workers)
            .capacity(Math.max(CAPACITY, workers))
            .whenFull(WhenFull.waitUpTo(PATIENCE));
    if (!virtual) {
      builder.threads(Thread.ofPlatform().daemon().factory());
    }
    return builder.start(
        (job, context) -> {
          long start = System.nanoTime();
          step.run(context);
          long end = System.nanoTime();
          seen.add(end - start, end - job.payload());
        });
  }

  private Seen saturated(int workers) throws InterruptedException {
    Seen seen = new Seen();
    Worker<Long> worker = worker(workers, seen);
    long start = System.nanoTime();
    long warm = start + Duration.ofMillis(millis / 4).toNanos();
    long end = start + Duration.ofMillis(millis).toNanos();
    int before = 0;
    long submitted = 0;
    for (long now = start; now - end < 0; now = System.nanoTime()) {
      if (before == 0 && now - warm >= 0) {
        before = Math.max(1, seen.ended.get());
        warm = now;
      }
      submit(worker, submitted++, now);
    }
    seen.perSecond = (seen.ended.get() - before) * 1e9 / (System.nanoTime() - warm);
    finish(worker, submitted);
    return seen;
  }

  private Seen open(int workers, double perSecond) throws InterruptedException {
    Seen seen = new Seen();
    Worker<Long> worker = worker(workers, seen);
    SplittableRandom random = new SplittableRandom(SEED);
    double due = System.nanoTime();
    double end = due + Duration.ofMillis(millis).toNanos();
    long submitted = 0;
    while (due < end) {
      due -= 1e9 / perSecond * Math.log(1 - random.nextDouble());
      for (long left; (left = (long) due - System.nanoTime()) > 0; ) {
        LockSupport.parkNanos(left);
      }
      submit(worker, submitted++, (long) due);
    }
    finish(worker, submitted);
    return seen;
  }

  private static void submit(Worker<Long> worker, long number, long due)
      throws InterruptedException {
    if (!worker.submit(Job.of("job-" + number, due)).isAccepted()) {
      throw new IllegalStateException("refused: " + worker.report());
    }
  }

  private static void finish(Worker<Long> worker, long submitted) throws InterruptedException {
    Report report = worker.drain(PATIENCE);
    if (!report.isClean() || report.completed() != submitted) {
      throw new IllegalStateException(submitted + " submitted, but " + report);
    }
  }
}
