package io.headgate.examples;

import io.headgate.Admission;
import io.headgate.Criticality;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The answers of admission, each with one running job and one that waits. */
public final class Answers {

  private Answers() {}

  /** Prints the answers. */
  public static void main(String[] args) throws InterruptedException {
    refusing().forEach(System.out::println);
    shedding().forEach(System.out::println);
  }

  /** A worker that refuses what it has no room for. */
  static List<String> refusing() throws InterruptedException {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("refusing").concurrency(1).capacity(1).start(gate.handler());
    List<String> told = new ArrayList<>();
    told.add("a: " + ask(worker, Job.of("a", "payload")));
    told.add("b: " + ask(worker, Job.of("b", "payload")));
    told.add("c: " + ask(worker, Job.of("c", "payload")));
    told.add("a: " + ask(worker, Job.of("a", "payload")));
    told.add("late: " + ask(worker, Job.of("late", "payload").timeToLive(Duration.ZERO)));
    told.add("patient: " + worker.offer(Job.of("d", "payload"), Duration.ofMillis(1)));
    worker.stopAdmission();
    told.add("e: " + ask(worker, Job.of("e", "payload")));
    gate.open();
    worker.close();
    return told;
  }

  private static String ask(Worker<String> worker, Job<String> job) throws InterruptedException {
    Admission answer = worker.submit(job);
    return switch (answer) {
      case Admission.Accepted ok -> "accepted";
      case Admission.Refused no when no.reason() == Reason.DUPLICATE -> "known already";
      case Admission.Refused no when no.reason().retryCanHelp() -> "later: " + no.reason();
      case Admission.Refused no -> "never here: " + no.reason();
    };
  }

  /** A worker that ends a waiting job to make room for one that matters more. */
  static List<String> shedding() throws InterruptedException {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("shedding")
            .concurrency(1)
            .capacity(1)
            .whenFull(WhenFull.shedLeastCritical())
            .start(gate.handler());
    worker.submit(Job.of("runs", "payload"));
    gate.awaitEntered(1, Duration.ofSeconds(30));
    worker.submit(Job.of("batch", "payload").criticality(Criticality.SHEDDABLE));
    List<String> told = new ArrayList<>();
    told.add("user: " + worker.submit(Job.of("user", "payload")));
    told.add("batch: " + worker.outcome("batch").orElseThrow());
    told.add("equal: " + worker.submit(Job.of("equal", "payload")));
    gate.open();
    worker.close();
    return told;
  }
}
