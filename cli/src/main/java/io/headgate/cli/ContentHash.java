package io.headgate.cli;

/**
 * A 64-bit hash of bytes, by which a resumed run knows a line again: FNV-1a (Fowler, Noll and Vo),
 * then the finalizer of MurmurHash3. It is compared with one recorded hash, that of the same
 * position, so one changed line in 2⁶⁴ goes unnoticed. It is no defence against one who wants two
 * lines to look alike.
 */
final class ContentHash {
  static final long EMPTY = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  private ContentHash() {}

  /** The state after further bytes; the first is {@link #EMPTY}. */
  static long add(long state, byte[] bytes, int from, int to) {
    long next = state;
    for (int i = from; i < to; i++) {
      next = (next ^ (bytes[i] & 0xff)) * PRIME;
    }
    return next;
  }

  /** The state after the eight bytes of a number, so that what follows is told apart. */
  static long add(long state, long number) {
    long next = state;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      next = (next ^ ((number >>> shift) & 0xff)) * PRIME;
    }
    return next;
  }

  /** The hash of all that was added. */
  static long finish(long state) {
    long hash = state;
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
