package io.headgate.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("of-the-class")
final class EvidenceTest {
  private static final String PAGE =
      """
      Pending: A2

      | A1 | First. | core |
      | A2 | Second. | core |
      | A3 | Third. | core |
      | R1 | Later. | overload |
      """;

  @Test
  void missingAndUnknownNumbersAreFaults() {
    Page page = new Page(Contracts.parse(PAGE), List.of(tagged("A1"), tagged("A9")));

    assertThat(page.faults())
        .containsExactly("A9 is no contract, but tags SomeTest.works", "no test names A3: Third.");
  }

  @Test
  void pageNamesTestsAndWhatIsMissing() {
    Page page = new Page(Contracts.parse(PAGE), List.of(tagged("A1")));

    assertThat(page.text())
        .contains("## A1\n\nFirst.\n\n- `SomeTest.works`\n")
        .endsWith("- core: A2 A3\n- overload: R1\n");
  }

  @Test
  void pendingNumberMustBeDue() {
    Page page = new Page(Contracts.parse(PAGE.replace("A2\n\n", "A2 R1\n\n")), List.of());

    assertThat(page.faults()).contains("R1 is pending, but is no contract of the part core");
  }

  @Test
  void pageWithoutPendingLineIsRefused() {
    assertThatThrownBy(() -> Contracts.parse(PAGE.replace("Pending", "Wanting")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void skippedAndAbsentTestsAreFaults(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("TEST-some.SomeTest.xml"),
        """
        <testsuite>
          <testcase name="works" classname="some.SomeTest"><skipped/></testcase>
          <testcase name="sleeps(int)[1]" classname="some.SomeTest"/>
        </testsuite>
        """);
    TestReports reports = new TestReports(List.of(folder));

    assertThat(reports.faults(List.of(tagged("A1"), of("sleeps", "A1"), of("sleep", "A1"))))
        .containsExactly("some.SomeTest.works was skipped", "some.SomeTest.sleep did not run");
  }

  @Test
  void testsAreFoundWithTheTagsOfTheirClasses() throws IOException {
    assertThat(TestScan.of(List.of(Path.of("target/test-classes"))))
        .contains(
            new TaggedTest(
                EvidenceTest.class.getName(),
                EvidenceTest.class.getName(),
                "missingAndUnknownNumbersAreFaults",
                false,
                Set.of("of-the-class")))
        .contains(
            new TaggedTest(
                Inner.class.getName(),
                Suite.class.getName(),
                "inheritedTestIsFound",
                false,
                Set.of("of-the-class", "of-the-suite", "first", "second")))
        .noneMatch(test -> test.method().equals("leftOut"));
  }

  @Tag("of-the-suite")
  abstract static class Suite {
    @Test
    @Tag("first")
    @Tag("second")
    void inheritedTestIsFound() {
      assertThat(this).isInstanceOf(Inner.class);
    }

    @Test
    @Tag("long")
    void leftOut() {
      assertThat(this).isInstanceOf(Inner.class);
    }
  }

  @Nested
  final class Inner extends Suite {}

  private static TaggedTest tagged(String number) {
    return of("works", number);
  }

  private static TaggedTest of(String method, String number) {
    return new TaggedTest("some.SomeTest", "some.SomeTest", method, false, Set.of(number));
  }
}
