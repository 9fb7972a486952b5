package io.headgate.benchmarks.memory;

import com.sun.management.ThreadMXBean;
import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.benchmarks.measure.LiveHeap;
import io.headgate.benchmarks.measure.ObjectGraph;
import io.headgate.benchmarks.measure.Trial;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;

/**
 * A thousand failing jobs through one worker and one producer that waits, in a JVM of its own. The
 * classes are loaded and the ways compiled by workers that are dropped before the baseline is
 * taken.
 */
public final class MemoryTrial {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Collecting within a job stops everything, so only some jobs are looked at. */
  private static final int PEAK_EVERY = 100;

  private static final int WARM_UPS = 2;

  private final Case wanted;
  private final MessageDigest digest = Message.digest();
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long baseline;
  private long peak;
  private int processed;

  private MemoryTrial(Case wanted) {
    this.wanted = wanted;
  }

  /**
   * Measures.
   *
   * @param arguments the width of the messages, the cap and the history, −1 for no limit
   */
  public static void main(String[] arguments) throws Exception {
    Case wanted =
        new Case(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]));
    for (int i = 0; i < WARM_UPS; i++) {
      new MemoryTrial(wanted).warmUp();
    }
    new MemoryTrial(wanted).measure();
  }

  private void warmUp() throws Exception {
    baseline = LiveHeap.settledBytes();
    Worker<Integer> dropped = worker();
    ObjectGraph.bytes(dropped, drive(dropped));
  }

  private Worker<Integer> worker() {
    Handler<Integer> handler = (job, context) -> fail(job.payload());
    return Worker.<Integer>builder("memory")
        .concurrency(1)
        .capacity(Case.CAPACITY)
        .whenFull(WhenFull.waitUpTo(PATIENCE))
        .history(wanted.history() == Case.ALL ? Worker.UNBOUNDED : wanted.history())
        .maxErrorMessageChars(wanted.cap() == Case.ALL ? Worker.UNBOUNDED : wanted.cap())
        .threads(Thread.ofPlatform().daemon().factory())
        .start(handler);
  }

  private void fail(int number) {
    String message = Message.of(number, wanted.width());
    byte[] encoded = message.getBytes(StandardCharsets.UTF_8);
    digest.update(encoded);
    processed++;
    IllegalStateException failure = new IllegalStateException(message);
    if (number % PEAK_EVERY == PEAK_EVERY - 1) {
      try {
        peak = Math.max(peak, LiveHeap.bytes() - baseline);
      } finally {
        // What a job holds at its widest is held until here.
        Reference.reachabilityFence(encoded);
      }
    }
    throw failure;
  }

  private Report drive(Worker<Integer> worker) throws InterruptedException {
    for (int i = 0; i < Case.JOBS; i++) {
      if (!worker.submit(Job.of("job-" + (1_000 + i), i)).isAccepted()) {
        throw new IllegalStateException("refused: " + worker.report());
      }
    }
    return worker.drain(PATIENCE);
  }

  private void measure() throws Exception {
    baseline = LiveHeap.settledBytes();
    long all = threads.getTotalThreadAllocatedBytes();
    long producer = threads.getCurrentThreadAllocatedBytes();
    Worker<Integer> worker = worker();
    try {
      Report report = drive(worker);
      producer = threads.getCurrentThreadAllocatedBytes() - producer;
      all = threads.getTotalThreadAllocatedBytes() - all;
      long live = LiveHeap.settledBytes() - baseline;
      Trial.answer("graph", ObjectGraph.bytes(worker, report));
      Trial.answer("live", live);
      Trial.answer("peak", Math.max(peak, live));
      Trial.answer("allocatedProducer", producer);
      Trial.answer("allocatedWorker", all - producer);
      tell(report);
    } finally {
      Reference.reachabilityFence(worker);
    }
  }

  private void tell(Report report) {
    long chars = 0;
    long truncated = 0;
    for (Outcome outcome : report.outcomes()) {
      if (outcome instanceof Outcome.Failed failed) {
        chars += failed.error().message().codePointCount(0, failed.error().message().length());
        truncated += failed.error().messageTruncated() ? 1 : 0;
      }
    }
    Trial.answer("checksum", Message.hex(digest));
    Trial.answer("processed", processed);
    Trial.answer("accepted", report.accepted());
    Trial.answer("failed", report.failed());
    Trial.answer("otherOutcomes", report.completed() + report.interrupted() + report.unstarted());
    Trial.answer("kept", report.outcomes().size());
    Trial.answer("omitted", report.omittedOutcomes());
    Trial.answer("keptChars", chars);
    Trial.answer("keptTruncated", truncated);
    Trial.answer("runtime", "Java " + Runtime.version());
  }
}
