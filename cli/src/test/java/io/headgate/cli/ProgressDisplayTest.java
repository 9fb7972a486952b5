package io.headgate.cli;

import static io.headgate.cli.Progresses.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProgressDisplayTest {
  // Where a clock may stand, so that the times of this test run over its end.
  private static final long START = Long.MAX_VALUE - SECOND / 2;

  private final List<String> shown = new ArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private long completed;

  private final class Recorder implements ProgressDisplay.Screen {
    @Override
    public void show(Snapshot snapshot) {
      shown.add("show " + snapshot.counts().of(Fate.Kind.COMPLETED));
      first.countDown();
    }

    @Override
    public void end(Snapshot snapshot) {
      shown.add("end " + snapshot.counts().of(Fate.Kind.COMPLETED));
    }
  }

  private ProgressDisplay display(long firstNanos, long periodNanos) {
    return new ProgressDisplay(
        () -> Progresses.counts(++completed, 0, Double.NaN),
        new Meter(START),
        new Recorder(),
        firstNanos,
        periodNanos);
  }

  @Test
  void itIsShownFirstWhenThatIsDueAndThenEachPeriod() {
    ProgressDisplay display = display(START + SECOND, SECOND / 4);
    assertThat(display.tick(START)).isEqualTo(SECOND);
    assertThat(display.tick(START + SECOND - 1)).isEqualTo(1);
    assertThat(shown).isEmpty();
    assertThat(display.tick(START + SECOND)).isEqualTo(SECOND / 4);
    assertThat(display.tick(START + SECOND + 1)).isEqualTo(SECOND / 4 - 1);
    assertThat(display.tick(START + 2 * SECOND)).isEqualTo(SECOND / 4);
    assertThat(shown).containsExactly("show 1", "show 2");
  }

  @Test
  void theEndIsShownOnceAlsoBeforeTheFirst() {
    ProgressDisplay display = display(START + SECOND, SECOND);
    display.end(START);
    display.end(START);
    assertThat(shown).containsExactly("end 1");
  }

  @Test
  void itsThreadEndsWithIt() throws Exception {
    ProgressDisplay display = display(System.nanoTime(), 3600 * SECOND);
    display.start();
    assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
    display.end(System.nanoTime());
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("headgate-progress")) {
        thread.join();
      }
    }
    assertThat(shown).containsExactly("show 1", "end 2");
  }
}
