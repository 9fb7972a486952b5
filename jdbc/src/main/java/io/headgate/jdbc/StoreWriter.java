package io.headgate.jdbc;

import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes: it takes all requests that lie there, runs them in one transaction,
 * commits, and only then answers them. While it waits for the disk the next group gathers.
 */
/*
 * A group that fails is rolled back as a whole. Its newcomers may be why: a full store still has room
 * for ends, which free more than they take. So the others are tried once more without them. If that
 * fails the store is away: claims are given back, ends stay here (no more than run), and all is tried
 * again with growing pauses, on a new connection, until a commit succeeds. Nobody has to do anything
 * for it. The newcomers are refused UNAVAILABLE once it is known whether the store is away.
 *
 * An Error, such as of memory, between two groups is told and the writer goes on. One in a
 * transaction rolls it back, as any failure. One after a commit, or within the handling of a
 * failure, leaves what this process knows unsure: the store stays away for good, so that readiness
 * is red and newcomers are refused at once, and the lock is kept until nothing runs.
 */
final class StoreWriter implements Runnable {

  private static final System.Logger LOGGER = System.getLogger(StoreWriter.class.getName());
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

  private final Desk desk;
  private final Ledger ledger;
  private final GroupRun run;
  private final Dialect dialect;
  private final Teller teller;
  private final AutoCloseable owned;
  private final Outages outages;
  private final Thread thread;

  /** What went wrong after a commit; looked at by the writer only. */
  private @Nullable Throwable broken;

  /** Tells of what ended by itself, where the thread that caused it has left. */
  interface Teller {
    void tell(List<Ledger.Ended> ended);
  }

  /**
   * @param owned released when the writer has nothing to do any more
   */
  StoreWriter(
      Desk desk,
      Ledger ledger,
      Dialect dialect,
      Teller teller,
      AutoCloseable owned,
      Ticker ticker) {
    this.desk = desk;
    this.ledger = ledger;
    this.run = new GroupRun(desk, ledger);
    this.dialect = dialect;
    this.teller = teller;
    this.owned = owned;
    this.outages = new Outages(ticker);
    this.thread = Thread.ofPlatform().daemon().name("headgate-store").unstarted(this);
  }

  void start() {
    thread.start();
  }

  /** Waits until the writer has ended, at most {@code millis}; for one that is about to. */
  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  @Override
  @SuppressWarnings("try") // what closing may throw is logged
  public void run() {
    try {
      Desk.Group group = take();
      while (group != null) {
        try {
          write(group);
        } catch (RuntimeException | Error e) {
          broken = e;
        }
        if (broken != null) {
          stayAwayForGood(group.requests(), broken);
          return;
        }
        group = take();
      }
    } finally {
      ledger.session().close();
      try {
        owned.close();
      } catch (Exception e) {
        LOGGER.log(Level.WARNING, "could not let go of the store " + dialect, e);
      }
    }
  }

