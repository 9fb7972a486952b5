package io.headgate.benchmarks.regimes;

import io.headgate.JobContext;
import io.headgate.downstream.Downstream;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** What handlers wait for. */
enum Regime {
  /** They compute: only as many run as there are CPUs. */
  CPU("computes", "about 200 µs of arithmetic") {
    @Override
    Step step(Computing computing) {
      return context -> computing.micros(200);
    }
  },
  /** They sleep: nothing is used while they do. */
  SLEEP("sleeps", "2 ms of sleep, as a call to something with room for all") {
    @Override
    Step step(Computing computing) {
      return context -> Thread.sleep(Duration.ofMillis(2));
    }
  },
  /** They share a lock: one at a time is in it. */
  LOCK("waits for a lock", "about 100 µs of arithmetic under one lock, 100 µs without") {
    @Override
    Step step(Computing computing) {
      ReentrantLock lock = new ReentrantLock();
      return context -> {
        computing.micros(100);
        lock.lock();
        try {
          computing.micros(100);
        } finally {
          lock.unlock();
        }
      };
    }
  },
  /** They call something that takes 8 at once. */
  DOWNSTREAM("waits for a downstream", "2 ms in a downstream that takes 8 calls at once") {
    @Override
    Step step(Computing computing) {
      Downstream downstream =
          Downstream.builder("eight").concurrency(8).maxWaiting(MOST_WORKERS).build();
      return context ->
          context.call(
              downstream,
              () -> {
                Thread.sleep(Duration.ofMillis(2));
                return "done";
              });
    }
  };

  static final int MOST_WORKERS = 256;

  private final String title;
  private final String settings;

  Regime(String title, String settings) {
    this.title = title;
    this.settings = settings;
  }

  String title() {
    return title;
  }

  String settings() {
    return settings;
  }

  /** What one job does, all jobs of a worker sharing what they wait for. */
  abstract Step step(Computing computing);

  /** One job. */
  @FunctionalInterface
  interface Step {
    void run(JobContext context) throws Exception;
  }
}
