package io.headgate.benchmarks.refusal;

import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a refusal costs on a full worker, alone and with others that are refused at the same time.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 5,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class RefusalBenchmark {

  private static final int WORKERS = 2;
  private static final int CAPACITY = 1_024;

  private final HandlerGate<String> gate = HandlerGate.closed();
  private final CountDownLatch bulkheadGate = new CountDownLatch(1);
  private Worker<String> worker;
  private ThreadPoolBulkhead bulkhead;
  private Job<String> newcomer;
  private Job<String> duplicate;

  /** Fills both to the brim. */
  @Setup(Level.Trial)
  public void fill() throws InterruptedException {
    worker =
        Worker.<String>builder("full")
            .concurrency(WORKERS)
            .capacity(CAPACITY)
            .threads(Thread.ofPlatform().daemon().factory())
            .start(gate.handler());
    for (int i = 0; i < WORKERS + CAPACITY; i++) {
      if (!worker.offer(Job.of("job-" + i, "")).isAccepted()) {
        throw new IllegalStateException("refused too early: " + worker.report());
      }
    }
    newcomer = Job.of("newcomer", "");
    duplicate = Job.of("job-500", "");
    bulkhead =
        ThreadPoolBulkhead.of(
            "full",
            ThreadPoolBulkheadConfig.custom()
                .coreThreadPoolSize(WORKERS)
                .maxThreadPoolSize(WORKERS)
                .queueCapacity(CAPACITY)
                .writableStackTraceEnabled(false)
                .build());
    for (int i = 0; i < WORKERS + CAPACITY; i++) {
      bulkhead.executeRunnable(this::hold);
    }
  }

  private void hold() {
    try {
      bulkheadGate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets all go. */
  @TearDown(Level.Trial)
  public void empty() throws Exception {
    gate.open();
    bulkheadGate.countDown();
    worker.drain(Duration.ofSeconds(30));
    bulkhead.close();
  }

  /** FULL, one thread. */
  @Benchmark
  @Threads(1)
  public Admission headgateFull1() {
    return worker.offer(newcomer);
  }

  /** FULL, two threads. */
  @Benchmark
  @Threads(2)
  public Admission headgateFull2() {
    return worker.offer(newcomer);
  }

  /** FULL, four threads. */
  @Benchmark
  @Threads(4)
  public Admission headgateFull4() {
    return worker.offer(newcomer);
  }

  /** DUPLICATE on a full worker, one thread. */
  @Benchmark
  @Threads(1)
  public Admission headgateDuplicate1() {
    return worker.offer(duplicate);
  }

  /** Resilience4j's refusal, an exception, at its cheapest documented setting. */
  @Benchmark
  @Threads(1)
  public Object resilience4jFull1() {
    try {
      return bulkhead.executeRunnable(() -> {});
    } catch (BulkheadFullException e) {
      return e;
    }
  }
}
