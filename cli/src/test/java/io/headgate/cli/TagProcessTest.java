package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --tag}, in the words of GNU parallel: the arguments, a tab, the line. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TagProcessTest {
  @TempDir Path directory;

  @Test
  void bothStreamsAreTaggedWithAllLinesOfTheItem() throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .input("a\nb\nc\n")
            .start("run", "-j1", "-n2", "--tag", "--", "sh", "-c", "echo $#; echo bad >&2", "sh")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEqualTo("a b\t2\nc\t1\n");
      assertThat(process.err()).isEqualTo("a b\tbad\nc\tbad\n");
    }
  }

  @Test
  void aLineBreakInAnItemStaysInTheTag() throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .input("one\ntwo\0")
            .start("run", "-0", "--tag", "--", "printf", "no end")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEqualTo("one\\ntwo\tno end\n");
    }
  }
}
