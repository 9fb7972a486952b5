package io.headgate.downstream;

import java.time.Duration;
import java.util.Optional;

/** A call was not made because its {@link Downstream} had no room for it in time. */
@SuppressWarnings("serial") // nobody serializes a refusal; its parts are values
public final class DownstreamRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Entry.Refused refusal;

  DownstreamRefusedException(String message, Entry.Refused refusal) {
    super(message);
    this.refusal = refusal;
  }

  /** Why. */
  public Entry.Cause reason() {
    return refusal.cause();
  }

  /** After how long it may be different, where that is known. */
  public Optional<Duration> retryAfter() {
    return refusal.retryAfter();
  }
}
