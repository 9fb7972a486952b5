package io.headgate.jdbc;

import io.headgate.time.Ticker;
import java.nio.file.Path;

/** Stores for tests. */
public final class Stores {

  /** When the clocks of tests start, in nanoseconds of the epoch. */
  static final long START = 1_700_000_000_000_000_000L;

  private Stores() {}

  /** A store of texts whose clock moves with {@code ticker}. */
  public static JdbcBacklog<String> sqlite(Path file, Ticker ticker) {
    long start = ticker.nanoTime();
    return JdbcBacklog.sqlite(file, Codec.text())
        .observed(() -> START + (ticker.nanoTime() - start), Signals.NONE);
  }
}
