package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Criticality;
import io.headgate.downstream.Downstream;
import io.headgate.downstream.Permit;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Refusals come in numbers just when memory is short: they allocate nothing. */
@Timeout(60)
final class LimitRefusalTest {

  private static final int CALLS = 2_000;

  @Test
  @Tag("CASE-12")
  void startThatIsRefusedAllocatesNothing() throws Exception {
    RateLimit limit = RateLimit.of(1, Duration.ofDays(1)).build();
    limit.tryStart();
    assertThat(bytesOf(() -> limit.tryStart() > 0)).isZero();
  }

  @Test
  @Tag("CASE-12")
  void classThatIsRefusedAllocatesNothing() throws Exception {
    OverloadGuard guard =
        OverloadGuard.builder().signal(OverloadSignal.of("full", () -> 1.05)).build();
    guard.sample();
    assertThat(bytesOf(() -> !guard.admits(Criticality.SHEDDABLE))).isZero();
  }

  @Test
  @Tag("CASE-12")
  void attemptThatIsThrottledAllocatesNothing() throws Exception {
    ClientThrottle throttle = ClientThrottle.builder().probeShare(1e-12).build();
    for (int i = 0; i < 1_000_000; i++) {
      throttle.attempt();
    }
    // Among a million requests without an accept one in a million passes, and that allocates.
    assertThat(bytesOf(() -> throttle.attempt() == ClientThrottle.Throttled.INSTANCE)).isZero();
  }

  @Test
  @Tag("CASE-12")
  void refusalOfADownstreamIsASharedValue() throws Exception {
    Downstream full = Downstream.builder("full").concurrency(1).build();
    try (Permit held = (Permit) full.acquire(Duration.ZERO)) {
      assertThat(held.isPermitted()).isTrue();
      assertThat(full.acquire(Duration.ZERO)).isSameAs(full.acquire(Duration.ZERO));
    }
  }

  /** A count, not a time; the least of some rounds, for the JVM allocates for itself at times. */
  private static long bytesOf(Callable<Boolean> isRefused) throws Exception {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int refused = 0;
      for (int i = 0; i < CALLS; i++) {
        refused += isRefused.call() ? 1 : 0;
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      assertThat(refused).as("but for the share that always passes").isGreaterThan(CALLS - 200);
    }
    return least;
  }
}
