package io.headgate.cli;

import io.headgate.cli.RunOptions.Resume;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * What a joblog records of earlier runs: for each position the content hash and how the last job of
 * it ended. Nine bytes a position. One thread.
 */
final class Recorded implements Earlier {
  private static final byte NONE = 0;
  private static final byte DONE = 1;
  private static final byte FAILED = 2;
  private static final byte OPEN = 3;

  // Positions are dense, but rows come in the order of the ends; a page holds neighbours.
  private static final int PAGE = 1 << 12;

  private static final class Page {
    private final long[] hashes = new long[PAGE];
    private final byte[] states = new byte[PAGE];
  }

  private static final int COLUMNS = 12;
  private static final int OUTCOME = 9;
  private static final int HASH = 11;

  private final Resume resume;
  private final Map<Long, Page> pages = new HashMap<>();
  private long rows;
  private long torn;
  private long skipped;

  /**
   * @param resume what of the rows is run again
   */
  Recorded(Resume resume) {
    this.resume = resume;
  }

  /**
   * Reads the rows of a joblog.
   *
   * @return where the next row belongs: behind the last whole one
   * @throws UsageException if it is not a joblog of this command
   */
  long read(RandomAccessFile file, String name) throws UsageException, IOException {
    file.seek(0);
    long end = 0;
    long number = 0;
    // Not closed: it would close the file.
    InputStream in = new BufferedInputStream(new FileInputStream(file.getFD()), 1 << 16);
    ByteArrayOutputStream row = new ByteArrayOutputStream(256);
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b != '\n') {
        row.write(b);
        continue;
      }
      number++;
      end += row.size() + 1L;
      if (number == 1) {
        checkHeader(row.toString(StandardCharsets.UTF_8), name);
      } else if (!take(row.toString(StandardCharsets.ISO_8859_1).split("\t", -1))) {
        throw new UsageException(
            RunOption.JOBLOG.option()
                + " "
                + name
                + ": its line "
                + number
                + " is no row of a joblog; mend or remove the line, or name another file");
      }
      row.reset();
    }
    rows = Math.max(0, number - 1);
    torn = row.size();
    return end;
  }

  private static void checkHeader(String header, String name) throws UsageException {
    if (!header.equals(Joblog.HEADER)) {
      throw new UsageException(
          RunOption.JOBLOG.option()
              + " "
              + name
              + ": has not the columns of a joblog of headgate; name another file");
    }
  }

  private boolean take(String[] columns) {
    if (columns.length != COLUMNS) {
      return false;
    }
    try {
      long position = Long.parseLong(columns[0]);
      long hash = HexFormat.fromHexDigitsToLong(columns[HASH]);
      if (position < 1) {
        return false;
      }
      Page page = pages.computeIfAbsent(position / PAGE, key -> new Page());
      int at = (int) (position % PAGE);
      page.hashes[at] = hash;
      page.states[at] = state(columns[OUTCOME]);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static byte state(String fate) {
    if (fate.equals(Fate.Kind.COMPLETED.word()) || fate.equals("refused(DUPLICATE)")) {
      return DONE;
    }
    return fate.startsWith(Fate.Kind.FAILED.word()) ? FAILED : OPEN;
  }

  /** How many rows there were. */
  long rows() {
    return rows;
  }

  /** Bytes of a last row that had not been written whole. */
  long tornBytes() {
    return torn;
  }

  @Override
  public Decision decide(Item item) {
    Page page = pages.get(item.position() / PAGE);
    int at = (int) (item.position() % PAGE);
    byte state = page == null ? NONE : page.states[at];
    if (page != null && state != NONE && page.hashes[at] != item.hash()) {
      return Decision.DIFFERS;
    }
    Decision decision = decide(state);
    if (decision != Decision.RUN) {
      skipped++;
    }
    return decision;
  }

  private Decision decide(byte state) {
    return switch (state) {
      case DONE -> Decision.SKIP;
      case FAILED -> resume == Resume.UNFINISHED ? Decision.SKIP_FAILED : Decision.RUN;
      default -> resume == Resume.FAILED_ONLY ? Decision.SKIP_UNDONE : Decision.RUN;
    };
  }

  @Override
  public long takeSkipped() {
    long taken = skipped;
    skipped = 0;
    return taken;
  }

  @Override
  public String difference(Item item) {
    Page page = pages.get(item.position() / PAGE);
    long hash = page == null ? 0 : page.hashes[(int) (item.position() % PAGE)];
    return "is not what the joblog has at position "
        + item.position()
        + " (its hash there is "
        + ItemIds.hash(hash)
        + ", here "
        + ItemIds.hash(item.hash())
        + "); it was not run, and nothing after it: give the input of the earlier run, or another"
        + " --joblog";
  }

  @Override
  public String wrongEnd(long last) {
    return "";
  }

  @Override
  public long beyond(long last) {
    return count(last, state -> true);
  }

  @Override
  public long beyondToRun(long last) {
    return count(last, state -> decide((byte) state) == Decision.RUN);
  }

  @Override
  public String name() {
    return "joblog";
  }

  private long count(long last, IntPredicate counts) {
    long count = 0;
    for (Map.Entry<Long, Page> entry : pages.entrySet()) {
      long first = entry.getKey() * PAGE;
      byte[] states = entry.getValue().states;
      for (int i = (int) Math.max(0, Math.min(PAGE, last + 1 - first)); i < PAGE; i++) {
        if (states[i] != NONE && counts.test(states[i])) {
          count++;
        }
      }
    }
    return count;
  }
}
