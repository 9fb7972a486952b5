package io.headgate;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How fast a worker drains, and in which steps that is told. */
class DrainRateTest {

  private static final Percentage EXACT = Percentage.withPercentage(0.001);

  private final DrainRate drain = new DrainRate();
  private long now = Long.MAX_VALUE - MILLISECONDS.toNanos(50);
  private long ended;

  private void pass(long millis, long jobs) {
    now += MILLISECONDS.toNanos(millis);
    ended += jobs;
    drain.note(ended, now);
  }

  private double millisFor(long jobs) {
    return drain.nanosFor(jobs) / MILLISECONDS.toNanos(1);
  }

  @Test
  @Tag("A6")
  void nothingIsKnownBeforeAJobHasEnded() {
    drain.note(1_000, now);
    assertThat(drain.nanosFor(4)).isInfinite();
    ended = 1_000;
    pass(100, 0);
    assertThat(drain.nanosFor(4)).isInfinite();
  }

  @Test
  @Tag("A6")
  void quickJobsAreMeasuredAtTheFirstLook() {
    drain.note(0, now);
    pass(100, 200);
    assertThat(millisFor(64)).isCloseTo(32, EXACT);
  }

  @Test
  @Tag("A6")
  void slowJobsAreMeasuredOverASecond() {
    drain.note(0, now);
    pass(500, 1);
    assertThat(millisFor(4)).as("a first guess").isCloseTo(2_000, EXACT);
    pass(500, 1);
    assertThat(millisFor(4)).isCloseTo(2_000, EXACT);
  }

  @Test
  @Tag("A6")
  void newerStretchesCountForHalf() {
    drain.note(0, now);
    pass(100, 100);
    pass(100, 300);
    assertThat(millisFor(200)).isCloseTo(100, EXACT);
  }

  @Test
  @Tag("A6")
  void rateFallsWhileNothingEnds() {
    drain.note(0, now);
    pass(100, 100);
    pass(10_000, 0);
    assertThat(millisFor(1)).isCloseTo(10_000, EXACT);
  }

  @Test
  @Tag("A6")
  void whatWasForgottenIsMeasuredAnew() {
    drain.note(0, now);
    pass(100, 100);
    drain.forget();
    assertThat(drain.nanosFor(1)).isInfinite();
    pass(100_000, 5);
    assertThat(drain.nanosFor(1)).isInfinite();
    pass(100, 50);
    assertThat(millisFor(1)).isCloseTo(2, EXACT);
  }

  @Test
  @Tag("A6")
  @Tag("A11")
  void stepsReachFromAMillisecondToTenMinutesEachLongerByTheSameFactor() {
    assertThat(nanosOf(0)).isEqualTo(1_000_000);
    assertThat(nanosOf(RetryAfter.STEPS - 1)).isEqualTo(600_000_000_000L);
    assertThat(nanosOf(RetryAfter.STEPS + 7)).isEqualTo(600_000_000_000L);
    double factor = (double) nanosOf(1) / 1e6;
    for (int step = 1; step < RetryAfter.STEPS; step++) {
      double ratio = (double) nanosOf(step) / (double) nanosOf(step - 1);
      assertThat(ratio).isCloseTo(factor, within(0.001));
      assertThat(RetryAfter.stepFor((double) nanosOf(step))).isEqualTo(step);
      assertThat(RetryAfter.stepFor((double) nanosOf(step) + 1))
          .isEqualTo(Math.min(step + 1, RetryAfter.STEPS - 1));
    }
    assertThat(RetryAfter.stepFor(0)).isZero();
    assertThat(RetryAfter.stepFor(Double.POSITIVE_INFINITY)).isEqualTo(RetryAfter.STEPS - 1);
  }

  @Test
  @Tag("A11")
  void stepsAreMadeInAdvanceForEveryReasonThatMayPass() {
    for (Reason reason : Reason.values()) {
      if (reason.retryCanHelp()) {
        Admission.Refused refused = RetryAfter.refusal(reason, 7);
        assertThat(refused.reason()).isEqualTo(reason);
        assertThat(refused).isSameAs(RetryAfter.refusal(reason, 7));
      }
    }
  }

  private static long nanosOf(int step) {
    return RetryAfter.refusal(Reason.FULL, step).retryAfter().orElseThrow().toNanos();
  }
}
