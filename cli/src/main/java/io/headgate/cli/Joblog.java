package io.headgate.cli;

import io.headgate.cli.RunOptions.Resume;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The file with a row for every item that was read: the columns of GNU parallel, then outcome, id
 * and content hash, parted by tabs.
 *
 * <p>A row is written at once, in one write where it has less than some kilobytes, as the job ends;
 * so a process that is killed leaves whole rows, at worst a last one without its newline, which the
 * next run takes away. A row that finds no space on the disk is taken back. One process at a time
 * may have the file. Safe for all threads.
 */
final class Joblog implements AutoCloseable {
  static final String HEADER =
      "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\tOutcome\tId\tHash";

  private static final String NO_FAILURES = "there is no such joblog to take failures from";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NOT_RUN = -1;
  private static final int FILE_TYPE = 0xF000;
  private static final int CHARACTER_DEVICE = 0x2000;

  private final String name;
  private final RandomAccessFile file;
  private final boolean regular;
  private final Recorded recorded;
  // The next row goes here; what an interrupted write left beyond is cut off.
  private long end;

  private Joblog(String name, RandomAccessFile file, boolean regular, Recorded recorded) {
    this.name = name;
    this.file = file;
    this.regular = regular;
    this.recorded = recorded;
  }

  /**
   * Opens the file, reads what it records, and makes it ready for more rows.
   *
   * @throws UsageException if it holds what this run may not go on with, or is in use
   * @throws IOException if it cannot be read or written
   */
  static Joblog open(String name, Resume resume) throws UsageException, IOException {
    File path = new File(name);
    if (resume == Resume.FAILED_ONLY && !path.exists()) {
      throw wrong(name, NO_FAILURES);
    }
    boolean regular = !path.exists() || path.isFile();
    if (!regular && !path.isDirectory() && !isCharacterDevice(path)) {
      throw wrong(name, "is a pipe or a socket, whose reader could hold up the run; name a file");
    }
    if (!regular && resume != Resume.NO) {
      throw wrong(name, "is no regular file, so nothing can be resumed from it");
    }
    RandomAccessFile file = new RandomAccessFile(path, "rw");
    try {
      Joblog joblog = new Joblog(name, file, regular, new Recorded(resume));
      joblog.begin(resume);
      return joblog;
    } catch (IOException | UsageException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * What a joblog records, without a change to it; nothing where there is none.
   *
   * @throws UsageException if it is not a joblog of this command
   * @throws IOException if it cannot be read
   */
  static Recorded readOnly(String name, Resume resume) throws UsageException, IOException {
    Recorded recorded = new Recorded(resume);
    boolean exists = new File(name).exists();
    if (!exists && resume == Resume.FAILED_ONLY) {
      throw wrong(name, NO_FAILURES);
    }
    if (exists) {
      try (RandomAccessFile file = new RandomAccessFile(name, "r")) {
        var _ = recorded.read(file, name);
      }
    }
    return recorded;
  }

  private static boolean isCharacterDevice(File path) throws IOException {
    int mode = (Integer) Files.getAttribute(path.toPath(), "unix:mode");
    return (mode & FILE_TYPE) == CHARACTER_DEVICE;
  }

  private void begin(Resume resume) throws UsageException, IOException {
    if (regular) {
      lock();
      if (file.length() > 0) {
        end = recorded.read(file, name);
        if (resume == Resume.NO && recorded.rows() > 0) {
          throw wrong(
              name, "holds the rows of an earlier run; go on with --resume, or name another file");
        }
        file.setLength(end);
      }
      file.seek(end);
    }
    if (end == 0) {
      write((HEADER + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private void lock() throws UsageException, IOException {
    FileLock lock;
    try {
      lock = file.getChannel().tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw wrong(name, "is being written by another run; wait for its end, or name another file");
    }
  }

  private static UsageException wrong(String name, String rule) {
    return new UsageException(RunOption.JOBLOG.option() + " " + name + ": " + rule);
  }

  /** What the file held when it was opened. */
  Recorded recorded() {
    return recorded;
  }

  /**
   * Appends the row of an item.
   *
   * @param command its words
   * @throws IOException if it cannot be written whole; nothing of it is left then
   */
  void append(Item item, Fate fate, CommandTemplate command, String id) throws IOException {
    byte[] row = row(item, fate, command, id);
    synchronized (this) {
      write(row);
    }
  }

  private void write(byte[] row) throws IOException {
    try {
      file.write(row);
      end += row.length;
    } catch (IOException e) {
      if (regular) {
        file.setLength(end);
        file.seek(end);
      }
      throw e;
    }
  }

  private static byte[] row(Item item, Fate fate, CommandTemplate command, String id) {
    Execution execution = item.execution();
    ByteArrayOutputStream row = new ByteArrayOutputStream(256);
    row.writeBytes(
        String.format(
                Locale.ROOT,
                "%d\t:\t%.3f\t%10.3f\t0\t%d\t%d\t%d\t",
                item.position(),
                execution.startMillis() / 1000.0,
                execution.runNanos() / NANOS_PER_SECOND,
                execution.outBytes(),
                exitValue(execution.ending()),
                signal(execution.ending()))
            .getBytes(StandardCharsets.US_ASCII));
    if (!item.isCut()) {
      row.writeBytes(ShellWords.quote(command.words(item)));
    }
    row.writeBytes(
        ("\t" + fate.text() + "\t" + id + "\t" + ItemIds.hash(item.hash()) + "\n")
            .getBytes(StandardCharsets.UTF_8));
    return row.toByteArray();
  }

  private static int exitValue(@Nullable Ending ending) {
    return switch (ending) {
      case null -> NOT_RUN;
      case Ending.Exited(int status) -> status;
      case Ending.Killed(int signal) -> 0;
    };
  }

  private static int signal(@Nullable Ending ending) {
    return ending instanceof Ending.Killed(int signal) ? signal : 0;
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
