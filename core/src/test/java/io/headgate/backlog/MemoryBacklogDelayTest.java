package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Backlogs;
import io.headgate.Outcome;
import io.headgate.WhenFull;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The backlog in memory keeps the contract of delayed jobs, and ends them at a stop. */
class MemoryBacklogDelayTest extends BacklogDelayContract {
  @Override
  Backlog.Factory<String> factory() {
    return Backlogs.memory();
  }

  @Test
  @Tag("R7")
  @Tag("L10")
  void stopEndsDelayedJobsAtOnceAsUnstartedAndNamesThem() {
    open(1, 5);
    assertThat(admit(job("later").delay(Duration.ofHours(1)), 0, WhenFull.Kind.REFUSE).isAccepted())
        .isTrue();
    backlog.stopAdmission();
    backlog.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    assertThat(unstarted).containsExactly(endedAs("later", Outcome.Unstarted.Cause.DRAINED));
    assertThat(backlog.abandoned()).containsExactly("later");
    assertThat(backlog.isIdle()).isTrue();
  }
}
