package io.headgate.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Jobs per second through admit, run and settle, in a closed loop: producers submit as fast as
 * there is room, so in the long run a submit takes as long as a job. Ids come from a pool of two
 * million, so that no false duplicate arises when a thread is descheduled.
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
    "headgate",
    "tpeSameWork",
    "tpeBare",
    "resilience4j",
    "disruptor",
    "headgateVirtual",
    "virtualSemaphore"
  })
  public String engine = "";

  private Engine running;
  private String[] ids;
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
    ids = new String[POOL];
    for (int i = 0; i < POOL; i++) {
      ids[i] = "job-" + i;
    }
    running = Engines.named(engine);
  }

  /** Stops the engine, which checks that no job is missing. */
  @TearDown(Level.Trial)
  public void stop() throws Exception {
    running.finish();
  }

  /** One producer. */
  @Benchmark
  @Threads(1)
  public void oneProducer(Producer producer) throws Exception {
    running.submit(ids[producer.nextIndex()]);
  }

  /** Four producers. */
  @Benchmark
  @Threads(4)
  public void fourProducers(Producer producer) throws Exception {
    running.submit(ids[producer.nextIndex()]);
  }
}
