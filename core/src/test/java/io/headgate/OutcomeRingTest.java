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
    Deque<Integer> expected = new ArrayDeque<>();
    for (int i = 0; i < 350; i++) {
      expected.addLast(i);
      int leaves = expected.size() > limit ? expected.removeFirst() : Ledger.NONE;
      history.makeRoom(1 + i % 7);
      assertThat(history.record(i)).isEqualTo(leaves);
      assertThat(history.copy()).containsExactly(expected.toArray(Integer[]::new));
    }
    assertThat(history.keepsNothing()).isFalse();
  }

  @Test
  @Tag("H5")
  void withLimitZeroKeepsNothing() {
    Ledger history = new Ledger(0);
    assertThat(history.keepsNothing()).isTrue();
    history.makeRoom(1);
    assertThat(history.record(7)).isEqualTo(Ledger.NONE);
    assertThat(history.copy()).isEmpty();
  }

  @Test
  void roomIsMadeOnceForAllThatWasAskedFor() {
    Ledger history = new Ledger(1_000);
    history.makeRoom(999);
    for (int i = 0; i < 999; i++) {
      assertThat(history.record(i)).isEqualTo(Ledger.NONE);
    }
  }

  @Test
  void aCopyDoesNotChangeWithTheRing() {
    Ledger history = new Ledger(1);
    history.makeRoom(1);
    history.record(1);
    int[] copy = history.copy();
    history.record(2);
    assertThat(copy).containsExactly(1);
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
