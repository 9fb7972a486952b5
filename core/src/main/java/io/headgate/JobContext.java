package io.headgate;

import io.headgate.downstream.Downstream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What a running handler can ask of its worker. Valid until the handler returns; safe for use by
 * any thread until then.
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public interface JobContext {

  /** Whether this job was told to stop: by a cancel, a stop of the worker, or its timeout. */
  boolean isCancelled();

  /**
   * Runs {@code action} once when this job is told to stop, for work that an interrupt does not
   * reach. It runs on a thread of the worker, apart from deadlines and stop; when the job was told
   * already, it runs at once in the calling thread. An action that throws is logged. Actions not
   * reached when the handler returns are dropped.
   */
  void onCancel(Runnable action);

  /** The number of this attempt, from 1. */
  int attempt();

  /**
   * Says that no other attempt may follow this one, however it ends: the point is passed beyond
   * which doing the job again would do harm. Final; without a retry policy it says nothing new.
   */
  void doNotRetry();

  /**
   * Whether somebody may do this attempt again: the worker by its retry policy, or a layer above
   * it. Who is called from here had better not retry as well; see {@link
   * io.headgate.retry.CallHeaders}.
   */
  boolean isRetried();

  /**
   * How many earlier starts of this job have an unknown end: the process died, or a stop
   * interrupted them. What they did outside may have been done. Always zero without a durable
   * backlog.
   */
  int uncertainStarts();

  /**
   * A key that is equal for all attempts at this job, to be handed on to those who can tell by it
   * that they have done it already. Made of the worker's name and the job's id, in characters that
   * fit into a header; so it outlives the process, and an id that is used again gives the same key.
   */
  String idempotencyKey();

  /**
   * The time left until this attempt's timeout, zero when it is over; empty when it has none. Work
   * handed to others should be given at most this much.
   */
  Optional<Duration> remaining();

  /**
   * Calls {@code downstream} within its budget, with the criticality of the job. While it waits for
   * a permit the job counts as {@link Report#external()}; it goes on holding its slot. The wait
   * ends with what remains of the attempt, and by its interrupt when the job is told to stop. A job
   * that was told already waits no more: it gets a permit that is free at once, or none. An attempt
   * without a timeout waits as long as it takes.
   *
   * <p>A thread that the handler started may call this too. No cancel interrupts it; {@link
   * #onCancel} can.
   *
   * @return what {@code action} returned
   * @throws io.headgate.downstream.DownstreamRefusedException if there was no permit in time; the
   *     action did not run
   * @throws InterruptedException if interrupted while waiting; the action did not run. Or thrown by
   *     it
   * @throws Exception what {@code action} threw
   */
  <R extends @Nullable Object> R call(Downstream downstream, Callable<? extends R> action)
      throws Exception;
}
