package io.headgate.queue;

/**
 * Thrown by a {@link BoundedQueue} that has been shut down: by every attempt to put, and by an
 * attempt to take once nothing is left. Trying again never helps; a queue does not open again.
 */
public final class QueueClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  QueueClosedException(String message) {
    super(message);
  }
}
