package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobsFileTest {
  @TempDir Path directory;
  private Path file;
  private final List<Integer> changes = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private JobsFile jobsFile;
  private long writes;

  @BeforeEach
  void make() throws IOException {
    file = directory.resolve("jobs");
    write("2\n");
    jobsFile = new JobsFile(file.toString(), 2, changes::add, complaints::add);
    jobsFile.look();
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
    // The clock of a file system is coarse: two writes may have one time.
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L + 1000 * ++writes));
  }

  @Test
  void anotherNumberIsToldAndTheSameIsNot() throws IOException {
    write(" 8 \n");
    jobsFile.look();
    jobsFile.look();
    write("8\n");
    jobsFile.look();
    write("1");
    jobsFile.look();
    assertThat(changes).containsExactly(8, 1);
    assertThat(complaints).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "0", "-1", "100001", "2 3", "99999999999999999999"})
  void whatIsNoSuchNumberIsToldOnceAndChangesNothing(String text) throws IOException {
    write(text);
    jobsFile.look();
    jobsFile.look();
    write(text);
    jobsFile.look();
    assertThat(complaints)
        .containsExactly(
            "--jobs-file "
                + file
                + ": \""
                + text
                + "\" is no whole number from 1 to 100000; it stays at 2");
    write("3");
    jobsFile.look();
    write(text);
    jobsFile.look();
    assertThat(changes).containsExactly(3);
    assertThat(complaints).hasSize(2);
    assertThat(complaints.get(1)).endsWith("it stays at 3");
  }

  @Test
  void aFileThatIsAboutToBeWrittenIsGivenTime() throws IOException {
    write("");
    jobsFile.look();
    assertThat(complaints).isEmpty();
    write("5");
    jobsFile.look();
    assertThat(changes).containsExactly(5);
    write("");
    jobsFile.look();
    jobsFile.look();
    jobsFile.look();
    assertThat(complaints).hasSize(1);
  }

  @Test
  void aFileThatIsGoneIsToldOnceAndMayComeBack() throws IOException {
    Files.delete(file);
    jobsFile.look();
    jobsFile.look();
    assertThat(complaints).containsExactly("--jobs-file " + file + ": no such file; it stays at 2");
    write("4");
    jobsFile.look();
    assertThat(changes).containsExactly(4);
  }

  @Test
  void atTheStartItMustHoldANumber() throws Exception {
    assertThat(JobsFile.readFirst(file.toString())).isEqualTo(2);
    write("x");
    assertThatThrownBy(() -> JobsFile.readFirst(file.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--jobs-file " + file);
  }
}
