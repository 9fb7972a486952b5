package io.headgate.examples;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Producers that wait for room: one loop, and the trap of one thread for each arrival. */
public final class Producers {

  private Producers() {}

  /** Prints what both came to. */
  public static void main(String[] args) throws InterruptedException {
    System.out.println(oneLoop(10) + " accepted by one loop");
    System.out.println(threadForEach(10));
  }

  /** The loop waits, so it reads no further than there is room. */
  static long oneLoop(int arrivals) throws InterruptedException {
    try (Worker<String> worker =
        Worker.<String>builder("loop")
            .concurrency(1)
            .capacity(1)
            .whenFull(WhenFull.waitUpTo(Duration.ofMinutes(1)))
            .start((job, context) -> {})) {
      for (int i = 0; i < arrivals; i++) {
        worker.submit(Job.of("job-" + i, "payload"));
      }
      return worker.report().accepted();
    }
  }

  /** The trap: whoever waits is a thread with a payload, and only the worker bounds how many. */
  static Map<String, Integer> threadForEach(int arrivals) throws InterruptedException {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("threads")
            .concurrency(1)
            .capacity(0)
            .whenFull(WhenFull.waitUpTo(Duration.ofHours(1)))
            .maxWaitingProducers(2)
            .start(gate.handler());
    BlockingQueue<Admission> answers = new LinkedBlockingQueue<>();
    for (int i = 0; i < arrivals; i++) {
      Job<String> job = Job.of("job-" + i, "payload");
      Thread.startVirtualThread(() -> submit(worker, job, answers));
    }
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < arrivals; i++) {
      if (i == arrivals - 2) {
        worker.stopAdmission(); // all but the two that wait have their answer
      }
      counts.merge(answers.take().toString(), 1, Integer::sum);
    }
    gate.open();
    worker.close();
    return counts;
  }

  private static void submit(
      Worker<String> worker, Job<String> job, BlockingQueue<Admission> answers) {
    try {
      answers.add(worker.submit(job));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
