package io.headgate.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds docs/evidence.md against the tests of all modules. {@code ./verify --evidence} runs {@link
 * #main}, which writes the page; the build runs {@link EvidenceCheck}, which only compares.
 */
final class Evidence {
  private static final List<String> MODULES =
      List.of("core", "jdbc", "cli", "concurrency-tests", "simulator", "benchmarks", "examples");

  private final Path page;
  private final Page expected;
  private final List<TaggedTest> tests;
  private final TestReports reports;

  /** Reads the contracts, the compiled tests and the reports below the root of the repository. */
  Evidence(Path root) throws IOException {
    page = root.resolve("docs/evidence.md");
    tests = TestScan.of(folders(root, "target/test-classes"));
    expected = new Page(Contracts.read(root.resolve("docs/contracts.md")), tests);
    reports = new TestReports(folders(root, "target/surefire-reports"));
  }

  private static List<Path> folders(Path root, String below) {
    return MODULES.stream()
        .map(module -> root.resolve(module).resolve(below))
        .filter(Files::isDirectory)
        .toList();
  }

  /** Everything that is wrong, one line each. */
  List<String> faults() throws IOException {
    List<String> faults = new ArrayList<>(expected.faults());
    faults.addAll(reports.faults(tests));
    if (!Files.exists(page) || !Files.readString(page).equals(expected.text())) {
      faults.add("docs/evidence.md is out of date: ./verify --evidence writes it anew");
    }
    return faults;
  }

  /**
   * Writes the page.
   *
   * @param arguments the root of the repository
   */
  public static void main(String[] arguments) throws IOException {
    Evidence evidence = new Evidence(Path.of(arguments[0]));
    Files.writeString(evidence.page, evidence.expected.text());
    evidence.expected.faults().forEach(System.err::println);
    if (!evidence.expected.faults().isEmpty()) {
      System.exit(1);
    }
  }
}
