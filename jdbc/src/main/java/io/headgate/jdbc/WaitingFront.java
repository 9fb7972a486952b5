package io.headgate.jdbc;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The first of the waiting jobs, as rows that need not be read again: those just admitted while few
 * wait, and pages of the table while many do. Bounded in number and bytes. Belongs to the writer.
 */
/*
 * Every waiting job numbered up to `through` is in `rows`, in order; what is not in `rows` and
 * numbered up to it does not wait. Both change with the table, within its transaction; after a
 * rollback all is forgotten back to `floor`, up to which no job waited at the last commit.
 */
final class WaitingFront {

  private static final int MAX_JOBS = 1_024;
  private static final long MAX_BYTES = 4L << 20;
  private static final int PAGE = 64;

  private final Deque<JobRow> rows = new ArrayDeque<>();
  private long bytes;
  private long through;
  private long floor;

  /** Jobs up to this one do not wait. */
  long cursor() {
    JobRow first = rows.peekFirst();
    return first == null ? through : first.seq() - 1;
  }

  /**
   * The first waiting job; null if there is none.
   *
   * @param last the number of the last job that was admitted
   */
  @Nullable JobRow first(JobTable jobs, long last) throws SQLException {
    JobRow first = rows.peekFirst();
    if (first == null && through < last) {
      boolean isAll = jobs.waiting(through, PAGE, MAX_BYTES, this::add);
      if (isAll) {
        through = last;
      }
      first = rows.peekFirst();
    }
    return first;
  }

  private void add(JobRow row) {
    rows.addLast(row);
    bytes += row.payload().length;
    through = row.seq();
  }

  /** A job was admitted, the last one so far. */
  void admitted(JobRow row) {
    if (through == row.seq() - 1
        && rows.size() < MAX_JOBS
        && bytes + row.payload().length <= MAX_BYTES) {
      add(row);
    }
  }

  /** No job waits, up to this one. */
  void nothingWaits(long last) {
    if (rows.isEmpty()) {
      through = last;
    }
  }

  /** A job does not wait any more. */
  void left(JobRow row) {
    if (row.seq() > through) {
      return;
    }
    JobRow first = rows.peekFirst();
    if (first != null && first.seq() == row.seq()) {
      rows.removeFirst();
      bytes -= first.payload().length;
    } else if (rows.removeIf(each -> each.seq() == row.seq())) {
      bytes -= row.payload().length;
    }
  }

  void committed() {
    floor = cursor();
  }

  void rolledBack() {
    forget(floor);
  }

  /** Another connection: nothing is known. */
  void forgetAll() {
    floor = 0;
    forget(0);
  }

  private void forget(long backTo) {
    rows.clear();
    bytes = 0;
    through = backTo;
  }
}
