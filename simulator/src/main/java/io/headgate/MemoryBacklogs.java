package io.headgate;

import io.headgate.backlog.Backlog;

/** Opens the worker's own backlog, for simulations that play the worker around it. */
public final class MemoryBacklogs {

  private MemoryBacklogs() {}

  /** The backlog in memory. */
  public static <T> Backlog.Factory<T> factory() {
    return MemoryBacklog::new;
  }
}
