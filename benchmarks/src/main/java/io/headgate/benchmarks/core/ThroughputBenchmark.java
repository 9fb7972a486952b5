package io.headgate.benchmarks.core;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The same engines under JMH, at two workers: a second opinion on {@link ThroughputTrial}, whose
 * rounds can be paired. Closed loop; ids come from a pool of two million.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 5,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseParallelGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class ThroughputBenchmark {

  private static final int POOL = 1 << 21;

  /** Which engine runs the jobs. */
  @Param({
    "HEADGATE",
    "SAME_WORK",
    "BARE",
    "LINKED",
    "RESILIENCE4J",
    "DISRUPTOR",
    "JCTOOLS",
    "HEADGATE_VIRTUAL",
    "VIRTUAL_SEMAPHORE"
  })
  public EngineKind engine = EngineKind.HEADGATE;

  private Engine running;
  private Work[] pool;
  private final LongAdder submitted = new LongAdder();
  private final AtomicInteger producers = new AtomicInteger();

  /** Each producer walks its own quarter of the pool. */
  @State(Scope.Thread)
  public static class Producer {
    private int next;
    private int from;

    /** Takes the next free quarter. */
    @Setup
    public void takePart(ThroughputBenchmark benchmark) {
      from = (benchmark.producers.getAndIncrement() & 3) * (POOL / 4);
    }

    int nextIndex() {
      next = (next + 1) & (POOL / 4 - 1);
      return from + next;
    }
  }

  /** Makes the ids and starts the engine. */
  @Setup(Level.Trial)
  public void start() {
    pool = Work.pool(POOL);
    running = engine.start(new Engine.Shape(2, 1_024), work -> {});
  }

  /** Stops the engine, which checks that no job is missing. */
  @TearDown(Level.Trial)
  public void stop() throws Exception {
    running.finish(submitted.sum());
  }

  /** One producer. */
  @Benchmark
  @Threads(1)
  public void oneProducer(Producer producer) throws Exception {
    running.submit(pool[producer.nextIndex()]);
    submitted.increment();
  }

  /** Four producers. */
  @Benchmark
  @Threads(4)
  public void fourProducers(Producer producer) throws Exception {
    running.submit(pool[producer.nextIndex()]);
    submitted.increment();
  }
}
