package io.headgate.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TrialTest {

  private final Trial trial = new Trial(new Pinning(List.of()));

  /** What a trial runs here. */
  public static final class Echo {
    private Echo() {}

    /** Answers with its process, and fails if told to. */
    public static void main(String[] arguments) {
      System.out.println("not an answer = 1");
      Trial.answer("process", ProcessHandle.current().pid());
      Trial.answer("argument", arguments[0]);
      if (arguments[0].equals("fail")) {
        throw new IllegalStateException("told to fail");
      }
    }
  }

  @Test
  @Tag("M1")
  void everyTrialIsAProcessOfItsOwn() throws Exception {
    Answers one = trial.java(Echo.class, List.of(), "one=1");
    Answers other = trial.java(Echo.class, List.of(), "other");
    assertThat(one.text("argument")).isEqualTo("one=1");
    assertThat(one.values()).hasSize(2);
    assertThat(List.of(one.whole("process"), other.whole("process"), ProcessHandle.current().pid()))
        .doesNotHaveDuplicates();
  }

  @Test
  void failingTrialFailsTheRunWithWhatItSaid() {
    assertThatThrownBy(() -> trial.java(Echo.class, List.of(), "fail"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("told to fail");
  }

  @Test
  void missingAnswerIsAnError() {
    assertThatThrownBy(() -> new Answers(java.util.Map.of()).text("rate"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rate");
  }

  @Test
  void allowedCpusAreRead() {
    assertThat(Pinning.parse("0-2,5")).containsExactly(0, 1, 2, 5);
    assertThat(new Trial(new Pinning(List.of(1, 2))).pinned(List.of("true")))
        .containsExactly("taskset", "-c", "1,2", "true");
  }

  @Test
  @Tag("M1")
  void orderIsRotatedFromRoundToRound() {
    assertThat(Rotation.of(List.of("a", "b", "c"), 0)).containsExactly("a", "b", "c");
    assertThat(Rotation.of(List.of("a", "b", "c"), 1)).containsExactly("b", "c", "a");
    assertThat(Rotation.of(List.of("a", "b", "c"), 2)).containsExactly("c", "a", "b");
  }
}
