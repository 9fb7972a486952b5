package io.headgate.lifecycle;

import io.headgate.Job;
import io.headgate.JobContext;
import io.headgate.Report;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.WorkerEvent;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A process with two workers whose jobs wait for a line on standard input. It says on standard
 * output what happens, so that a test can send the next signal when the last one has had its
 * effect.
 */
final class SignalledProgram {

  private static final Duration EVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final CountDownLatch GO = new CountDownLatch(1);

  private SignalledProgram() {}

  public static void main(String[] arguments) throws Exception {
    Set<String> options = Set.of(arguments);
    say("up");
    LifecycleBuilder builder =
        Lifecycle.builder()
            .grace(options.contains("no-grace") ? Duration.ZERO : EVER)
            .beforeHalt(() -> say("before halt"));
    if (!options.contains("main-goes-on")) {
      Duration atMost = options.contains("short-exit") ? Duration.ofMillis(50) : EVER;
      builder.exitWhenStopped(atMost, SignalledProgram::tell);
    }
    if (options.contains("hung-hook")) {
      Runtime.getRuntime().addShutdownHook(new Thread(SignalledProgram::hang));
    }
    if (options.contains("exiting-hook")) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.exit(9)));
    }
    Lifecycle lifecycle = builder.install();
    say("installed");
    if (options.contains("closed")) {
      lifecycle.close();
      say("closed");
      hang();
    }
    if (options.contains("slow-start")) {
      awaitGo();
    }
    Worker<String> first = lifecycle.add(worker("first", options));
    Worker<String> second = lifecycle.add(worker("second", options));
    say("added");
    for (int i = 0; i < 3; i++) {
      say(first.submit(Job.of("a" + i, "")) + " by first");
      say(second.submit(Job.of("b" + i, "")) + " by second");
    }
    lifecycle.started();
    say("ready " + lifecycle.health());
    if (options.contains("main-goes-on")) {
      Thread reader = new Thread(SignalledProgram::awaitGo);
      reader.setDaemon(true);
      reader.start();
      tell(lifecycle.awaitStop());
      if (options.contains("hung-main")) {
        hang();
      }
      return;
    }
    awaitGo();
  }

  private static Worker<String> worker(String name, Set<String> options) {
    WorkerBuilder<String> builder =
        Worker.<String>builder(name)
            .concurrency(1)
            .capacity(2)
            .cleanup(options.contains("no-cleanup") ? Duration.ZERO : EVER)
            .listener(
                event -> {
                  if (event instanceof WorkerEvent.StateChanged changed) {
                    say(name + " " + changed.state());
                  }
                });
    return builder.start(
        options.contains("stubborn") ? SignalledProgram::ignoreCancel : SignalledProgram::await);
  }

  private static void await(Job<String> job, JobContext context) throws InterruptedException {
    say("running " + job.id());
    GO.await();
  }

  private static void ignoreCancel(Job<String> job, JobContext context) {
    say("running " + job.id());
    while (GO.getCount() > 0) {
      try {
        GO.await();
      } catch (InterruptedException e) {
        say("ignored by " + job.id());
      }
    }
  }

  private static void awaitGo() {
    try {
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      GO.countDown();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void hang() {
    say("hangs");
    while (true) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        say("interrupted");
      }
    }
  }

  private static void tell(StopReport report) {
    for (Report one : report.workers()) {
      say("report " + one.ending().orElseThrow() + " abandoned " + one.abandoned());
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
  }
}
