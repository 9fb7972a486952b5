package io.headgate.cli.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of the lines of one block.
 *
 * @param digest the digest of all its hashes, once each of its lines is known; then a line without
 *     a row has completed
 * @param rows the rows there are, by their positions
 */
public record Block(@Nullable Long digest, Map<Long, Row> rows) {
  /** Lines of a block. */
  public static final int LINES = 1 << 10;

  /** The digest of nothing. */
  public static final long SEED = 0x9e3779b97f4a7c15L;

  /** The number of the block that holds a position. */
  public static long of(long position) {
    return (position - 1) / LINES;
  }

  /** The first position of a block. */
  public static long first(long block) {
    return block * LINES + 1;
  }

  /** The last position of a block. */
  public static long last(long block) {
    return (block + 1) * LINES;
  }

  /**
   * The digest with one more hash. Each step is a bijection of either argument, so a block in which
   * one line was changed never has the digest of before.
   */
  public static long digest(long digest, long hash) {
    long mixed = (Long.rotateLeft(digest, 23) ^ hash) * 0xbf58476d1ce4e5b9L;
    return mixed ^ (mixed >>> 31);
  }
}
