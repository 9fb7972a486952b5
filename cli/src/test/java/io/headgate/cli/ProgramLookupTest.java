package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramLookupTest {
  @TempDir Path directory;

  private Path file(String name, String permissions) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void findsAProgramInThePath() throws IOException {
    file("tool", "rwxr-xr-x");
    assertThat(ProgramLookup.find("tool", "/nowhere:" + directory)).isEqualTo(ExitCode.OK);
  }

  @Test
  void tellsMissingFromNotExecutable() throws IOException {
    file("data", "rw-r--r--");
    assertThat(ProgramLookup.find("data", "/nowhere:" + directory)).isEqualTo(126);
    assertThat(ProgramLookup.find("none", "/nowhere:" + directory)).isEqualTo(127);
    assertThat(ProgramLookup.find(directory + "/data", null)).isEqualTo(126);
    assertThat(ProgramLookup.find(directory + "/none", null)).isEqualTo(127);
  }

  @Test
  void aDirectoryIsNoProgram() {
    assertThat(ProgramLookup.find(directory.toString(), null)).isEqualTo(126);
  }

  @Test
  void aLaterExecutableCountsMoreThanAnEarlierFile() throws IOException {
    Path second = Files.createDirectory(directory.resolve("second"));
    file("tool", "rw-r--r--");
    file("second/tool", "rwxr-xr-x");
    assertThat(ProgramLookup.find("tool", directory + ":" + second)).isEqualTo(ExitCode.OK);
  }

  @Test
  void withoutAPathTheSystemsDirectoriesAreSearched() {
    assertThat(ProgramLookup.find("sh", null)).isEqualTo(ExitCode.OK);
  }
}
