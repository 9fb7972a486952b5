package io.headgate.benchmarks.core;

import io.headgate.benchmarks.measure.Trial;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How long an admission and a hand-off take under an open loop: jobs come at times that were drawn
 * before, whether or not the engine keeps up, and are timed from when they were due. So a stall
 * shows in every job that it delayed.
 *
 * <p>One worker whose jobs compute for 20 µs, and one producer that spins until the next job is
 * due: two busy threads, as many as there are CPUs.
 */
public final class LatencyTrial {

  private static final long SERVICE_NANOS = 20_000;
  private static final double LOAD = 0.5;
  private static final int CAPACITY = 1_024;
  private static final long SEED = 42;
  private static final double[] PERCENTILES = {50, 99, 99.9};

  private final long[] due;
  private final long[] admitted;
  private final long[] started;
  private final Work[] pool;

  LatencyTrial(int jobs) {
    due = new long[jobs];
    admitted = new long[jobs];
    started = new long[jobs];
    pool = Work.pool(jobs);
  }

  /**
   * Measures.
   *
   * @param arguments the engine, the milliseconds to warm up, the milliseconds that are measured
   */
  public static void main(String[] arguments) throws Exception {
    EngineKind kind = EngineKind.valueOf(arguments[0]);
    double perMilli = LOAD * 1e6 / SERVICE_NANOS;
    // What is compiled during the first pass would hold up hundreds of the jobs behind it.
    LatencyTrial warmUp = new LatencyTrial((int) (Long.parseLong(arguments[1]) * perMilli));
    warmUp.measure(kind.start(new Engine.Shape(1, CAPACITY), warmUp::serve));
    LatencyTrial trial = new LatencyTrial((int) (Long.parseLong(arguments[2]) * perMilli));
    trial.measure(kind.start(new Engine.Shape(1, CAPACITY), trial::serve));
    trial.report("admission", trial.admitted);
    trial.report("handOff", trial.started);
  }

  private void serve(Work work) {
    long start = System.nanoTime();
    started[work.index()] = start;
    while (System.nanoTime() - start < SERVICE_NANOS) {
      Thread.onSpinWait();
    }
  }

  void measure(Engine engine) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    double mean = SERVICE_NANOS / LOAD;
    double at = System.nanoTime() + 1e6;
    for (int i = 0; i < due.length; i++) {
      // Exponential gaps: arrivals that know nothing of each other.
      at -= mean * Math.log(1 - random.nextDouble());
      due[i] = (long) at;
    }
    for (int i = 0; i < due.length; i++) {
      while (System.nanoTime() - due[i] < 0) {
        Thread.onSpinWait();
      }
      engine.submit(pool[i]);
      admitted[i] = System.nanoTime();
    }
    engine.finish(due.length);
  }

  /** When a job was to be submitted, by the clock of {@code nanoTime}. */
  long due(int job) {
    return due[job];
  }

  /** From then until its submit returned. */
  long admissionNanos(int job) {
    return admitted[job] - due[job];
  }

  private void report(String name, long[] times) {
    long[] waits = new long[times.length];
    Arrays.setAll(waits, i -> times[i] - due[i]);
    Arrays.sort(waits);
    for (double percentile : PERCENTILES) {
      int rank = (int) Math.ceil(percentile / 100 * waits.length) - 1;
      Trial.answer(name + "." + percentile, waits[Math.max(0, rank)]);
    }
    Trial.answer(name + ".jobs", waits.length);
  }
}
