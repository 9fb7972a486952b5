package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a queue stands, and when it has moved on. */
final class QueueDelayControlTest {

  private static final long MILLI = 1_000_000;
  private static final long TARGET = 50 * MILLI;

  private final QueueDelayControl control =
      QueueDelayControl.of(Duration.ofNanos(TARGET), Duration.ofMillis(100));
  private long now = Long.MAX_VALUE - 20 * MILLI;

  @Test
  @Tag("CASE-41")
  void burstThatIsWorkedOffInTimeShedsNothing() {
    for (int i = 0; i < 1_000; i++) {
      // Each 90 ms the wait is short once.
      assertThat(look(i % 9 == 0 ? TARGET : 10 * TARGET, 10)).isFalse();
    }
    assertThat(control.isStale(Long.MAX_VALUE)).isFalse();
  }

  @Test
  @Tag("CASE-41")
  void waitThatStaysAboveTheTargetForAnIntervalIsAStandingQueue() {
    look(0, 0);
    for (int i = 0; i < 9; i++) {
      assertThat(look(TARGET + 1, 10)).isFalse();
    }
    assertThat(look(TARGET + 1, 10)).isTrue();
    assertThat(control.timesEntered()).isOne();
    assertThat(control.isStale(TARGET)).isFalse();
    assertThat(control.isStale(TARGET + 1)).isTrue();
  }

  @Test
  @Tag("CASE-41")
  void modeIsLeftOnceTheOldestIsYoungAndNotBefore() {
    waitThatStays();
    assertThat(look(TARGET, 10)).isTrue();
    assertThat(look(TARGET / 2 + 1, 10)).isTrue();
    assertThat(look(TARGET / 2, 10)).isFalse();
    assertThat(look(TARGET, 10)).isFalse();
    assertThat(look(TARGET + 1, 10)).as("it stood a moment ago").isTrue();
    assertThat(control.timesEntered()).isEqualTo(2);
  }

  @Test
  @Tag("CASE-41")
  @Tag("O1")
  void queueThatHasBeenFineForLongNeedsAWholeIntervalAgain() {
    waitThatStays();
    assertThat(look(0, 10)).isFalse();
    for (int i = 0; i < 80; i++) {
      assertThat(look(0, 10)).isFalse();
    }
    for (int i = 0; i < 9; i++) {
      assertThat(look(TARGET + 1, 10)).isFalse();
    }
    assertThat(look(TARGET + 1, 10)).isTrue();
  }

  @Test
  void clockThatWasReadTooEarlyTakesNothingBack() {
    look(0, 10);
    look(0, 100);
    long latest = now;
    now = latest - 95 * MILLI;
    look(0, 0);
    now = latest;
    assertThat(look(TARGET + 1, 51)).as("good 51 ms ago").isFalse();
  }

  @Test
  @Tag("CASE-41")
  void emptyQueueLeavesTheModeAtOnce() {
    waitThatStays();
    assertThat(look(0, 0)).isFalse();
  }

  @Test
  void pauseMakesWorkOldWithoutMakingTheQueueStand() {
    look(0, 0);
    now += 3_600_000 * MILLI;
    control.restart(now);
    assertThat(look(3_600_000 * MILLI, 0)).isFalse();
  }

  @Test
  @Tag("CASE-41")
  @Tag("O1")
  void startedWorkStaysWithinTwiceTheTargetWhenTenTimesTooMuchComes() {
    // A server of 1 ms; ten arrivals in each, for ten seconds.
    Deque<Long> queue = new ArrayDeque<>();
    long worst = 0;
    long started = 0;
    for (int tick = 0; tick < 10_000; tick++) {
      for (int i = 0; i < 10; i++) {
        queue.addLast(now);
      }
      boolean newestFirst = control.look(now - queue.getFirst(), now);
      while (!queue.isEmpty() && control.isStale(now - queue.getFirst())) {
        queue.removeFirst();
      }
      long arrived = newestFirst ? queue.removeLast() : queue.removeFirst();
      started++;
      if (tick >= 1_000) {
        worst = Math.max(worst, now - arrived);
      }
      now += MILLI;
    }
    assertThat(started).as("no tick without work").isEqualTo(10_000);
    assertThat(worst).isLessThanOrEqualTo(2 * TARGET);
    assertThat(queue.size()).as("the queue is bounded by the target").isLessThan(600);
  }

  @Test
  @Tag("CASE-10")
  void targetAndIntervalMustBeAboveZero() {
    assertThatThrownBy(() -> QueueDelayControl.of(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("target is PT0S and interval PT0S");
    assertThatThrownBy(() -> QueueDelayControl.of(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void waitThatStays() {
    look(0, 0);
    look(2 * TARGET, 100);
    assertThat(control.isShedding()).isTrue();
  }

  private boolean look(long oldest, long millis) {
    now += millis * MILLI;
    return control.look(oldest, now);
  }
}
