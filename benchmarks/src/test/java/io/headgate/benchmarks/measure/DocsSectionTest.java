package io.headgate.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsSectionTest {

  private static final String PAGE =
      """
      # Page
      <!-- bench:core -->
      old
      <!-- /bench:core -->
      Between.
      <!-- bench:memory -->
      <!-- /bench:memory -->
      """;

  @TempDir Path folder;

  @Test
  void writesItsOwnSectionAndNothingElse() throws IOException {
    Path page = page(PAGE);
    new DocsSection(page, "core").replace("new\n");
    assertThat(page).hasContent(PAGE.replace("old\n", "\nnew\n\n"));
    new DocsSection(page, "memory").replace("bytes");
    new DocsSection(page, "core").replace("newer");
    assertThat(page)
        .hasContent(
            """
            # Page
            <!-- bench:core -->

            newer

            <!-- /bench:core -->
            Between.
            <!-- bench:memory -->

            bytes

            <!-- /bench:memory -->
            """);
  }

  @Test
  void missingOrDoubleSectionIsRefusedAndThePageKept() throws IOException {
    Path page = page(PAGE);
    assertThatThrownBy(() -> new DocsSection(page, "run").replace("x"))
        .isInstanceOf(IllegalStateException.class);
    Path twice = page(PAGE + PAGE);
    assertThatThrownBy(() -> new DocsSection(twice, "core").replace("x"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(twice).hasContent(PAGE + PAGE);
  }

  private Path page(String text) throws IOException {
    return Files.writeString(folder.resolve("page.md"), text);
  }
}
