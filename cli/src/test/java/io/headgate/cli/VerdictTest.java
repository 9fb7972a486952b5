package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CASE-22")
class VerdictTest {
  private static int of(int... codes) {
    Verdict verdict = new Verdict();
    for (int code : codes) {
      verdict.add(code);
    }
    return verdict.code();
  }

  @Test
  void theFirstOfTheListThatAppliesIsTheCode() {
    int[] order = {ExitCode.INPUT, ExitCode.OUTPUT, ExitCode.NOT_FOUND, 75, 1, 0};
    for (int i = 0; i < order.length; i++) {
      for (int j = i; j < order.length; j++) {
        assertThat(of(order[i], order[j])).isEqualTo(order[i]);
        assertThat(of(order[j], order[i])).isEqualTo(order[i]);
      }
    }
  }

  @Test
  void ofTheTwoForACommandTheEarlierCounts() {
    assertThat(of(ExitCode.CANNOT_RUN, ExitCode.NOT_FOUND)).isEqualTo(126);
    assertThat(of(ExitCode.NOT_FOUND, ExitCode.CANNOT_RUN)).isEqualTo(127);
  }

  @Test
  void nothingAgainstSuccessIsSuccess() {
    assertThat(of()).isZero();
  }

  @Test
  void otherNumbersAreRefused() {
    assertThatThrownBy(() -> of(2)).isInstanceOf(IllegalArgumentException.class);
  }
}
