package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holds the page for those who come from other tools against what runs and what is tested. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ComingFromTest {
  @TempDir Path directory;

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/run.md"))) {
      folder = folder.getParent();
      assertThat(folder).as("a folder above this one holds the docs").isNotNull();
    }
    return folder;
  }

  private static String page() throws IOException {
    return Files.readString(repository().resolve("docs/coming-from-xargs-parallel-sidekiq.md"));
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page())
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private Peer.Ended run(Path work, String line) throws Exception {
    Path program = directory.resolve("bin/headgate");
    if (!Files.exists(program)) {
      Files.createDirectories(program.getParent());
      Files.writeString(program, "#!/bin/sh\nexec " + HeadgateProcess.commandLine() + " \"$@\"\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }
    return Peer.in(work)
        .sh(
            "PATH=\"$1:$PATH\"; parallel() { command parallel --will-cite \"$@\"; }; eval \"$2\"",
            program.getParent().toString(),
            line);
  }

  @Test
  void allLinesOfABlockPrintTheSame() throws Exception {
    Path work = Files.createDirectory(directory.resolve("work"));
    Files.writeString(work.resolve("a b.txt"), "12");
    Files.writeString(work.resolve("c'd.txt"), "123");
    Files.writeString(Files.createDirectory(work.resolve("e")).resolve("$f.txt"), "1234");
    Files.writeString(work.resolve("names"), "a b.txt\nc'd.txt\ne/$f.txt\n");
    List<String> blocks = blocks("sh");
    assertThat(blocks).hasSize(5);
    for (String block : blocks) {
      List<String> first = null;
      for (String line : block.lines().toList()) {
        Peer.Ended ended = run(work, line);
        assertThat(ended.err()).as(line).isEmpty();
        assertThat(ended.out()).as(line).isNotBlank();
        if (first != null) {
          assertThat(ended.sorted()).as(line).isEqualTo(first);
        }
        first = ended.sorted();
      }
    }
  }

  @Test
  void whatIsShownOfTheConsoleIsPrinted() throws Exception {
    Path work = Files.createDirectory(directory.resolve("work"));
    for (String block : blocks("console")) {
      List<String> lines = block.lines().toList();
      assertThat(lines.get(0)).startsWith("$ ");
      assertThat(run(work, lines.get(0).substring(2)).err().lines())
          .containsExactlyElementsOf(lines.subList(1, lines.size()));
    }
  }

  @Test
  void everyNamedTestExistsAndEveryDifferenceIsNamed() throws Exception {
    String page = page();
    for (String test : List.of("XargsDifferenceTest", "ParallelDifferenceTest")) {
      String source =
          Files.readString(
              repository().resolve("cli/src/test/java/io/headgate/cli/" + test + ".java"));
      List<String> differences =
          Pattern.compile("void (\\w+Where\\w+)\\(")
              .matcher(source)
              .results()
              .map(name -> name.group(1))
              .toList();
      assertThat(differences).hasSizeGreaterThan(10);
      assertThat(differences)
          .allSatisfy(name -> assertThat(page).as(test).contains("`" + name + "`"));
    }
    String sources = sources();
    List<MatchResult> named =
        Pattern.compile("`(?:\\w+Test\\.)?([a-z]\\w{20,})`").matcher(page).results().toList();
    assertThat(named).hasSizeGreaterThan(40);
    for (MatchResult name : named) {
      assertThat(sources).contains("void " + name.group(1) + "(");
    }
  }

  private static String sources() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String module : List.of("core", "cli")) {
      try (Stream<Path> files = Files.walk(repository().resolve(module + "/src/test/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
          text.append(Files.readString(file));
        }
      }
    }
    return text.toString();
  }
}
