package io.headgate.benchmarks.core;

import com.google.errorprone.annotations.Immutable;

/** The engines under comparison, and how each is built. */
public enum EngineKind {
  /** The worker on platform threads. */
  HEADGATE(
      "Headgate, platform threads",
      "this tree",
      "duplicate window, history 100, counters and report",
      (shape, body) -> new HeadgateEngine(shape, body, true)),
  /** The executor doing what a worker does. */
  SAME_WORK(
      "executor, same work",
      "JDK",
      "ThreadPoolExecutor, ArrayBlockingQueue, blocking put; concurrent map of ids, ring of 100, counters",
      SameWorkEngine::new),
  /** The executor alone. */
  BARE(
      "executor, bare",
      "JDK",
      "ThreadPoolExecutor, ArrayBlockingQueue, blocking put; no accounting",
      ExecutorEngine::array),
  /** The executor with the other queue. */
  LINKED(
      "executor, linked queue",
      "JDK",
      "ThreadPoolExecutor, bounded LinkedBlockingQueue, blocking put; no accounting",
      ExecutorEngine::linked),
  /** A bulkhead behind a semaphore. */
  RESILIENCE4J(
      "Resilience4j ThreadPoolBulkhead",
      "2.4.0",
      "core = max threads; a semaphore of its room in front, because it cannot block",
      Resilience4jEngine::new),
  /** A ring with consumers that divide it. */
  DISRUPTOR(
      "Disruptor",
      "4.0.0",
      "BlockingWaitStrategy, multi-producer, one consumer a worker, each takes its share by sequence; no accounting",
      DisruptorEngine::new),
  /** A lock-free queue and threads that poll it. */
  JCTOOLS(
      "JCTools MpmcArrayQueue",
      "4.0.7",
      "the limit: threads that poll, then yield, then park 50 µs; nothing wakes or stops them; no accounting",
      JctoolsEngine::new),
  /** The worker on virtual threads. */
  HEADGATE_VIRTUAL(
      "Headgate, virtual threads",
      "this tree",
      "as above, the default threads",
      (shape, body) -> new HeadgateEngine(shape, body, false)),
  /** A thread for each job. */
  VIRTUAL_SEMAPHORE(
      "virtual thread per task, semaphore",
      "JDK",
      "newVirtualThreadPerTaskExecutor, a semaphore for the room and one for what runs; no accounting",
      VirtualEngine::new);

  /** Builds and starts one. */
  @Immutable
  @FunctionalInterface
  private interface Maker {
    Engine make(Engine.Shape shape, Engine.Body body);
  }

  private final String title;
  private final String version;
  private final String settings;
  private final Maker maker;

  EngineKind(String title, String version, String settings, Maker maker) {
    this.title = title;
    this.version = version;
    this.settings = settings;
    this.maker = maker;
  }

  /** As tables name it. */
  public String title() {
    return title;
  }

  /** Of the library it comes from. */
  public String version() {
    return version;
  }

  /** How it is built. */
  public String settings() {
    return settings;
  }

  /** The worker that it is held against. */
  public EngineKind beside() {
    return this == VIRTUAL_SEMAPHORE ? HEADGATE_VIRTUAL : HEADGATE;
  }

  /** Whether it is ours. */
  public boolean isOurs() {
    return this == HEADGATE || this == HEADGATE_VIRTUAL;
  }

  /**
   * Whether it can be built so. Each consumer of a Disruptor passes over every event, and version 4
   * has no pool of workers, so many of them are no use of it that its authors would recommend.
   */
  public boolean fits(Engine.Shape shape) {
    return this != DISRUPTOR || shape.workers() <= 2;
  }

  /** Builds and starts one. */
  public Engine start(Engine.Shape shape, Engine.Body body) {
    return maker.make(shape, body);
  }
}
