package io.headgate;

import io.headgate.backlog.BacklogListener;

/** Hands on what a backlog does by itself. Thread-safe. */
final class BacklogNews<T> implements BacklogListener<T> {

  private final Observers observers;
  private final Timekeeper timekeeper;

  BacklogNews(Observers observers, Timekeeper timekeeper) {
    this.observers = observers;
    this.timekeeper = timekeeper;
  }

  @Override
  public void unstarted(Job<T> job, Outcome.Unstarted outcome) {
    observers.endedAside(job, outcome);
  }

  @Override
  public void failed(Job<T> job, Outcome.Failed outcome) {
    observers.endedAside(job, outcome);
  }

  @Override
  public void startsAt(long nanos) {
    timekeeper.expect(nanos);
  }

  @Override
  public void idle() {
    timekeeper.wake();
  }
}
