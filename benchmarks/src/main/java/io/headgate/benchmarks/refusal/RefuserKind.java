package io.headgate.benchmarks.refusal;

/** Who is asked, and how it is built. All but the last two hold two running jobs. */
enum RefuserKind {
  HEADGATE_FULL(
      "Headgate, FULL", "this tree", "offer on a full worker, W = 2, Q = 1,024: a value") {
    @Override
    Refuser fill() throws InterruptedException {
      return new FullWorker("newcomer");
    }
  },
  HEADGATE_DUPLICATE("Headgate, DUPLICATE", "this tree", "the same, with an id that waits") {
    @Override
    Refuser fill() throws InterruptedException {
      return new FullWorker("job-500");
    }
  },
  RESILIENCE4J_POOL(
      "Resilience4j ThreadPoolBulkhead",
      "2.4.0",
      "2 threads, queue 1,024, writableStackTraceEnabled(false): an exception") {
    @Override
    Refuser fill() {
      return Peers.resilience4jPool();
    }
  },
  RESILIENCE4J_SEMAPHORE(
      "Resilience4j SemaphoreBulkhead",
      "2.4.0",
      "tryAcquirePermission, no wait: a boolean; has no queue") {
    @Override
    Refuser fill() {
      return Peers.resilience4jSemaphore();
    }
  },
  NETFLIX(
      "Netflix concurrency-limits SimpleLimiter",
      "0.5.4",
      "FixedLimit 2: an Optional; has no queue") {
    @Override
    Refuser fill() {
      return Peers.netflix();
    }
  },
  FAILSAFE("Failsafe Bulkhead", "3.3.2", "tryAcquirePermit: a boolean; has no queue") {
    @Override
    Refuser fill() {
      return Peers.failsafe();
    }
  },
  SENTINEL(
      "Sentinel SphO",
      "1.8.8",
      "one flow rule, thread grade 2: a boolean; counts per second; has no queue") {
    @Override
    Refuser fill() {
      return Peers.sentinel();
    }
  },
  QUEUE("ArrayBlockingQueue.offer", "JDK", "full, 1,024: a boolean; knows no ids, counts nothing") {
    @Override
    Refuser fill() {
      return Peers.queue();
    }
  };

  private final String title;
  private final String version;
  private final String settings;

  RefuserKind(String title, String version, String settings) {
    this.title = title;
    this.version = version;
    this.settings = settings;
  }

  /** Builds one and fills it to the brim. */
  abstract Refuser fill() throws Exception;

  String title() {
    return title;
  }

  String version() {
    return version;
  }

  String settings() {
    return settings;
  }

  boolean isOurs() {
    return this == HEADGATE_FULL || this == HEADGATE_DUPLICATE;
  }
}
