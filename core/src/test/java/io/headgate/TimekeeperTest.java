package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of the deadlines, when what it does fails. */
@Timeout(60)
class TimekeeperTest {

  @Test
  @Tag("D4")
  @Tag("L7")
  @Tag("CASE-19")
  void anErrorDoesNotEndTheThreadThatMustStillStop() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    AtomicInteger looks = new AtomicInteger();
    Timekeeper timekeeper =
        new Timekeeper(
            "failing",
            ticker,
            now -> {
              if (looks.incrementAndGet() == 1) {
                throw new OutOfMemoryError("made up");
              }
              return Timekeeper.NOTHING;
            });
    timekeeper.wake();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    assertThat(looks).hasValue(1);
    ticker.advance(Duration.ofMillis(10));
    ThreadWatch.awaitNoControlThread("failing");
    assertThat(looks).hasValue(2);
    timekeeper.wake();
    Aside.until(() -> looks.get() == 3);
  }
}
