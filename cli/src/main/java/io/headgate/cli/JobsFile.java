package io.headgate.cli;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A file that says how many commands run at once. Looked at every second, and read when its time or
 * size has changed. A content that is no such number changes nothing and is told, once for each
 * time that it changes.
 */
final class JobsFile {
  private static final int MOST_BYTES = 100;
  private static final String NO_FILE = "no such file";
  private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final Path file;
  private final IntConsumer change;
  private final Consumer<String> complaint;
  private String seen = "";
  private String told = "";
  private String emptied = "";
  private int current;

  JobsFile(String name, int current, IntConsumer change, Consumer<String> complaint) {
    this.file = Path.of(name);
    this.current = current;
    this.change = change;
    this.complaint = complaint;
  }

  /**
   * The number that the file holds at the start.
   *
   * @throws UsageException if it holds none, or cannot be read
   */
  static int readFirst(String name) throws UsageException {
    try {
      return read(Path.of(name));
    } catch (IOException e) {
      throw new UsageException(RunOption.JOBS_FILE.option() + " " + name + ": " + e.getMessage());
    }
  }

  /** Starts to watch, on a thread of its own, until the process ends. */
  void watch() {
    Thread.ofPlatform().daemon().name("headgate-jobs-file").start(this::lookForEver);
  }

  private void lookForEver() {
    try {
      while (true) {
        look();
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks once, and tells a change. */
  void look() {
    try {
      String stamp = Files.getLastModifiedTime(file) + " " + Files.size(file);
      if (stamp.equals(seen)) {
        return;
      }
      if (Files.size(file) == 0 && !stamp.equals(emptied)) {
        // A shell empties a file before it writes to it; the next look finds the number.
        emptied = stamp;
        return;
      }
      seen = stamp;
      int number = read(file);
      told = "";
      if (number != current) {
        current = number;
        change.accept(number);
      }
    } catch (IOException e) {
      String text = e instanceof NoSuchFileException ? NO_FILE : String.valueOf(e.getMessage());
      if (!text.equals(told)) {
        told = text;
        complaint.accept(
            RunOption.JOBS_FILE.option() + " " + file + ": " + text + "; it stays at " + current);
      }
    }
  }

  private static int read(Path file) throws IOException {
    String text;
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("it is no regular file");
    }
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException("it holds more than a number");
      }
      text = Files.readString(file).strip();
    } catch (MalformedInputException e) {
      throw new IOException("it holds no text", e);
    } catch (NoSuchFileException e) {
      throw new IOException(NO_FILE, e);
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= RunSyntax.MAX_CONCURRENCY) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, together with numbers out of range.
    }
    throw new IOException(
        "\"" + text + "\" is no whole number from 1 to " + RunSyntax.MAX_CONCURRENCY);
  }
}
