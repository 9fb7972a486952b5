package io.headgate.benchmarks.durable;

import io.headgate.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.BackgroundJob;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.sqlite.SqLiteStorageProvider;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The same number of jobs through JobRunr and through Headgate, both on SQLite with a write-ahead
 * log and a sync for each commit: from the first submission until the last job has run. JobRunr as
 * its documents advise for many jobs: submitted as a stream, the shortest poll interval.
 */
public final class BesideJobRunr {

  private static final int JOBS_OF_PEER = 2_000;
  private static final int JOBS = 100_000;
  private static final int CONCURRENCY = 64;

  private static volatile CountDownLatch left = new CountDownLatch(0);

  private final Path folder;

  BesideJobRunr(Path folder) {
    this.folder = folder;
  }

  /** The job of JobRunr, which calls it by its name. */
  public static void work(int number) {
    if (number >= 0) {
      left.countDown();
    }
  }

  List<Result> run() throws Exception {
    double peer = peer();
    double own = own();
    List<Result> results = new ArrayList<>();
    results.add(Result.plain("JobRunr on SQLite, end to end", peer, "jobs/s"));
    results.add(Result.plain("Headgate on SQLite, end to end", own, "jobs/s"));
    results.add(Result.atLeast("Headgate beside JobRunr", own / peer, "x", 10));
    return results;
  }

  private double peer() throws InterruptedException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(30_000);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE); // or writers fail as busy
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + folder.resolve("jobrunr.db"));
    JobRunr.configure()
        .useStorageProvider(new SqLiteStorageProvider(source))
        .useBackgroundJobServer(
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andWorkerCount(CONCURRENCY)
                .andPollInterval(Duration.ofSeconds(5)))
        .initialize();
    try {
      left = new CountDownLatch(JOBS_OF_PEER);
      long began = System.nanoTime();
      BackgroundJob.enqueue(IntStream.range(0, JOBS_OF_PEER).boxed(), n -> BesideJobRunr.work(n));
      left.await();
      return JOBS_OF_PEER / ((System.nanoTime() - began) / 1e9);
    } finally {
      JobRunr.destroy();
    }
  }

  private double own() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(JOBS);
    Worker<byte[]> worker =
        Store.open(
            folder.resolve("beside.db"), CONCURRENCY, 1_024, (job, context) -> done.countDown());
    long began = System.nanoTime();
    new ClosedLoop().submit(worker, JOBS);
    done.await();
    double rate = JOBS / ((System.nanoTime() - began) / 1e9);
    worker.abort();
    return rate;
  }
}
