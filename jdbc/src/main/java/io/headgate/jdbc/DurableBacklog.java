package io.headgate.jdbc;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Load;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.backlog.Tally;
import io.headgate.jdbc.Counts.Counter;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The backlog in a store: requests to the one writer, and what this process knows beside it.
 *
 * <p>Thread-safe. Admissions, claims, ends and cancels wait for their commit; everything else is
 * local and at once, or a look at the store.
 */
final class DurableBacklog<T> implements Backlog<T> {

  private static final long CLOSE_MILLIS = 2_000;

  private final Settings limits;
  private final StoreSettings settings;
  private final Desk desk;
  private final DurableAdmission<T> admission;
  private final DurableClaims<T> claims;
  private final StoreReader reader;
  private final StoreWriter writer;
  private final Ticker ticker;

  DurableBacklog(
      Settings limits,
      StoreSettings settings,
      Codec<T> codec,
      StoreSession session,
      BacklogListener<T> listener,
      boolean recovered,
      AutoCloseable owned) {
    this.limits = limits;
    this.settings = settings;
    this.ticker = limits.ticker();
    Room room = new Room(limits.concurrency(), limits.capacity(), limits.capacityBytes());
    this.desk =
        new Desk(
            limits,
            room,
            session.committed(),
            settings.clock(),
            settings.storeTimeoutNanos(),
            listener::idle);
    Effects<T> effects = new Effects<>(listener);
    this.admission = new DurableAdmission<>(limits, settings, codec, desk, effects);
    effects.bind(admission::job, admission::forget);
    this.claims = new DurableClaims<>(limits.ticker(), settings, desk, admission, effects);
    this.reader = new StoreReader(settings.dialect());
    Ledger ledger = new Ledger(settings, room, limits.history(), session);
    this.writer =
        new StoreWriter(desk, ledger, settings.dialect(), effects, owned, limits.ticker());
    if (recovered) {
      desk.ramp.restart();
    }
    writer.start();
  }

  // ---- admission ----

  @Override
  public Admission admit(Job<T> job, long bytes, long submittedNanos, WhenFull.Kind whenFull) {
    return admission.admit(job, bytes, submittedNanos, whenFull);
  }

  @Override
  public Admission refusal(Job<T> job, long submittedNanos, Reason reason) {
    Reason told = admission.toldAtOnce(job, submittedNanos);
    if (told != null) {
      return Admission.refused(told);
    }
    try {
      return Admission.refused(reader.isKnown(job.id()) ? Reason.DUPLICATE : reason);
    } catch (StoreException e) {
      return Admission.refused(Reason.UNAVAILABLE);
    }
  }

  @Override
  public Admission admitWaiting(Job<T> job, long bytes, long submittedNanos, long patienceNanos)
      throws InterruptedException {
    return admission.admitWaiting(job, bytes, submittedNanos, patienceNanos);
  }

  // ---- claims and ends ----

  @Override
  public void enrol(Claimant claimant) {
    desk.local(todo -> desk.claimants.enrol(claimant, todo));
  }

  @Override
  public void decline(Claimant claimant) {
    // Nobody is woken by this, or one that can never come would spin.
    List<Runnable> todo = new ArrayList<>(1);
    desk.lock.lock();
    try {
      desk.claimants.decline(claimant, todo);
    } finally {
      desk.lock.unlock();
    }
    Desk.carryOut(todo);
  }

  @Override
  public @Nullable Claim<T> claim(Claimant claimant) {
    return claims.claim(claimant);
  }

  @Override
  public @Nullable Claim<T> settleAndClaim(
      Claim<T> finished, Settlement settlement, Claimant claimant) {
    return claims.settleAndClaim((StoredClaim<T>) finished, settlement, claimant);
  }

  @Override
  public void settle(Claim<T> finished, Settlement settlement) {
    claims.settle((StoredClaim<T>) finished, settlement);
  }

  @Override
  public RetryCut suspend(Claim<T> finished, Suspension suspension) {
    return claims.suspend((StoredClaim<T>) finished, suspension);
  }

  @Override
  public long wakeDue(long nowNanos) {
    return claims.wakeDue();
  }

  @Override
  public CancelResult cancel(String jobId) {
    if (desk.isClosed()) {
      return outcome(jobId).isPresent() ? CancelResult.ENDED : CancelResult.UNKNOWN;
    }
    return claims.cancel(jobId);
  }

  // ---- stop, pause, limits: of this process, at once ----

