package io.headgate.examples;

import io.headgate.Criticality;
import io.headgate.WorkerBuilder;
import io.headgate.downstream.Downstream;
import io.headgate.downstream.DownstreamRefusedException;
import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.limit.ClientThrottle;
import io.headgate.limit.OverloadGuard;
import io.headgate.limit.OverloadSignal;
import io.headgate.limit.QueueDelay;
import io.headgate.limit.RateDecision;
import io.headgate.limit.RateLimit;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The limits, each alone and in a budget of one dependency. */
public final class Limits {

  private Limits() {}

  /** Prints what each limit answers. */
  public static void main(String[] args) throws Exception {
    rate(Ticker.system()).forEach(System.out::println);
    System.out.println(throttled());
    System.out.println(downstream());
    System.out.println(refuses(Criticality.SHEDDABLE, 1.05));
  }

  static List<String> rate(Ticker ticker) throws InterruptedException {
    RateLimit mails =
        RateLimit.perSecond(10) // 0.3 is fine, too: three in ten seconds
            .burst(5) // after a pause, five at once
            .ticker(ticker)
            .build();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      switch (mails.acquire(Duration.ofMillis(20))) {
        case RateDecision.Started go -> answers.add("started");
        case RateDecision.Refused no -> answers.add(no.cause() + ", in " + no.delay());
      }
    }
    return answers;
  }

  static String throttled() {
    ClientThrottle throttle = ClientThrottle.builder().build();
    int made = 0;
    for (int i = 0; i < 1_000; i++) {
      switch (throttle.attempt()) {
        case ClientThrottle.Passed call -> {
          try (call) { // closed without an answer: as if never attempted
            made++;
            call.rejected(); // the dependency said 503
          }
        }
        case ClientThrottle.Throttled no -> {
          // Refused here: the dependency hears nothing of it.
        }
      }
    }
    return made < 100 ? "spared" : "flooded: " + made;
  }

  static String downstream() throws Exception {
    Downstream payments =
        Downstream.builder("payments")
            .concurrency(20) // calls at once
            .maxWaiting(40) // callers that wait for a permit
            .rate(RateLimit.perSecond(200).burst(20).build())
            .throttle(ClientThrottle.builder().build())
            .overloadWhen(failure -> failure instanceof TimeoutException)
            .build();
    try {
      return payments.call(() -> "paid", Duration.ofMillis(500)); // waits for a permit so long
    } catch (DownstreamRefusedException e) {
      return "not called: " + e.reason() + ", again after " + e.retryAfter();
    }
  }

  static Downstream adaptive() {
    AdaptiveConcurrency limit =
        AdaptiveConcurrency.gradient(Duration.ofMillis(250)) // above it is an incident, always
            .initial(20)
            .floor(4)
            .max(200)
            .build();
    return Downstream.builder("search").adaptive(limit).build();
  }

  static boolean refuses(Criticality criticality, double load) {
    OverloadGuard guard =
        OverloadGuard.builder()
            .signal(OverloadSignal.heapAfterCollection(0.85))
            .signal(OverloadSignal.of("connections", () -> load))
            .build();
    guard.sample();
    return !guard.admits(criticality);
  }

  static WorkerBuilder<String> guarded(WorkerBuilder<String> builder) {
    OverloadGuard guard =
        OverloadGuard.builder()
            .signal(OverloadSignal.heapAfterCollection(0.85))
            .executorLoad() // runnable handlers of all its workers, over the processors
            .build();
    return builder.overload(guard); // several workers may share it
  }

  static WorkerBuilder<String> withoutStandingQueue(WorkerBuilder<String> builder) {
    return builder.queueDelay(QueueDelay.target(Duration.ofMillis(200)));
  }
}
