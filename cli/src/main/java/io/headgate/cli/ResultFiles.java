package io.headgate.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes each stream of one command to a file, byte by byte as it came, and passes it on. The
 * status is written last, so that a directory without one is incomplete.
 *
 * <p>Files are written as streams, as a channel would be closed by the interrupt of a cancelled
 * job.
 */
final class ResultFiles implements Delivery {
  private static final String STATUS = "status";
  private static final String UNFINISHED_STATUS = ".status";

  private final Path directory;
  private final Results results;
  private final Delivery next;
  private final OutputStream out;
  private final OutputStream err;
  private boolean broken;

  private ResultFiles(
      Path directory, Results results, Delivery next, OutputStream out, OutputStream err) {
    this.directory = directory;
    this.results = results;
    this.next = next;
    this.out = out;
    this.err = err;
  }

  /**
   * Makes the directory; what an earlier run left there is replaced.
   *
   * @throws IOException if it or its files cannot be made
   */
  static ResultFiles open(Path directory, Results results, Delivery next) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectory(directory);
    }
    Files.deleteIfExists(directory.resolve(STATUS));
    OutputStream out = new FileOutputStream(directory.resolve("stdout").toFile());
    try {
      OutputStream err = new FileOutputStream(directory.resolve("stderr").toFile());
      return new ResultFiles(directory, results, next, out, err);
    } catch (IOException e) {
      out.close();
      throw e;
    }
  }

  @Override
  public boolean take(Output.Stream stream, byte[] bytes, int count, Pause pause) {
    if (!broken) {
      try {
        (stream == Output.Stream.OUT ? out : err).write(bytes, 0, count);
      } catch (IOException e) {
        fail(e);
      }
    }
    return next.take(stream, bytes, count, pause);
  }

  @Override
  public void proceed(Pause pause) {
    next.proceed(pause);
  }

  @Override
  public void ended(Ending ending, Pause pause) {
    try {
      out.close();
      err.close();
      if (!broken) {
        writeStatus(ending);
      }
    } catch (IOException e) {
      fail(e);
    }
    next.ended(ending, pause);
  }

  private void writeStatus(Ending ending) throws IOException {
    int status =
        switch (ending) {
          case Ending.Exited(int code) -> code;
          case Ending.Killed(int signal) -> Ending.SHELL_SIGNAL_BASE + signal;
        };
    // The name stands for a whole one, so the file gets it last.
    Path unfinished = directory.resolve(UNFINISHED_STATUS);
    try (OutputStream file = new FileOutputStream(unfinished.toFile())) {
      file.write((status + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    Files.move(unfinished, directory.resolve(STATUS), StandardCopyOption.ATOMIC_MOVE);
  }

  private void fail(IOException e) {
    broken = true;
    results.fail(directory, e);
  }
}