  @Override
  public void stopAdmission() {
    desk.local(
        todo -> {
          desk.admitting = false;
          desk.line.wakeAll(todo);
        });
  }

  @Override
  public boolean keepsJobs() {
    return true;
  }

  /** Does nothing: what is between two attempts is kept for the next start. */
  @Override
  public void stopRetries(Outcome.Unstarted.Cause cause) {}

  @Override
  public void stopClaims() {
    desk.local(
        todo -> {
          if (!settings.drainWaiting()) {
            keep();
          }
        });
  }

  /** Keeps what waits for the next start, whatever the cause: it costs those jobs nothing. */
  @Override
  public void discardWaiting(Outcome.Unstarted.Cause cause) {
    desk.local(todo -> keep());
  }

  private void keep() {
    desk.claiming = false;
    desk.keeping = true;
  }

  @Override
  public void dismissClaimants() {
    desk.local(
        todo -> {
          keep();
          desk.claimants.dismissAll(todo);
        });
    if (desk.isClosed()) {
      reader.close();
      try {
        // So that the next worker finds the store free, when this one has reported its end.
        writer.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void pause(boolean paused) {
    desk.local(todo -> desk.paused = paused && desk.admitting);
  }

  @Override
  public void resize(int concurrency, int capacity) {
    desk.local(
        todo -> {
          desk.room.resize(concurrency, capacity);
          desk.claimants.resize(concurrency, todo);
        });
  }

  // ---- what is known ----

  @Override
  public Optional<Outcome> outcome(String jobId) {
    return reader.outcome(jobId);
  }

  @Override
  public boolean isAvailable() {
    return desk.away() == null;
  }

  @Override
  public boolean isIdle() {
    desk.lock.lock();
    try {
      return desk.isIdle();
    } finally {
      desk.lock.unlock();
    }
  }

  @Override
  public boolean awaitIdle(long nanos) throws InterruptedException {
    long end = Durations.deadline(ticker.nanoTime(), nanos);
    long moments = desk.idleWatch().watch();
    try {
      while (true) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long remaining = end - ticker.nanoTime();
        if (desk.idleWatch().wasIdleSince(moments)) {
          return true;
        }
        if (remaining <= 0) {
          return false;
        }
        ticker.parkNanos(this, remaining);
      }
    } finally {
      desk.idleWatch().unwatch();
    }
  }

  @Override
  public Tally tally() {
    StoreReader.Picture picture;
    try {
      picture = reader.picture(limits.history());
    } catch (StoreException e) {
      // What is known without the store is told without it.
      desk.lock.lock();
      try {
        picture = new StoreReader.Picture(desk.committed(), List.of());
      } finally {
        desk.lock.unlock();
      }
    }
    Counts counts = picture.counts();
    desk.lock.lock();
    try {
      boolean waits = desk.admitting;
      return new Tally(
          counts.get(Counter.ACCEPTED),
          counts.get(Counter.COMPLETED),
          counts.get(Counter.FAILED),
          counts.get(Counter.INTERRUPTED),
          counts.get(Counter.UNSTARTED),
          counts.ready(),
          counts.get(Counter.SUSPENDED),
          counts.get(Counter.HELD),
          counts.get(Counter.RUNNING),
          counts.bytesNotRunning(),
          counts.get(Counter.RUNNING_BYTES),
          waits ? desk.line.count() : 0,
          waits ? desk.line.bytes() : 0,
          picture.outcomes());
    } finally {
      desk.lock.unlock();
    }
  }

  /** Of the latest commit, without a look at the store; ages are not told. */
  @Override
  public Load load() {
    desk.lock.lock();
    try {
      Counts counts = desk.committed();
      long ended =
          counts.get(Counter.COMPLETED)
              + counts.get(Counter.FAILED)
              + counts.get(Counter.INTERRUPTED)
              + counts.get(Counter.UNSTARTED);
      return new Load(counts.get(Counter.ACCEPTED) - ended, ended, -1, false);
    } finally {
      desk.lock.unlock();
    }
  }

  /** What a stop interrupted, and what still runs once claimants are dismissed. */
  @Override
  public List<String> abandoned() {
    desk.lock.lock();
    try {
      List<JobRow> rows = new ArrayList<>(claims.interrupted());
      if (desk.claimants.areDismissed()) {
        desk.running.values().forEach(claim -> rows.add(claim.row()));
      }
      return rows.stream().sorted(Comparator.comparingLong(JobRow::seq)).map(JobRow::id).toList();
    } finally {
      desk.lock.unlock();
    }
  }
}
