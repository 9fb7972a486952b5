package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The budgets that nobody has to set. */
class DefaultBudgetsTest {

  private static final Duration USUAL_TIME_BEFORE_A_KILL = Duration.ofSeconds(30);

  @Test
  @Tag("D15")
  void graceAndCleanupLeaveAMarginBeforeThePlatformKills() {
    WorkerBuilder<String> defaults = Worker.builder("defaults");

    Duration stop = Duration.ofNanos(defaults.graceNanos).plusNanos(defaults.cleanupNanos);

    assertThat(stop).isEqualTo(Duration.ofSeconds(28)).isLessThan(USUAL_TIME_BEFORE_A_KILL);
  }
}
