package io.headgate.benchmarks.soak;

import io.headgate.Job;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.benchmarks.measure.LiveHeap;
import io.headgate.benchmarks.measure.Trial;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * One worker for a long time under twice the work that it can do. Some jobs fail with long
 * messages, some are cancelled while they wait or run, and the rest gives way to newcomers.
 */
public final class SoakTrial {

  private static final int WORKERS = 4;
  private static final int CAPACITY = 64;
  private static final long SERVICE_NANOS = 2_000_000;
  private static final double OVERLOAD = 2;
  private static final int FAIL_EVERY = 10;
  private static final int CANCEL_EVERY = 50;
  private static final long SEED = 7;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String LONG_MESSAGE = "the work could not be done ".repeat(150);

  private final LongAdder entered = new LongAdder();
  private final Worker<Long> worker =
      Worker.<Long>builder("soak")
          .concurrency(WORKERS)
          .capacity(CAPACITY)
          .whenFull(WhenFull.shedOldest())
          .history(100)
          .start((job, context) -> serve(job));

  private SoakTrial() {}

  /**
   * Measures.
   *
   * @param arguments seconds in all, seconds between samples
   */
  public static void main(String[] arguments) throws InterruptedException {
    new SoakTrial().soak(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
  }

  private void serve(Job<Long> job) throws InterruptedException {
    entered.increment();
    Thread.sleep(Duration.ofNanos(SERVICE_NANOS));
    if (job.payload() % FAIL_EVERY == 0) {
      throw new IllegalStateException(job.id() + " " + LONG_MESSAGE);
    }
  }

  private void soak(int seconds, int every) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    double gap = SERVICE_NANOS / OVERLOAD / WORKERS;
    long start = System.nanoTime();
    long nextSample = start + Duration.ofSeconds(every).toNanos();
    long end = start + Duration.ofSeconds(seconds).toNanos();
    double due = start;
    long accepted = 0;
    long number = 0;
    int sample = 0;
    while (due < end) {
      due -= gap * Math.log(1 - random.nextDouble());
      for (long left; (left = (long) due - System.nanoTime()) > 0; ) {
        LockSupport.parkNanos(left);
      }
      if (worker.submit(Job.of("job-" + number, number)).isAccepted()) {
        accepted++;
      }
      if (number % CANCEL_EVERY == 0) {
        worker.cancel("job-" + (number - random.nextInt(CAPACITY)));
      }
      number++;
      if (System.nanoTime() - nextSample > 0) {
        tell(sample++, accepted);
        nextSample += Duration.ofSeconds(every).toNanos();
      }
    }
    Report last = worker.drain(PATIENCE);
    Trial.answer("samples", sample);
    Trial.answer("offered", number);
    Trial.answer("entered", entered.sum());
    Trial.answer("clean", last.isClean());
    say("final", last, accepted);
  }

  private void tell(int sample, long accepted) {
    say("sample." + sample, worker.report(), accepted);
    Trial.answer("sample." + sample + ".live", LiveHeap.bytes());
  }

  private static void say(String name, Report report, long accepted) {
    Trial.answer(name + ".callers", accepted);
    Trial.answer(name + ".accepted", report.accepted());
    Trial.answer(name + ".completed", report.completed());
    Trial.answer(name + ".failed", report.failed());
    Trial.answer(name + ".interrupted", report.interrupted());
    Trial.answer(name + ".unstarted", report.unstarted());
    Trial.answer(name + ".unfinished", report.unfinished());
    Trial.answer(
        name + ".refused", report.refused().values().stream().mapToLong(Long::longValue).sum());
  }
}
