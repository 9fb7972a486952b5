package io.headgate.jdbc;

import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.backlog.BacklogListener;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Tells the worker of jobs that ended by themselves, outside any lock, after their commit. */
final class Effects<T> implements StoreWriter.Teller {

  private static final System.Logger LOGGER = System.getLogger(Effects.class.getName());

  private final BacklogListener<T> listener;
  private Function<JobRow, Job<T>> jobs =
      row -> {
        throw new IllegalStateException("not bound");
      };
  private Consumer<String> forget = id -> {};

  Effects(BacklogListener<T> listener) {
    this.listener = listener;
  }

  /** Says where jobs come from; before the first thread starts. */
  void bind(Function<JobRow, Job<T>> from, Consumer<String> forgetting) {
    jobs = from;
    forget = forgetting;
  }

  @Override
  public void tell(List<Ledger.Ended> ended) {
    for (Ledger.Ended each : ended) {
      try {
        Job<T> job = jobs.apply(each.row());
        if (each.outcome() instanceof Outcome.Unstarted unstarted) {
          listener.unstarted(job, unstarted);
        } else if (each.outcome() instanceof Outcome.Failed failed) {
          listener.failed(job, failed);
        }
      } catch (Throwable t) {
        LOGGER.log(Level.ERROR, "could not tell how a job ended; it is recorded", t);
      }
      forget.accept(each.row().id());
    }
  }
}
