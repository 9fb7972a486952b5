package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring of the latest outcomes. */
@Tag("H1")
class OutcomeRingTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 15, 16, 17, 100, Integer.MAX_VALUE})
  void keepsTheLatestInOrderAndReturnsWhatLeaves(int limit) {
    Ledger history = new Ledger(limit);
    Deque<Object> expected = new ArrayDeque<>();
    for (int i = 0; i < 350; i++) {
      expected.addLast("job-" + i);
      Object leaves = expected.size() > limit ? expected.removeFirst() : null;
      assertThat(history.record("job-" + i)).isEqualTo(leaves);
      assertThat(history.copy()).containsExactly(expected.toArray());
    }
    assertThat(history.keepsNothing()).isFalse();
  }

  @Test
  @Tag("H5")
  void withLimitZeroKeepsNothing() {
    Ledger history = new Ledger(0);
    assertThat(history.keepsNothing()).isTrue();
    assertThat(history.record("job")).isNull();
    assertThat(history.copy()).isEmpty();
  }

  @Test
  void aCopyDoesNotChangeWithTheRing() {
    Ledger history = new Ledger(1);
    history.record("first");
    Object[] copy = history.copy();
    history.record("second");
    assertThat(copy).containsExactly("first");
  }

  @Test
  void whatIsKeptGivesBackTheOutcomeAndItsId() {
    Outcome[] outcomes = {
      new Outcome.Completed("a", 1),
      new Outcome.Completed("b", 2),
      new Outcome.Failed("c", 1, new JobError("Boom", "text", true, true)),
      new Outcome.Interrupted("d", 1),
      new Outcome.Unstarted("e", Outcome.Unstarted.Cause.SHED)
    };
    for (Outcome outcome : outcomes) {
      Object kept = Ledger.kept(outcome);
      assertThat(Ledger.outcomeOf(kept)).isEqualTo(outcome);
      assertThat(Ledger.idOf(kept)).isEqualTo(outcome.jobId());
    }
  }

  @Test
  void aJobCompletedAtItsFirstAttemptIsKeptAsItsIdAlone() {
    String id = "the id";
    assertThat(Ledger.kept(new Outcome.Completed(id, 1))).isSameAs(id);
  }
}
