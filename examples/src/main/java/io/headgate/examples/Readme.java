package io.headgate.examples;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Report;
import io.headgate.Worker;
import java.time.Duration;

/** The ten lines of the README. */
public final class Readme {

  private Readme() {}

  /** Runs them. */
  public static void main(String[] args) throws InterruptedException {
    Worker<String> mailer =
        Worker.<String>builder("mailer")
            .concurrency(8) // jobs that run at once
            .capacity(64) // jobs that may wait; the next is refused
            .start((job, context) -> send(job.payload()));

    Admission answer = mailer.submit(Job.of("mail-42", "ada@example.org"));
    if (answer instanceof Admission.Refused no) {
      System.out.println("not taken: " + no.reason()); // FULL, DUPLICATE, CLOSED, ...
    }
    Report report = mailer.drain(Duration.ofSeconds(25));
    System.out.println(report.isClean() + " " + report); // accepted = completed + failed + ...
  }

  private static void send(String address) {
    if (address.isEmpty()) {
      throw new IllegalArgumentException("there is no address");
    }
  }
}
