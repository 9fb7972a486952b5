package io.headgate;

import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claimant;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows a critical section of a backlog, outside its lock: somebody is woken and the others
 * are told. The section is done, so nothing that fails here may look as if it were not.
 * Thread-safe.
 */
final class Aftermath<T> {

  private static final System.Logger LOGGER = System.getLogger(Aftermath.class.getName());

  private final BacklogListener<T> listener;

  Aftermath(BacklogListener<T> listener) {
    this.listener = listener;
  }

  /** Wakes a claimant, tells of what ended while nobody held it, and dismisses claimants. */
  void carryOut(
      @Nullable Claimant woken,
      @Nullable List<Effects.Ended<T>> ended,
      @Nullable List<Claimant> dismissed) {
    try {
      if (woken != null) {
        woken.wake();
      }
    } catch (Throwable t) {
      log(t);
    }
    if (ended != null) {
      ended.forEach(end -> isolated(() -> tell(end.job(), end.outcome())));
    }
    if (dismissed != null) {
      dismissed.forEach(one -> isolated(one::dismiss));
    }
  }

  /** Tells when a job may start. */
  void tellStart(long nanos) {
    isolated(() -> listener.startsAt(nanos));
  }

  /** Tells that nothing is unfinished any more. */
  void tellIdle() {
    isolated(listener::idle);
  }

  private void tell(Job<T> job, Outcome outcome) {
    if (outcome instanceof Outcome.Unstarted unstarted) {
      listener.unstarted(job, unstarted);
    } else if (outcome instanceof Outcome.Failed failed) {
      listener.failed(job, failed);
    }
  }

  private static void isolated(Runnable action) {
    try {
      action.run();
    } catch (Throwable t) {
      log(t);
    }
  }

  private static void log(Throwable thrown) {
    LOGGER.log(Level.ERROR, "could not carry out what a decision asks for; it stands", thrown);
  }
}
