package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The account beside an obviously correct model, over thousands of random histories. One failed
 * history is played again by {@code -Dheadgate.test.args=-Dheadgate.account.seed=SEED}.
 */
@Tag("A1")
@Tag("A2")
@Tag("A3")
@Tag("A4")
@Tag("A6")
@Tag("A9")
@Tag("B1")
@Tag("B2")
@Tag("B3")
@Tag("B7")
@Tag("H1")
@Tag("H2")
@Tag("H3")
@Tag("H4")
@Tag("H5")
@Tag("H6")
@Tag("L1")
@Tag("L3")
@Tag("R5")
@Tag("R6")
@Tag("R7")
@Tag("T4")
class AccountRandomHistoryTest {

  private static final String SEED = "headgate.account.seed";
  private static final int HISTORIES = 3_000;
  private static final int STEPS = 120;

  @Test
  void everyRandomHistoryEqualsTheModelsAfterEveryStep() {
    Long only = Long.getLong(SEED);
    long first = only == null ? new Random().nextLong() : only;
    int count = only == null ? HISTORIES : 1;
    int played = 0;
    for (long seed = first; played < count; seed++, played++) {
      try {
        new AccountHistory(seed).play(STEPS);
      } catch (AssertionError e) {
        throw new AssertionError("history with -D" + SEED + "=" + seed + " " + e.getMessage(), e);
      }
    }
    assertThat(played).isEqualTo(count);
  }
}