  private Desk.@Nullable Group take() {
    long pause = FIRST_PAUSE_NANOS;
    while (true) {
      try {
        return desk.take();
      } catch (RuntimeException | Error e) {
        tell("the writer of the store " + dialect + " failed between two groups; it goes on", e);
        desk.park(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  private static void tell(String what, Throwable failure) {
    try {
      LOGGER.log(Level.ERROR, what, failure);
    } catch (RuntimeException | Error e) {
      // It may be the memory that is short; the writer matters more than the line.
    }
  }

  private void stayAwayForGood(List<Request> unanswered, Throwable failure) {
    tell("the writer of the store " + dialect + " failed; start this process again", failure);
    StoreException why =
        new StoreException(
            StoreException.Kind.UNREACHABLE,
            "the writer of the store " + dialect + " failed: start this process again",
            failure);
    List<Request> group = unanswered;
    while (true) {
      try {
        desk.failed(group, why, true);
        group = List.of();
        if (desk.isClosed()) {
          return;
        }
        Desk.Group more = desk.poll();
        if (more != null) {
          group = more.requests();
        } else {
          desk.park(LONGEST_PAUSE_NANOS);
        }
      } catch (RuntimeException | Error e) {
        group = List.of();
        desk.park(LONGEST_PAUSE_NANOS);
      }
    }
  }

  private void write(Desk.Group group) {
    List<Request> requests = group.requests();
    if (requests.isEmpty()) {
      return;
    }
    StoreException why = attempt(requests, group.open(), false);
    if (why == null) {
      return;
    }
    List<Request> newcomers = new ArrayList<>();
    List<Request> others = new ArrayList<>();
    for (Request request : requests) {
      (request.isAdmission() ? newcomers : others).add(request);
    }
    boolean isMixed = !others.isEmpty() && !newcomers.isEmpty();
    StoreException away = isMixed ? attempt(others, group.open(), false) : why;
    // Only now, so that who is refused finds the store away if it is.
    desk.failed(newcomers, away == null ? why : away, away != null);
    if (away != null) {
      stayAway(others, away);
    }
  }

  /** Runs a group in one transaction; null, or why nothing of it is committed. */
  private @Nullable StoreException attempt(List<Request> group, boolean open, boolean probing) {
    StoreException why = commit(group, open, probing, false);
    if (why != null && why.kind() == StoreException.Kind.UNACCEPTABLE) {
      group.forEach(Request::forgetEnded);
      why = commit(group, open, true, true);
    }
    if (why != null) {
      return why;
    }
    // It is committed, so it must be answered and never run again, whatever goes wrong from here.
    afterCommit(ledger::committed);
    afterCommit(
        () ->
            desk.published(
                group,
                ledger.session().committed(),
                look(ledger::firstExpiry),
                look(ledger::firstDue),
                ledger.ended()));
    for (Request request : group) {
      if (!request.answer()) {
        teller.tell(request.ended());
      }
    }
    return null;
  }

  private void afterCommit(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      broken = e;
    }
  }

  /** UNACCEPTABLE says that it is one of the requests, and that each is to be tried by itself. */
  private @Nullable StoreException commit(
      List<Request> group, boolean open, boolean probing, boolean oneByOne) {
    try {
      ledger.begin();
      if (oneByOne) {
        run.oneByOne(group, open);
      } else {
        run.together(group, open);
      }
      if (probing) {
        ledger.session().probe();
      }
      ledger.commitOnly();
      return null;
    } catch (SQLException e) {
      ledger.rollback();
      return oneByOne || dialect.isOfTheStore(e) ? dialect.explain(e) : unacceptable(e);
    } catch (RuntimeException | Error e) {
      ledger.rollback();
      return oneByOne
          ? new StoreException(
              StoreException.Kind.UNREACHABLE, "a statement on the store " + dialect + " failed", e)
          : unacceptable(e);
    }
  }

  private StoreException unacceptable(Throwable why) {
    return new StoreException(
        StoreException.Kind.UNACCEPTABLE, "a request to the store " + dialect + " failed", why);
  }

  /** A time to look again. Only a hint: where it cannot be had, everything is woken in the end. */
  private interface Hint {
    long time() throws SQLException;
  }

  private static long look(Hint hint) {
    try {
      return hint.time();
    } catch (SQLException | RuntimeException | Error e) {
      return JobRow.NEVER;
    }
  }

  private void stayAway(List<Request> group, StoreException why) {
    boolean isTold = outages.mayTell(why.kind());
    if (isTold) {
      LOGGER.log(Level.ERROR, "refusing jobs until it is back: " + why.getMessage());
    }
    List<Request> staying = desk.failed(group, why, true);
    long pause = FIRST_PAUSE_NANOS;
    while (true) {
      desk.park(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      Desk.Group more = desk.poll();
      if (more != null) {
        staying = new ArrayList<>(staying);
        staying.addAll(desk.failed(more.requests(), why, true));
      }
      if (reopen() && attempt(staying, false, true) == null) {
        if (isTold) {
          LOGGER.log(Level.WARNING, "the store " + dialect + " is back");
        }
        desk.back();
        return;
      }
      if (desk.isClosed()) {
        return;
      }
    }
  }

  private boolean reopen() {
    ledger.session().close();
    try {
      ledger.use(new StoreSession(dialect.openWriter(), dialect));
      return true;
    } catch (SQLException | StoreException e) {
      return false;
    }
  }
}
