package io.headgate;

import io.headgate.downstream.DownstreamRefusedException;
import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.retry.FailureSigns;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reports the attempts of a worker to the limit that its concurrency follows. Thread-safe; what the
 * limit does with a sample happens in the thread that reports it, which holds no lock.
 */
final class AttemptSamples {

  private static final System.Logger LOGGER = System.getLogger(AttemptSamples.class.getName());

  private final AdaptiveConcurrency limit;
  private final AtomicInteger running = new AtomicInteger();

  AttemptSamples(AdaptiveConcurrency limit) {
    this.limit = limit;
  }

  void began() {
    running.incrementAndGet();
  }

  /**
   * An attempt has ended, and its job has not been settled yet.
   *
   * @param nanos how long it took
   * @param cause who told it to stop, if anybody did
   */
  void ended(long nanos, @Nullable Throwable thrown, @Nullable CancelCause cause) {
    int inflight = running.getAndDecrement();
    if (cause != null && cause != CancelCause.TIMEOUT) {
      // It was ended from here, which says nothing about what it works with.
      return;
    }
    try {
      limit.onSample(nanos, inflight, cause == CancelCause.TIMEOUT || isOverload(thrown));
    } catch (Throwable t) {
      // The job must be settled, whatever a ticker or a full heap does to the sample.
      LOGGER.log(Level.ERROR, "could not report an attempt to " + limit.getClass(), t);
    }
  }

  private static boolean isOverload(@Nullable Throwable thrown) {
    return thrown != null
        && (thrown instanceof DownstreamRefusedException || FailureSigns.of(thrown).isOverload());
  }
}
