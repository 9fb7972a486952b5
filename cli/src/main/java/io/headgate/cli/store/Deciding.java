package io.headgate.cli.store;

import io.headgate.jdbc.Codec;
import io.headgate.jdbc.Decision;
import io.headgate.jdbc.JdbcBacklog;
import io.headgate.jdbc.StoreException;
import io.headgate.jdbc.StoredJob;
import io.headgate.jdbc.StoredJobs;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code headgate decide}: says what becomes of held and failed jobs, or of the
 * uncertain and failed lines of a run. Nobody else may have the store meanwhile.
 */
public final class Deciding {
  /** What is decided. */
  public enum Verdict {
    RERUN,
    COMPLETE,
    FAIL
  }

  private static final int PAGE = 500;

  private final Path path;
  private final Verdict verdict;
  private final Console console;
  private long decided;
  private boolean missing;

  private Deciding(Path path, Verdict verdict, Console console) {
    this.path = path;
    this.verdict = verdict;
    this.console = console;
  }

  /**
   * Decides; the exit code.
   *
   * @param ids what to decide on; null for all that is held
   */
  public static int decide(
      Path path, @Nullable List<String> ids, Verdict verdict, Console console) {
    Deciding deciding = new Deciding(path, verdict, console);
    try {
      StoreFile store = StoreFile.of(path);
      if (store.kind() == StoreKind.RUN) {
        deciding.lines(ids);
      } else {
        deciding.jobs(ids);
      }
      return deciding.answer();
    } catch (StoreFile.Refused e) {
      console.complain(e.line());
      return e.exitCode();
    } catch (StoreException e) {
      return Listing.refused(StoreFault.of(path.toString(), e), console);
    } catch (StoreFault e) {
      return Listing.refused(e, console);
    }
  }

  private int answer() {
    String what =
        switch (verdict) {
          case RERUN -> "to be run again";
          case COMPLETE -> "completed";
          case FAIL -> "failed";
        };
    return !console.print(decided + " decided: " + what)
        ? StoreFile.OUTPUT
        : missing ? StoreFile.FAULTS : StoreFile.OK;
  }

  private void missing(String id, String why) {
    missing = true;
    console.complain(id + ": " + why);
  }

  // ---- the lines of a run ----

  private void lines(@Nullable List<String> ids) throws StoreFault {
    try (ProgressStore store = ProgressStore.open(path)) {
      store.begin(false);
      if (ids == null) {
        List<Row> page = store.page(0, PAGE, List.of(LineState.UNCERTAIN));
        while (!page.isEmpty()) {
          for (Row row : page) {
            decide(store, row);
          }
          page = store.page(page.getLast().position(), PAGE, List.of(LineState.UNCERTAIN));
        }
        return;
      }
      for (String id : ids) {
        Row row = row(store, id);
        if (row == null) {
          missing(id, "no line with this id is held or has failed");
        } else {
          decide(store, row);
        }
      }
    }
  }

  private static @Nullable Row row(ProgressStore store, String id) throws StoreFault {
    Row row;
    try {
      row = store.row(Long.parseLong(id.substring(0, Math.max(0, id.indexOf('-')))));
    } catch (NumberFormatException e) {
      return null;
    }
    if (row == null || !row.id().equals(id)) {
      return null;
    }
    return switch (row.state()) {
      case UNCERTAIN, FAILED -> row;
      case OPEN, RUNNING, SUSPENDED, COMPLETED -> null;
    };
  }

  private void decide(ProgressStore store, Row row) throws StoreFault {
    store.ended(
        row.position(),
        switch (verdict) {
          case RERUN -> LineState.OPEN;
          case COMPLETE -> LineState.COMPLETED;
          case FAIL -> LineState.FAILED;
        });
    decided++;
  }

  // ---- the jobs of a worker ----

  private void jobs(@Nullable List<String> ids) {
    StoredJobs jobs = JdbcBacklog.sqlite(path, Codec.bytes()).jobs();
    Decision decision =
        switch (verdict) {
          case RERUN -> Decision.RERUN;
          case COMPLETE -> Decision.COMPLETE;
          case FAIL -> Decision.FAIL;
        };
    if (ids == null) {
      long after = 0;
      List<StoredJob> page = jobs.held(after, PAGE);
      while (!page.isEmpty()) {
        for (StoredJob job : page) {
          decided += jobs.decide(job.id(), decision) ? 1 : 0;
        }
        after = page.getLast().key();
        page = jobs.held(after, PAGE);
      }
      return;
    }
    for (String id : ids) {
      if (jobs.decide(id, decision) || (verdict == Verdict.RERUN && jobs.requeue(id))) {
        decided++;
      } else {
        missing(
            id,
            verdict == Verdict.RERUN
                ? "no job with this id is held, or has failed and is in the history"
                : "no job with this id is held; one that has failed can be run again");
      }
    }
  }
}
