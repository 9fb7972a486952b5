package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.headgate.jdbc.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Makes one process the owner of a store's file, by a lock that the operating system takes back
 * however the process ends. It lies on a file of its own, which also says who it is: opening and
 * closing the database itself would drop the locks that SQLite holds on it.
 */
final class FileOwner implements AutoCloseable {

  private final FileChannel channel;

  private FileOwner(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Becomes the owner of {@code store}.
   *
   * @throws StoreException if another worker is, of this process or another
   */
  static FileOwner of(Path store) {
    Path file = store.resolveSibling(store.getFileName() + ".owner");
    FileChannel channel = open(store, file);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new StoreException(
            Kind.LOCKED,
            "the store %s is in use by process %s: stop that process first"
                .formatted(store, Files.readString(file, US_ASCII).strip()));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)), 0);
      return new FileOwner(channel);
    } catch (StoreException e) {
      closeQuietly(channel);
      throw e;
    } catch (IOException e) {
      closeQuietly(channel);
      throw new StoreException(
          Kind.UNREACHABLE, "the owner of the store " + store + " cannot be told by " + file, e);
    }
  }

  private static FileChannel open(Path store, Path file) {
    try {
      return FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    } catch (IOException e) {
      boolean isThere = Files.isDirectory(store.toAbsolutePath().resolveSibling(""));
      throw new StoreException(
          isThere ? Kind.READ_ONLY : Kind.UNREACHABLE,
          isThere
              ? "the store " + store + " is read-only: let this user write its folder"
              : "the store " + store + " cannot be opened: its folder does not exist, create it",
          e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another worker of this very process
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock goes with the channel, closed well or not.
    }
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
