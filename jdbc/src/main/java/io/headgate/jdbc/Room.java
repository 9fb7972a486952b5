package io.headgate.jdbc;

/** The bounds of a worker, as the store applies them. The two that may change are read anew. */
final class Room {

  private final long capacityBytes;
  private volatile int concurrency;
  private volatile long limit;

  Room(int concurrency, int capacity, long capacityBytes) {
    this.capacityBytes = capacityBytes;
    resize(concurrency, capacity);
  }

  void resize(int newConcurrency, int newCapacity) {
    concurrency = newConcurrency;
    limit = (long) newConcurrency + newCapacity;
  }

  int concurrency() {
    return concurrency;
  }

  /** Jobs that may be unfinished. */
  long limit() {
    return limit;
  }

  long placesLeft(Counts counts) {
    return limit - counts.unfinished();
  }

  long bytesLeft(Counts counts) {
    return capacityBytes - counts.bytes();
  }

  boolean fits(Counts counts, long bytes) {
    return placesLeft(counts) > 0 && bytes <= bytesLeft(counts);
  }
}
