package io.headgate.benchmarks.guard;

import com.sun.management.ThreadMXBean;
import io.headgate.Job;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.benchmarks.measure.Trial;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The bytes that are allocated for each job at saturation with four producers on platform threads.
 * The jobs are made before, so nothing that is counted is the caller's.
 */
public final class GarbageTrial {

  private static final int PRODUCERS = 4;
  private static final int EACH = 1 << 18;
  private static final int ROUNDS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private GarbageTrial() {}

  /** Measures; the first rounds warm up. */
  public static void main(String[] arguments) throws Exception {
    List<Job<String>> jobs = new ArrayList<>(PRODUCERS * EACH);
    for (int i = 0; i < PRODUCERS * EACH; i++) {
      jobs.add(Job.of("job-" + i, ""));
    }
    Worker<String> worker =
        Worker.<String>builder("garbage")
            .concurrency(2)
            .capacity(1_024)
            .whenFull(WhenFull.waitUpTo(PATIENCE))
            .threads(Thread.ofPlatform().daemon().factory())
            .start((job, context) -> {});
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getTotalThreadAllocatedBytes();
      submitAll(worker, jobs);
      long bytes = threads.getTotalThreadAllocatedBytes() - before;
      least = Math.min(least, (double) bytes / jobs.size());
    }
    long completed = worker.drain(PATIENCE).completed();
    if (completed != (long) ROUNDS * jobs.size()) {
      throw new IllegalStateException(completed + " of " + ROUNDS * jobs.size() + " completed");
    }
    Trial.answer("bytes", least);
  }

  private static void submitAll(Worker<String> worker, List<Job<String>> jobs) throws Exception {
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<Future<?>> running = new ArrayList<>();
      for (int producer = 0; producer < PRODUCERS; producer++) {
        List<Job<String>> part = jobs.subList(producer * EACH, (producer + 1) * EACH);
        running.add(
            executor.submit(
                () -> {
                  for (Job<String> job : part) {
                    if (!worker.submit(job).isAccepted()) {
                      throw new IllegalStateException("refused: " + worker.report());
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }
}
