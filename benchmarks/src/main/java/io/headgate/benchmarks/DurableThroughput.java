package io.headgate.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.jdbc.Codec;
import io.headgate.jdbc.JdbcBacklog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Durable acceptance and durable end to end on SQLite, side by side with the bare group commit, in
 * alternating rounds of one process: {@code DurableThroughput FOLDER [SECONDS [ROUNDS]]}. With
 * {@code -Drandom.ids=true} the ids are not in order.
 */
public final class DurableThroughput {

  private static final int PRODUCERS = 64;
  private static final boolean RANDOM_IDS = Boolean.getBoolean("random.ids");
  private static final byte[] PAYLOAD = new byte[100];

  private static final OperatingSystemMXBean CPU =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Path folder;
  private final Duration length;
  private final AtomicLong ids = new AtomicLong();
  private int files;

  /** Processor time of one submission in the last measurement. */
  private double cpuMicros;

  private DurableThroughput(Path folder, Duration length) {
    this.folder = folder;
    this.length = length;
  }

  /** One submission; false if it was refused. */
  private interface Submission {
    boolean submit(String id) throws Exception;
  }

  /** Runs the rounds and prints a table. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(arguments[0]), "durable");
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4;
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
    DurableThroughput run = new DurableThroughput(folder, Duration.ofSeconds(seconds));
    run.bare();
    run.accept();
    System.out.printf(
        "%-8s %10s %10s %7s %10s %10s%n",
        "round", "bare/s", "accept/s", "ratio", "W=64/s", "W=4/s");
    for (int round = 1; round <= rounds; round++) {
      double bare = run.bare();
      double bareCpu = run.cpuMicros;
      double accept = run.accept();
      double acceptCpu = run.cpuMicros;
      double wide = run.endToEnd(64);
      double narrow = run.endToEnd(4);
      System.out.printf(
          Locale.ROOT,
          "%-8d %10.0f %10.0f %7.2f %10.0f %10.0f   cpu us/job: bare %.1f, accept %.1f%n",
          round,
          bare,
          accept,
          accept / bare,
          wide,
          narrow,
          bareCpu,
          acceptCpu);
    }
  }

  /**
   * Random ids dirty a page of the window each, once there are many of them; counted ones do not.
   */
  private String id() {
    long number = ids.incrementAndGet();
    return RANDOM_IDS
        ? Long.toHexString(ThreadLocalRandom.current().nextLong()) + number
        : "job-" + (1_000_000_000 + number);
  }

  private Path file() {
    return folder.resolve("store-" + files++ + ".db");
  }

  private void delete() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.toList()) {
        Files.delete(each);
      }
    }
  }

  private double bare() throws Exception {
    try (BareGroupCommit bare = new BareGroupCommit(file())) {
      return rate(
          id -> {
            bare.insert(id, PAYLOAD);
            return true;
          });
    } finally {
      delete();
    }
  }

  private double accept() throws Exception {
    Worker<byte[]> worker =
        Worker.<byte[]>builder("accept")
            .concurrency(1)
            .capacity(100_000_000)
            .backlog(JdbcBacklog.sqlite(file(), Codec.bytes()))
            .start((job, context) -> {});
    worker.pause();
    double rate = rate(id -> worker.offer(Job.of(id, PAYLOAD)).isAccepted());
    worker.drain(Duration.ofSeconds(1));
    delete();
    return rate;
  }

  private double endToEnd(int concurrency) throws Exception {
    Worker<byte[]> worker =
        Worker.<byte[]>builder("end to end")
            .concurrency(concurrency)
            .capacity(1_024)
            .maxWaitingProducers(PRODUCERS)
            .backlog(JdbcBacklog.sqlite(file(), Codec.bytes()))
            .start((job, context) -> {});
    Duration patience = Duration.ofSeconds(10);
    long began = System.nanoTime();
    rate(id -> worker.offer(Job.of(id, PAYLOAD), patience).isAccepted());
    double seconds = (System.nanoTime() - began) / 1e9;
    double rate = worker.report().completed() / seconds;
    worker.drain(Duration.ofSeconds(1));
    delete();
    return rate;
  }

  /** Accepted submissions a second, of all producers together. */
  private double rate(Submission submission) throws Exception {
    long cpuBefore = CPU.getProcessCpuTime();
    long end = System.nanoTime() + length.toNanos();
    long[] accepted = new long[PRODUCERS];
    long[] slowest = new long[PRODUCERS];
    List<Thread> producers = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; i < PRODUCERS; i++) {
      int self = i;
      producers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (System.nanoTime() - end < 0) {
                        String id = id();
                        long before = System.nanoTime();
                        accepted[self] += submission.submit(id) ? 1 : 0;
                        slowest[self] = Math.max(slowest[self], System.nanoTime() - before);
                      }
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    for (Thread producer : producers) {
      producer.join();
    }
    long sum = Arrays.stream(accepted).sum();
    cpuMicros = (CPU.getProcessCpuTime() - cpuBefore) / 1e3 / Math.max(1, sum);
    return sum / ((System.nanoTime() - began) / 1e9);
  }
}
