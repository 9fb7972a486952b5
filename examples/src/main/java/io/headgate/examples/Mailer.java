package io.headgate.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.lifecycle.Lifecycle;
import io.headgate.lifecycle.StopReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;

/** "Sends" a mail for each line of standard input, and drains when it is told to stop. */
public final class Mailer {

  /** How long a mail takes. {@code -Dpause=0} takes none. */
  private static final Duration PAUSE = Duration.ofMillis(Integer.getInteger("pause", 500));

  private Mailer() {}

  /** Runs until the end of input, or until a signal. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Lifecycle lifecycle =
        Lifecycle.builder()
            .grace(Duration.ofSeconds(25)) // for all workers together, from the first signal
            .exitWhenStopped(Duration.ofSeconds(1), Mailer::print)
            .install(); // before anything takes work in
    Worker<String> mailer =
        lifecycle.add(
            Worker.<String>builder("mailer")
                .concurrency(2)
                .capacity(8)
                .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(5)))
                .cleanup(Duration.ofSeconds(3))
                .start((job, context) -> send(job.payload())));
    lifecycle.started(); // readiness turns green
    readInto(mailer);
    lifecycle.stop(); // the input is over: drain, then exit
  }

  private static void readInto(Worker<String> mailer) throws IOException, InterruptedException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    long number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Admission answer = mailer.submit(Job.of("mail-" + ++number, line));
      if (answer instanceof Admission.Refused no) {
        System.err.println("not taken: " + line + ": " + no.reason());
        if (no.reason() == Reason.CLOSED) {
          return; // a signal came; no line will be taken any more
        }
      }
    }
  }

  private static void send(String address) throws InterruptedException {
    Thread.sleep(PAUSE);
    System.out.println("sent to " + address);
  }

  private static void print(StopReport report) {
    report.workers().forEach(System.err::println);
    report.workers().forEach(worker -> System.err.println("abandoned: " + worker.abandoned()));
  }
}
