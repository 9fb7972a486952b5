package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The launcher of the repository, in a copy that takes the classes under test for its build. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {
  @TempDir Path root;
  private Gate gate;

  @BeforeEach
  void copyTheLauncher() throws Exception {
    gate = new Gate(root);
    Path repository = repository();
    Files.copy(repository.resolve("headgate"), root.resolve("headgate"));
    Files.createDirectory(root.resolve(".ci"));
    Files.copy(repository.resolve(".ci/command.sh"), root.resolve(".ci/command.sh"));
    for (String module : new String[] {"core", "cli", "simulator", "jdbc"}) {
      Files.createDirectories(root.resolve(module + "/src/main"));
      Files.createFile(root.resolve(module + "/pom.xml"));
    }
    Files.createFile(root.resolve("pom.xml"));
    Path app = Files.createDirectories(root.resolve(".headgate/app"));
    link(app.resolve("headgate-cli.jar"), Main.class);
    link(app.resolve("headgate-core.jar"), Worker.class);
    link(app.resolve("picocli.jar"), CommandLine.class);
    Path current = root.resolve(".headgate/current");
    Files.writeString(current, System.getProperty("java.home") + "\napp\n");
    // Newer than all sources, whatever the file system's clock shows.
    Files.setLastModifiedTime(current, FileTime.from(Instant.now().plusSeconds(60)));
  }

  static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve(".ci/command.sh"))) {
      folder = folder.getParent();
      assertThat(folder).as("a folder above this one holds the launcher").isNotNull();
    }
    return folder;
  }

  private static void link(Path link, Class<?> type) throws Exception {
    Files.createSymbolicLink(
        link, Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
  }

  @AfterEach
  void noChildIsLeft() throws IOException {
    Groups.awaitGone(Groups.ids(gate.ids()));
    gate.close();
  }

  @Test
  @Tag("CASE-27")
  void theLauncherBecomesTheCommandSoThatSignalsReachIt() throws Exception {
    Files.writeString(root.resolve("in"), "a\nb");
    Process process =
        new ProcessBuilder(
                "./headgate",
                "run",
                "-j2",
                "--report=report",
                "--",
                "sh",
                "-c",
                Gate.SAY + Gate.WAIT)
            .directory(root.toFile())
            .redirectInput(root.resolve("in").toFile())
            .redirectOutput(root.resolve("out").toFile())
            .redirectError(root.resolve("err").toFile())
            .start();
    Groups.awaitIds(gate.ids(), 2);
    // TERM for the process that was started as the launcher.
    process.destroy();
    gate.letThrough(2);
    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    // The virtual machine may say that there is no start-up cache; the command has nothing to say.
    assertThat(Files.readString(root.resolve("err"))).doesNotContain("headgate:");
    assertThat(process.exitValue()).isZero();
    String report = HeadgateProcess.report(root.resolve("report"));
    assertThat(HeadgateProcess.count(report, "signals")).isEqualTo(1);
    assertThat(HeadgateProcess.count(report, "completed")).isEqualTo(2);
  }
}
