package io.headgate.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A directory for the output and the status of each command, each in a directory named by the
 * position of its item. Safe for all threads.
 */
final class Results {
  /** Told once, when results cannot be kept; must not block for long. */
  interface Trouble {
    void broken(String message);
  }

  private final Path directory;
  private final Trouble trouble;
  private final AtomicBoolean told = new AtomicBoolean();

  private Results(Path directory, Trouble trouble) {
    this.directory = directory;
    this.trouble = trouble;
  }

  /**
   * Makes the directory, where it is missing, and those above it.
   *
   * @throws IOException if it cannot be made or written
   */
  static Results in(String name, Trouble trouble) throws IOException {
    try {
      Path directory = Path.of(name);
      Files.createDirectories(directory);
      // Nothing but a file that was made says for sure that files can be made.
      Files.delete(Files.createTempFile(directory, ".headgate-", ""));
      return new Results(directory, trouble);
    } catch (InvalidPathException e) {
      throw new IOException(name + ": " + e.getReason(), e);
    } catch (IOException e) {
      throw new IOException(name + ": " + reason(e), e);
    }
  }

  /** Keeps what the command for an item writes, and passes it on. */
  Delivery open(Item item, Delivery next) {
    Path place = directory.resolve(Long.toString(item.position()));
    try {
      return ResultFiles.open(place, this, next);
    } catch (IOException e) {
      fail(place, e);
      return next;
    }
  }

  /** Tells once that something cannot be written. */
  void fail(Path place, IOException e) {
    if (!told.getAndSet(true)) {
      trouble.broken("the results cannot be written: " + place + ": " + reason(e));
    }
  }

  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    if (reason != null) {
      return reason;
    }
    return switch (e) {
      case AccessDeniedException denied -> "Permission denied";
      case FileAlreadyExistsException there -> "Not a directory";
      case NoSuchFileException missing -> "No such file or directory";
      default -> e.getClass().getSimpleName();
    };
  }
}
