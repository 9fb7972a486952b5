package io.headgate.jdbc;

import io.headgate.Outcome;
import io.headgate.WhenFull;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How waiting jobs make room for a newcomer: those that are too late, then those that are shed. */
final class MakingRoom {

  private final Ledger ledger;
  private final Room room;
  private final WaitingFront front;

  MakingRoom(Ledger ledger, Room room, WaitingFront front) {
    this.ledger = ledger;
    this.room = room;
    this.front = front;
  }

  void expireOverdue(long bytes) throws SQLException {
    long now = ledger.now();
    for (int i = 0; i < Ledger.MAX_ENDED_ON_THE_WAY && !ledger.fits(bytes); i++) {
      JobRow overdue = ledger.session().jobs.firstExpired(now);
      if (overdue == null) {
        return;
      }
      ledger.endUnstarted(overdue, Outcome.Unstarted.Cause.EXPIRED);
    }
  }

  /** Sheds until there is room; false, and nothing is shed, if that would not be enough. */
  boolean shed(int level, long bytes, WhenFull.Kind whenFull) throws SQLException {
    boolean oldestFirst = whenFull == WhenFull.Kind.SHED_OLDEST;
    int highest = oldestFirst ? level : level + 1;
    Counts counts = ledger.counts();
    long slotsShort = counts.unfinished() + 1 - room.limit();
    long bytesShort = bytes - room.bytesLeft(counts);
    if (counts.waitingFrom(highest) < Math.max(1, slotsShort)
        || counts.waitingBytesFrom(highest) < bytesShort) {
      return false;
    }
    while (!ledger.fits(bytes)) {
      JobRow victim = oldestFirst ? oldestFrom(level) : leastCriticalBelow(level);
      if (victim == null) {
        throw new SQLException("the waiting jobs do not add up to their counters");
      }
      ledger.endUnstarted(victim, Outcome.Unstarted.Cause.SHED);
    }
    return true;
  }

  private @Nullable JobRow oldestFrom(int level) throws SQLException {
    return ledger.session().jobs.oldestFromLevel(front.cursor(), level);
  }

  private @Nullable JobRow leastCriticalBelow(int level) throws SQLException {
    for (int each = Counts.LEVELS - 1; each > level; each--) {
      JobRow oldest = each == 1 ? oldestFrom(1) : ledger.session().jobs.oldestOfLevel(each);
      if (oldest != null) {
        return oldest;
      }
    }
    return null;
  }
}
