package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Holds the children of a test: each says that it runs, and goes on when it is let through. For
 * {@code sh -c} commands in the gate's directory.
 */
final class Gate implements AutoCloseable {
  /** What a child runs to say that it is there; its process id is its group's. */
  static final String SAY = "echo $$ >> ids; ";

  /** What a child runs to wait until it is let through. */
  static final String WAIT = "read x < gate; ";

  private final Path directory;
  private final RandomAccessFile fifo;

  Gate(Path directory) throws IOException, InterruptedException {
    this.directory = directory;
    Path gate = directory.resolve("gate");
    assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor()).isZero();
    // Opened both ways it neither waits for the other side nor shows an end to a reader.
    fifo = new RandomAccessFile(gate.toFile(), "rw");
  }

  Path ids() {
    return directory.resolve("ids");
  }

  void letThrough(int children) throws IOException {
    fifo.write("\n".repeat(children).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    fifo.close();
  }
}
