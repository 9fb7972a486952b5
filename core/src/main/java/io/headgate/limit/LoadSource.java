package io.headgate.limit;

import java.time.Duration;

/**
 * What an {@link OverloadGuard} asks those who use it, a few times a second and by one thread. A
 * worker is one.
 */
public interface LoadSource {

  /** How many handlers run and do not wait for anything. */
  int runnableHandlers();

  /** How long the oldest job has waited to be started; zero if none waits. */
  Duration oldestWaiting();
}
