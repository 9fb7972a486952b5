package io.headgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BenchTest {

  @Test
  void everyStudyHasItsSectionOnThePage() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "benchmarks.md"));
    assertThat(Bench.names()).contains("core", "memory");
    for (String study : Bench.names()) {
      assertThat(page)
          .containsOnlyOnce("<!-- bench:" + study + " -->\n")
          .containsOnlyOnce("<!-- /bench:" + study + " -->\n");
    }
  }
}
