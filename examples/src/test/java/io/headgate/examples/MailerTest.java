package io.headgate.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the program of the first page as a process of its own. */
@Timeout(120)
final class MailerTest {

  private Process mailer;

  @BeforeEach
  void start() throws IOException {
    mailer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dpause=0",
                "-cp",
                System.getProperty("java.class.path"),
                Mailer.class.getName())
            .start();
  }

  @AfterEach
  void end() {
    mailer.destroyForcibly();
  }

  @Test
  void endOfInputDrains() throws Exception {
    try (Writer input = mailer.outputWriter(UTF_8)) {
      input.write("ada\nbob\n");
    }
    assertThat(mailer.inputReader(UTF_8).lines()).contains("sent to ada", "sent to bob");
    assertThatItStoppedClean(2);
  }

  @Test
  void termDrains() throws Exception {
    Writer input = mailer.outputWriter(UTF_8);
    input.write("ada\n");
    input.flush();
    assertThat(mailer.inputReader(UTF_8).readLine()).isEqualTo("sent to ada");
    mailer.toHandle().destroy(); // TERM; Process.destroy would close the streams as well
    assertThatItStoppedClean(1);
  }

  private void assertThatItStoppedClean(int mails) throws InterruptedException {
    assertThat(mailer.errorReader(UTF_8).lines())
        .anyMatch(
            line -> line.contains("accepted %d = completed %d + failed 0".formatted(mails, mails)))
        .contains("abandoned: []");
    assertThat(mailer.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(mailer.exitValue()).isZero();
  }
}
