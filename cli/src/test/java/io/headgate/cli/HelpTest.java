package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Help and manual say what is so. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelpTest {
  @TempDir Path directory;

  private String told(String... words) throws Exception {
    try (HeadgateProcess process = HeadgateProcess.in(directory).start(words)) {
      assertThat(process.exitCode()).as(process.err()).isZero();
      assertThat(process.err()).isEmpty();
      return process.out();
    }
  }

  @Test
  void helpListsTheOptionsUnderTheirHeadings() throws Exception {
    String help = told("help", "run");
    assertThat(told("run", "--help")).isEqualTo(help);
    int at = 0;
    for (RunOption.Group group : RunOption.Group.values()) {
      at = help.indexOf("\n" + group.heading() + ":\n", at);
      assertThat(at).as(group.heading()).isPositive();
      int next = help.indexOf("\n\n", at + 1);
      for (RunOption option : RunOption.values()) {
        if (option.group() == group) {
          assertThat(help.substring(at, next)).contains(option.names());
        }
      }
    }
    assertThat(help).contains("\n  -I  TOKEN ", "Exit codes", "  75 ");
    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
  }

  /** The command lines below the heading of examples. */
  private static List<String> examples(String help) {
    List<String> examples = new ArrayList<>();
    String text = help.substring(help.indexOf("\nExamples:\n"), help.indexOf("\nExit codes"));
    text.lines().filter(line -> line.startsWith("    ")).map(String::strip).forEach(examples::add);
    return examples;
  }

  @Test
  void everyExampleOfTheHelpRuns() throws Exception {
    List<String> examples = examples(told("help", "run"));
    assertThat(examples).hasSize(Example.OF_RUN.size());
    Path program = directory.resolve("bin/headgate");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\nexec " + HeadgateProcess.commandLine() + " \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    Path work = Files.createDirectory(directory.resolve("work"));
    Files.createDirectory(work.resolve("backup"));
    Files.writeString(work.resolve("a b.txt"), "2\n1\n");
    Files.writeString(work.resolve("c.txt"), "3\n");
    Files.writeString(work.resolve("odd 'name'\n.log"), "log\n");
    Files.writeString(work.resolve("files"), "a b.txt\nc.txt\n");
    for (String example : examples) {
      Peer.Ended ended =
          Peer.in(work).sh("PATH=\"$1:$PATH\"; eval \"$2\"", program.getParent() + "", example);
      assertThat(ended.err()).as(example).isEmpty();
      assertThat(ended.code()).as(example).isZero();
      if (example.contains("wc -l")) {
        assertThat(ended.out()).contains("2 a b.txt", "3 total");
      } else if (example.contains("--dry-run")) {
        assertThat(ended.out()).isEqualTo("mv 'a b.txt' 'a b.old'\nmv c.txt c.old\n");
      } else if (example.contains("--resume-failed")) {
        assertThat(ended.out()).as("all was done before").isEmpty();
      }
    }
    assertThat(work.resolve("odd 'name'\n.log.gz")).exists();
    assertThat(work.resolve("backup/a b.txt")).exists();
    assertThat(work.resolve("a b.txt.sorted")).hasContent("1\n2\n");
    assertThat(Files.readAllLines(work.resolve("log"))).hasSize(3);
    assertThat(HeadgateProcess.report(work.resolve("report.json"))).contains("\"completed\":2");
  }

  @Test
  void manualPagesAreCleanForRoff() throws Exception {
    for (String page :
        List.of("", "run", "sim", "jobs", "decide", "doctor", "completion", "man", "help")) {
      String[] words = page.isEmpty() ? new String[] {"man"} : new String[] {"man", page};
      Files.writeString(directory.resolve("page"), told(words));
      Peer.Ended roff =
          Peer.in(directory).sh("groff -man -ww -Tascii -P-cbou -rLL=100n page && cat page >&2");
      assertThat(roff.code()).isZero();
      assertThat(roff.err()).isEqualTo(Files.readString(directory.resolve("page")));
      assertThat(roff.out()).contains("NAME", "SYNOPSIS", "OPTIONS");
    }
  }

  @Test
  void theManualOfRunSaysAllThatItsHelpSays() throws Exception {
    Files.writeString(directory.resolve("page.1"), told("man", "run"));
    Peer.Ended man = Peer.in(directory).sh("MANWIDTH=200 man -l page.1 | cat");
    assertThat(man.code()).isZero();
    String page = man.out().replaceAll("\\s+", " ");
    for (RunOption option : RunOption.values()) {
      assertThat(page).contains(option.names()).contains(option.description());
    }
    for (Example example : Example.OF_RUN) {
      assertThat(page).contains(example.command());
    }
    assertThat(page).contains("headgate-run - runs a command", "EXIT STATUS", "\\n \\t \\r \\0");
  }

  @Test
  void roffReadsNoLineOfTextAsARequest() {
    assertThat(ManPage.escape(".TH 'x' -y \\n")).isEqualTo("\\&.TH \\(aqx\\(aq \\-y \\(rsn");
    assertThat(ManPage.escape("'br")).startsWith("\\(aq");
  }

  @Test
  void runNeverLoadsWhatTheHelpNeeds() throws Exception {
    Peer.Ended ended =
        Peer.in(directory)
            .headgateAfter(
                "export JDK_JAVA_OPTIONS=-Xlog:class+load:file=classes;", "a\n", "--", "echo");
    assertThat(ended.out()).isEqualTo("a\n");
    String classes = Files.readString(directory.resolve("classes"));
    assertThat(classes).contains("io.headgate.cli.Run ");
    assertThat(classes.lines())
        .noneMatch(
            line ->
                line.contains("picocli")
                    || line.contains(".cli.sim.")
                    || line.contains("headgate.simulator")
                    || line.contains("tomlj")
                    || line.contains("headgate.jdbc")
                    || line.contains(".cli.store.")
                    || line.contains("java.sql.")
                    || line.contains("org.sqlite"));
  }
}
