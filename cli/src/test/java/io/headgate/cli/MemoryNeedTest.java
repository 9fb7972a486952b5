package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryNeedTest {
  /** The heap that the launcher gives. */
  private static final long HEAP = 192L << 20;

  private static MemoryNeed need(String words) throws UsageException {
    return MemoryNeed.of(RunSyntax.parse((words + " -- x").split(" ", -1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-j 2",
        "-j 1000",
        "-j 4 --capacity 90000",
        "-j 4 -n 50000",
        "-j 16 --capacity 2000 -k",
        "-j 1 --capacity 0 --capacity-bytes 9G"
      })
  void whatFitsIsTaken(String words) throws UsageException {
    MemoryNeed need = need(words);
    assertThatCode(() -> need.check(HEAP)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-j 1 --capacity 200000",
        "-j 1 --capacity 100 -n 100000",
        "-j 1 --capacity 20000 -k",
        "-j 1 --capacity 10000 --capacity-bytes 1G",
        "-j 90000 --capacity 0"
      })
  void whatCouldNotBeKeptIsRefused(String words) {
    // The words are those of a heap that is large enough to read them with.
    assertThatThrownBy(() -> need(words).check(HEAP))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("above the 144 MiB that there are");
  }

  @Test
  void linesTakeNoMoreThanThereCanBe() throws UsageException {
    MemoryNeed need =
        MemoryNeed.of(RunSyntax.parse(new String[] {"-j1", "--capacity=0", "--", "x"}));
    assertThat(need.lines()).isEqualTo(2 * 131_071.0);
  }
}
