package io.headgate.benchmarks.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatencyTrialTest {

  @Test
  @Tag("M5")
  void stallShowsInEveryJobThatItDelayed() throws Exception {
    int jobs = 200;
    int stalled = 100;
    LatencyTrial trial = new LatencyTrial(jobs);
    trial.measure(
        new Engine() {
          @Override
          public void submit(Work work) {
            if (work.index() == 0) {
              // Does not return before the hundredth is due.
              while (System.nanoTime() - trial.due(stalled) < 0) {
                Thread.onSpinWait();
              }
            }
          }

          @Override
          public void finish(long submitted) {
            assertThat(submitted).isEqualTo(jobs);
          }
        });
    for (int i = 0; i < stalled; i++) {
      assertThat(trial.admissionNanos(i))
          .as("job %s was due before the stall ended, and is timed from then", i)
          .isGreaterThanOrEqualTo(trial.due(stalled) - trial.due(i));
    }
  }
}
