package io.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the pages against the programs and tests that they show or name. */
final class SnippetTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/getting-started.md",
        "docs/admission.md",
        "docs/budgets.md",
        "docs/drain.md",
        "docs/errors.md",
        "docs/retry.md",
        "docs/limits.md",
        "docs/questions.md",
        "docs/from-executors.md"
      })
  void everyJavaBlockIsPartOfAProgramThatCompiles(String page) throws IOException {
    List<String> programs = new ArrayList<>();
    for (Path source : Docs.sources("examples/src/main/java")) {
      programs.add(Docs.flat(Files.readString(source)));
    }
    for (String block : Docs.blocks(Docs.page(page), "java")) {
      assertThat(programs)
          .as("a program that has this block of %s:%n%s", page, block)
          .anyMatch(program -> program.contains(Docs.flat(block)));
    }
  }

  @Test
  void everyTestThatAQuestionNamesExists() throws IOException {
    List<MatchResult> named =
        Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`")
            .matcher(Docs.page("docs/questions.md"))
            .results()
            .toList();
    assertThat(named).hasSizeGreaterThanOrEqualTo(4);

    List<Path> sources = new ArrayList<>(Docs.sources("core/src/test/java"));
    sources.addAll(Docs.sources("examples/src/test/java"));
    for (MatchResult name : named) {
      Path file = Path.of(name.group(1) + ".java");
      assertThat(sources)
          .as(name.group())
          .filteredOn(source -> source.endsWith(file))
          .singleElement()
          .satisfies(
              source ->
                  assertThat(Files.readString(source)).contains("void " + name.group(2) + "("));
    }
  }

  @Test
  void theReportInErrorsIsWhatTheProgramPrints() throws Exception {
    String shown = Docs.blocks(Docs.page("docs/errors.md"), "json").get(0);

    assertThat(withoutBlanks(shown)).isEqualTo(withoutBlanks(FinalReport.report().toJson()));
  }

  @Test
  void everyMessageOfAMistakeIsInErrors() throws Exception {
    String errors = Docs.page("docs/errors.md");

    assertThat(Mistakes.messages())
        .hasSize(17)
        .allSatisfy(
            message -> {
              boolean hasFigures = message.startsWith("taskDone");
              String shown = hasFigures ? message.substring(0, message.indexOf(',')) : message;
              assertThat(errors).contains(shown);
            });
  }

  /** The counters' cells depend on the processors; the page says so, and gives their sum apart. */
  @Test
  void theSizingInBudgetsIsWhatTheProgramPrints() throws IOException {
    long cells = Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);
    long withoutCells = Sizing.bound().bytes() - cells * 2_160;

    assertThat(Docs.page("docs/budgets.md"))
        .contains("%,d".formatted(withoutCells).replace(',', ' '));
  }

  private static String withoutBlanks(String json) {
    return json.replaceAll("\\s+", "");
  }
}
