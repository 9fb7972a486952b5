package io.headgate;

import io.headgate.backlog.Claimant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transition of the {@link Account} asks to be done once its lock is released. Filled under
 * the lock and taken under the lock; at most one producer and one claimant are woken by a section,
 * and each passes the wake-up on. Guarded by the account's lock.
 */
final class Effects<T> {

  /** A job that ended while no claimant held it. */
  record Ended<T>(Job<T> job, Outcome outcome) {}

  private boolean pending;
  private @Nullable Thread producer;
  private List<Thread> producers = List.of();
  private @Nullable Claimant claimant;
  private @Nullable List<Ended<T>> ended;
  private @Nullable List<Claimant> dismissed;
  private boolean idle;
  private boolean startAwaited;
  private long nextStartAt;

  boolean pending() {
    return pending;
  }

  void clear() {
    pending = false;
    producer = null;
    producers = List.of();
    claimant = null;
    ended = null;
    dismissed = null;
    idle = false;
    startAwaited = false;
  }

  void wakeProducer(@Nullable Thread thread) {
    producer = thread;
    pending = true;
  }

  /** Wakes many at once; rare. */
  void wakeProducers(List<Thread> threads) {
    producers = threads;
    pending = true;
  }

  void wakeClaimant(Claimant woken) {
    claimant = woken;
    pending = true;
  }

  void ended(Job<T> job, Outcome outcome) {
    if (ended == null) {
      ended = new ArrayList<>();
    }
    ended.add(new Ended<>(job, outcome));
    pending = true;
  }

  void dismiss(Claimant claimant) {
    if (dismissed == null) {
      dismissed = new ArrayList<>();
    }
    dismissed.add(claimant);
    pending = true;
  }

  void becameIdle() {
    idle = true;
    pending = true;
  }

  /** A job waits for a start, which is expected to be free at {@code nanos}. */
  void nextStart(long nanos) {
    startAwaited = true;
    nextStartAt = nanos;
    pending = true;
  }

  @Nullable Thread producer() {
    return producer;
  }

  List<Thread> producers() {
    return producers;
  }

  @Nullable Claimant claimant() {
    return claimant;
  }

  @Nullable List<Ended<T>> ended() {
    return ended;
  }

  @Nullable List<Claimant> dismissed() {
    return dismissed;
  }

  boolean idle() {
    return idle;
  }

  boolean startAwaited() {
    return startAwaited;
  }

  long nextStartAt() {
    return nextStartAt;
  }
}
