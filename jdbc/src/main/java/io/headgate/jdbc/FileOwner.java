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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Makes one process the owner of a store's file, by a lock that the operating system takes back
 * however the process ends. It lies on a file of its own, which also says who it is: opening and
 * closing the database itself would drop the locks that SQLite holds on it.
 */
/*
 * POSIX drops a process's lock when that process closes any descriptor of the file, so this process
 * must never open a note whose lock it holds: not to try once more, and not to read it.
 */
final class FileOwner implements AutoCloseable {

  /** The stores that this process owns. Guarded by the class. */
  private static final Set<Path> OWNED = new HashSet<>();

  /** Kept open for as long as the process lives. Guarded by the class. */
  private static final List<FileChannel> NEVER_CLOSED = new ArrayList<>();

  private final Path store;
  private final FileChannel channel;

  private FileOwner(Path store, FileChannel channel) {
    this.store = store;
    this.channel = channel;
  }

  /**
   * Becomes the owner of {@code store}.
   *
   * @throws StoreException if another worker is, of this process or another
   */
  static synchronized FileOwner of(Path store) {
    Path real = RealPath.of(store);
    if (OWNED.contains(real)) {
      throw inUse(store, Long.toString(ProcessHandle.current().pid()));
    }
    Path file = note(real);
    FileChannel channel = open(store, file);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(store, Files.readString(file, US_ASCII).strip());
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)), 0);
      OWNED.add(real);
      return new FileOwner(real, channel);
    } catch (OverlappingFileLockException e) {
      // This class, loaded a second time into this process, owns it: to close would drop its lock.
      NEVER_CLOSED.add(channel);
      throw inUse(store, Long.toString(ProcessHandle.current().pid()));
    } catch (StoreException e) {
      closeQuietly(channel);
      throw e;
    } catch (IOException e) {
      closeQuietly(channel);
      throw new StoreException(
          Kind.UNREACHABLE, "the owner of the store " + store + " cannot be told by " + file, e);
    }
  }

  private static StoreException inUse(Path store, String pid) {
    return new StoreException(
        Kind.LOCKED,
        "the store %s is in use by process %s: stop that process first".formatted(store, pid));
  }

  private static Path note(Path store) {
    return store.resolveSibling(store.getFileName() + ".owner");
  }

  /** The process that owns {@code store}, if the one that its note names is there. */
  static synchronized OptionalLong pid(Path store) {
    Path real = RealPath.of(store);
    if (OWNED.contains(real)) {
      return OptionalLong.of(ProcessHandle.current().pid());
    }
    try {
      long pid = Long.parseLong(Files.readString(note(real), US_ASCII).strip());
      return ProcessHandle.of(pid).isPresent() ? OptionalLong.of(pid) : OptionalLong.empty();
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static FileChannel open(Path store, Path file) {
    try {
      return FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    } catch (IOException e) {
      boolean isThere = Files.isDirectory(file.resolveSibling(""));
      throw new StoreException(
          isThere ? Kind.READ_ONLY : Kind.UNREACHABLE,
          isThere
              ? "the store " + store + " is read-only: let this user write its folder"
              : "the store " + store + " cannot be opened: its folder does not exist, create it",
          e);
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
    synchronized (FileOwner.class) {
      if (channel.isOpen()) {
        closeQuietly(channel);
        OWNED.remove(store);
      }
    }
  }
}
