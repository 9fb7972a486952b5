package io.headgate.benchmarks.bound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

  @Test
  void sameSeedDrawsTheSameSettings() {
    assertThat(Configuration.draw(new SplittableRandom(1)))
        .isEqualTo(Configuration.draw(new SplittableRandom(1)));
  }

  @Test
  void failureHasALongerNameThanIsKept() throws Exception {
    RuntimeException failure = new LongNamed(Final.class).with("message");
    assertThat(failure).isInstanceOf(Final.class).hasMessage("message");
    String name = failure.getClass().getName();
    assertThat(name.codePointCount(0, name.length())).isGreaterThan(256);
  }
}
