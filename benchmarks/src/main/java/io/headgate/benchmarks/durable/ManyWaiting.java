package io.headgate.benchmarks.durable;

import io.headgate.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A store in which very many jobs wait, beside an empty one. */
final class ManyWaiting {

  private static final int CONCURRENCY = 64;
  private static final int SPARE = 1_024;
  private static final int ROUNDS = 3;
  private static final Duration LENGTH = Duration.ofSeconds(3);
  private static final double MIB = 1 << 20;

  private final Path folder;
  private final int waiting;

  ManyWaiting(Path folder, int waiting) {
    this.folder = folder;
    this.waiting = waiting;
  }

  List<Result> run() throws Exception {
    List<Result> results = new ArrayList<>();
    Path full = folder.resolve("many.db");
    Path empty = folder.resolve("empty.db");
    ClosedLoop ofFull = new ClosedLoop();
    ClosedLoop ofEmpty = new ClosedLoop();
    Worker<byte[]> filling = Store.open(full, 1, Integer.MAX_VALUE - 1, (job, context) -> {});
    filling.pause();
    ofFull.submit(filling, waiting);
    filling.drain(Duration.ofSeconds(1));

    Worker<byte[]> none = Store.open(empty, CONCURRENCY, SPARE, (job, context) -> {});
    double heapOfEmpty = heap();
    ofEmpty.completedPerSecond(none, LENGTH); // warms the code of both

    AtomicLong firstStart = new AtomicLong();
    long began = System.nanoTime();
    Worker<byte[]> many =
        Store.open(
            full,
            CONCURRENCY,
            waiting + SPARE,
            (job, context) -> firstStart.compareAndSet(0, System.nanoTime()));
    long opened = System.nanoTime();
    while (firstStart.get() == 0) {
      Thread.onSpinWait();
    }
    results.add(Result.atMost(waiting + " waiting: open", (opened - began) / 1e6, "ms", 2_000));
    results.add(
        Result.atMost(
            waiting + " waiting: first claim after the open",
            Math.max(0, firstStart.get() - opened) / 1e6,
            "ms",
            50));
    many.pause();
    double heapOfMany = heap();
    results.add(Result.plain("heap with an empty store open", heapOfEmpty, "MiB"));
    results.add(
        Result.atMost("heap that " + waiting + " waiting add", heapOfMany - heapOfEmpty, "MiB", 8));
    throughput(results, ofFull, many, ofEmpty, none);
    many.abort();
    none.abort();
    return results;
  }

  private static void throughput(
      List<Result> results,
      ClosedLoop ofFull,
      Worker<byte[]> many,
      ClosedLoop ofEmpty,
      Worker<byte[]> none)
      throws InterruptedException {
    double[] ratios = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      double fewPerSecond = ofEmpty.completedPerSecond(none, LENGTH);
      many.resume();
      double manyPerSecond = ofFull.completedPerSecond(many, LENGTH);
      many.pause();
      ratios[round] = manyPerSecond / fewPerSecond;
      results.add(Result.plain("round " + (round + 1) + ": empty store", fewPerSecond, "jobs/s"));
      results.add(Result.plain("round " + (round + 1) + ": full store", manyPerSecond, "jobs/s"));
    }
    Arrays.sort(ratios);
    results.add(
        Result.atLeast("full beside empty, median of the rounds", ratios[ROUNDS / 2], "x", 0.7));
  }

  private static double heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
  }
}
