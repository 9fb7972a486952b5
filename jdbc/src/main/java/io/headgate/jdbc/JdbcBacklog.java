package io.headgate.jdbc;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.time.Durations;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A backlog that outlives the process: accepted means committed to disk. Given to {@link
 * io.headgate.WorkerBuilder#backlog}:
 *
 * <pre>{@code
 * Worker<Invoice> worker = Worker.<Invoice>builder("invoices")
 *     .concurrency(8)
 *     .backlog(JdbcBacklog.sqlite(Path.of("invoices.db"), codec))
 *     .start(handler);
 * }</pre>
 *
 * <p>Limits, ledger, duplicates and history are the store's, over all the processes that used it
 * one after the other. After a crash what waited waits, and what had started is {@link Uncertain}.
 *
 * <p>Immutable: every setting returns another one. Opening throws {@link StoreException} where the
 * store cannot be used.
 *
 * @param <T> the payload
 */
public final class JdbcBacklog<T> implements Backlog.Factory<T> {

  private static final int DEFAULT_MAX_STARTS = 5;
  private static final long DEFAULT_HISTORY_BYTES = 64L << 20;
  private static final int DEFAULT_PAYLOAD_BYTES = 4 << 20;

  private final Path file;
  private final Codec<T> codec;
  private final StoreSettings settings;

  private JdbcBacklog(Path file, Codec<T> codec, StoreSettings settings) {
    this.file = file;
    this.codec = codec;
    this.settings = settings;
  }

  /**
   * Keeps jobs in a SQLite file, made if it is not there; its folder must be. One worker of one
   * process may use it at a time, by whatever symbolic links; hard links are not seen. Needs {@code
   * org.xerial:sqlite-jdbc} on the class path.
   */
  public static <T> JdbcBacklog<T> sqlite(Path file, Codec<T> codec) {
    requireNonNull(codec, "codec");
    Path real = RealPath.of(file);
    return new JdbcBacklog<>(
        real,
        codec,
        new StoreSettings(
            new SqliteDialect(real),
            Uncertain.RERUN,
            DEFAULT_MAX_STARTS,
            DEFAULT_HISTORY_BYTES,
            DEFAULT_PAYLOAD_BYTES,
            Duration.ofSeconds(10).toNanos(),
            false,
            JdbcBacklog::epochNanos,
            Signals.NONE));
  }

  private static long epochNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /** What becomes of jobs that had started and of whose end nothing is known. Default: rerun. */
  public JdbcBacklog<T> uncertain(Uncertain policy) {
    return with(settings.uncertain(requireNonNull(policy, "policy")));
  }

  /**
   * After how many starts that were lost to a crash a job is held instead of run again, for it may
   * be what kills its process. Read where uncertain jobs are rerun. At least 1; default: 5.
   */
  public JdbcBacklog<T> maxStarts(int starts) {
    require(starts >= 1, "maxStarts", starts, "at least 1");
    return with(settings.maxStarts(starts));
  }

  /**
   * Bytes that kept outcomes may take, those of failed jobs with their payloads; beside the number
   * that {@link io.headgate.WorkerBuilder#history} sets. At least 0; default: 64 MiB.
   */
  public JdbcBacklog<T> historyBytes(long bytes) {
    require(bytes >= 0, "historyBytes", bytes, "zero or more");
    return with(settings.historyBytes(bytes));
  }

  /**
   * Bytes that one encoded payload may have; a larger one is refused {@link
   * io.headgate.Reason#TOO_LARGE}. At least 1; default: 4 MiB.
   */
  public JdbcBacklog<T> maxPayloadBytes(int bytes) {
    require(bytes >= 1, "maxPayloadBytes", bytes, "at least 1");
    return with(settings.maxPayloadBytes(bytes));
  }

  /**
   * How long a producer waits for the commit of its job before it is refused {@link
   * io.headgate.Reason#UNAVAILABLE}. That job may have been accepted all the same: offer it again,
   * and DUPLICATE means that it was. More than zero; default: 10 s.
   */
  public JdbcBacklog<T> storeTimeout(Duration timeout) {
    long nanos = Durations.nanos("storeTimeout", timeout);
    require(nanos > 0, "storeTimeout", nanos, "more than zero");
    return with(settings.storeTimeoutNanos(nanos));
  }

  /**
   * Lets a drain run the waiting jobs until its deadline. By default a stop starts nothing more and
   * keeps them for the next start, at no cost to them; after the deadline it does so in any case.
   */
  public JdbcBacklog<T> drainWaiting(boolean drain) {
    return with(settings.drainWaiting(drain));
  }

  /** The held and failed jobs of the store, to be listed and decided on. */
  public StoredJobs jobs() {
    return new StoredJobs(file, settings.historyBytes(Long.MAX_VALUE));
  }

  /** For tests: a clock of their own, and points at which they stop the process. */
  JdbcBacklog<T> observed(LongSupplier clock, Signals signals) {
    return with(settings.observed(clock, signals));
  }

  /** For tests: a dialect that has faults of its own. */
  JdbcBacklog<T> dialect(Dialect dialect) {
    return with(settings.dialect(dialect));
  }

  private JdbcBacklog<T> with(StoreSettings other) {
    return new JdbcBacklog<>(file, codec, other);
  }

  private static void require(boolean holds, String what, long value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(what + " is " + value + ", but must be " + rule);
    }
  }

  /**
   * Opens the store: becomes its owner, brings its schema up to date, and resolves what a dead
   * process left running. Called by the worker.
   *
   * @throws StoreException if the store cannot be used; the message names it and the cure
   */
  @Override
  public Backlog<T> open(Backlog.Settings limits, BacklogListener<T> listener) {
    Schema schema = new Schema(settings.dialect(), settings.signals());
    schema.requireUsable(file);
    FileOwner owner = FileOwner.of(file);
    Connection connection = null;
    try {
      connection = settings.dialect().openWriter();
      schema.migrate(connection);
      StoreSession session = new StoreSession(connection, settings.dialect());
      session.checkWritable();
      boolean recovered = new Recovery(settings, limits, session).run() > 0;
      return new DurableBacklog<>(limits, settings, codec, session, listener, recovered, owner);
    } catch (SQLException e) {
      close(connection, owner);
      throw settings.dialect().explain(e);
    } catch (RuntimeException | Error e) {
      close(connection, owner);
      throw e;
    }
  }

  private static void close(@Nullable Connection connection, FileOwner owner) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // There is a better reason to fail.
    } finally {
      owner.close();
    }
  }

  @Override
  public String toString() {
    return "JdbcBacklog[" + settings.dialect() + "]";
  }
}
