package io.headgate.benchmarks.core;

import com.sun.management.ThreadMXBean;
import io.headgate.benchmarks.measure.Interference;
import io.headgate.benchmarks.measure.Trial;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Jobs per second through admit, run and settle, in a closed loop: producers submit as fast as
 * there is room, so in the long run a submit takes as long as a job. Runs in a JVM of its own; one
 * engine, several shapes one after the other. Ids come from a pool of two million, so that no false
 * duplicate arises when a thread is descheduled.
 */
public final class ThroughputTrial {

  private static final int POOL = 1 << 21;
  private static final int CAPACITY = 1_024;
  private static final long LONG_WARM_UP = 1_000;
  private static final long MOST_WARM_UPS = 3;
  private static final long WARM_UP_JOBS = 8_000_000;
  private static final long STEP = 20;
  private static final Engine.Body NOTHING = work -> {};

  private final Work[] pool = Work.pool(POOL);
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private volatile boolean stopped;

  private ThroughputTrial() {}

  /**
   * Measures.
   *
   * @param arguments the engine, the least milliseconds to warm up before the first shape, those
   *     before each other one, the milliseconds that are measured, then shapes as {@code 4x2}:
   *     producers, workers
   */
  public static void main(String[] arguments) throws Exception {
    EngineKind kind = EngineKind.valueOf(arguments[0]);
    long warmUp = Long.parseLong(arguments[1]);
    ThroughputTrial trial = new ThroughputTrial();
    Trial.answer("job", trial.bytesOfJob());
    for (int i = 4; i < arguments.length; i++) {
      String[] numbers = arguments[i].split("x", -1);
      int producers = Integer.parseInt(numbers[0]);
      Engine.Shape shape = new Engine.Shape(Integer.parseInt(numbers[1]), CAPACITY);
      if (kind.fits(shape)) {
        trial.measure(
            arguments[i],
            kind.start(shape, NOTHING),
            producers,
            warmUp,
            Long.parseLong(arguments[3]));
        warmUp = Long.parseLong(arguments[2]);
      }
    }
  }

  private void measure(String name, Engine engine, int count, long warmUp, long millis)
      throws Exception {
    stopped = false;
    List<Producer> producers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      producers.add(new Producer(engine, i * (POOL / count), POOL / count - 1));
    }
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<Future<Void>> running = new ArrayList<>();
      producers.forEach(producer -> running.add(executor.submit(producer)));
      warmUp(producers, warmUp);
      long bytes = threads.getTotalThreadAllocatedBytes();
      Interference interference = new Interference();
      long jobs = sum(producers);
      long start = System.nanoTime();
      Thread.sleep(millis);
      long took = System.nanoTime() - start;
      jobs = sum(producers) - jobs;
      bytes = threads.getTotalThreadAllocatedBytes() - bytes;
      double others = interference.share();
      stopped = true;
      for (Future<Void> one : running) {
        one.get();
      }
      engine.finish(sum(producers));
      Trial.answer("rate." + name, jobs * 1e9 / took);
      Trial.answer("others." + name, others);
      Trial.answer("bytes." + name, (double) bytes / jobs);
    }
  }

  /** Until it has been long enough and the first shape has been busy enough to be compiled. */
  private static void warmUp(List<Producer> producers, long millis) throws InterruptedException {
    Thread.sleep(millis);
    if (millis >= LONG_WARM_UP) {
      long last = System.nanoTime() + Duration.ofMillis(MOST_WARM_UPS * millis).toNanos();
      while (sum(producers) < WARM_UP_JOBS && System.nanoTime() - last < 0) {
        Thread.sleep(STEP);
      }
    }
  }

  private static long sum(List<Producer> producers) {
    return producers.stream().mapToLong(Producer::submitted).sum();
  }

  /** What the caller's own job takes, so that the rest can be told apart. */
  private long bytesOfJob() {
    int jobs = 200_000;
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < jobs; i++) {
      kept = io.headgate.Job.of(pool[i].id(), pool[i]);
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / jobs;
  }

  // A field, so that no compiler finds out that the jobs are not needed.
  @SuppressWarnings("unused")
  private static volatile Object kept = "";

  /** Walks its own part of the pool, whose size is a power of two. */
  private final class Producer implements Callable<Void> {
    private static final VarHandle SUBMITTED;

    static {
      try {
        SUBMITTED = MethodHandles.lookup().findVarHandle(Producer.class, "submitted", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final Engine engine;
    private final int from;
    private final int mask;
    private long submitted;

    private Producer(Engine engine, int from, int mask) {
      this.engine = engine;
      this.from = from;
      this.mask = mask;
    }

    @Override
    public Void call() throws Exception {
      long done = 0;
      while (!stopped) {
        engine.submit(pool[from + (int) (done & mask)]);
        SUBMITTED.setOpaque(this, ++done);
      }
      return null;
    }

    private long submitted() {
      return (long) SUBMITTED.getOpaque(this);
    }
  }
}
