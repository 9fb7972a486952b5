package io.headgate.limit;

/**
 * The requests and accepts of the last while, in buckets that slide, and the probability that
 * follows from them. Pure: state and time in, decision out. Not thread-safe.
 */
final class ThrottleWindow {
  /*
   * Bucket number b covers the time [origin + b * width, + width). The ring holds the last BUCKETS of
   * them up to `newest`, so the window is exact to one part in BUCKETS:
   *
   *   requests = sum of the requests of the buckets in the ring, and the same for accepts
   *
   * A reading before the newest bucket counts in the newest: threads read the clock before the lock.
   * An accept counts where its request was counted, so that both leave the window together; one whose
   * request has left counts nowhere.
   */
  private static final int BUCKETS = 120;

  private final double k;
  private final double maxRejection;
  private final long widthNanos;
  private final long[] requestsOf = new long[BUCKETS];
  private final long[] acceptsOf = new long[BUCKETS];

  private long newest;
  private long newestBegan;
  private long requests;
  private long accepts;

  ThrottleWindow(double k, long windowNanos, double probeShare, long now) {
    this.k = k;
    this.maxRejection = 1 - probeShare;
    this.widthNanos = Math.max(1, windowNanos / BUCKETS);
    this.newestBegan = now;
  }

  /** The probability with which a request that comes now is to be refused. */
  double rejection(long now) {
    slide(now);
    return Math.min(maxRejection, probability(requests, accepts, k));
  }

  static double probability(long requests, long accepts, double k) {
    return Math.max(0, (requests - k * accepts) / (requests + 1.0));
  }

  /** Counts a request, and returns the number of its bucket. */
  long request(long now) {
    slide(now);
    requestsOf[index(newest)]++;
    requests++;
    return newest;
  }

  /** Counts an accept of the request in {@code bucket}. */
  void accept(long now, long bucket) {
    slide(now);
    if (isHeld(bucket)) {
      acceptsOf[index(bucket)]++;
      accepts++;
    }
  }

  /** Takes back the request in {@code bucket}. */
  void withdraw(long now, long bucket) {
    slide(now);
    if (isHeld(bucket)) {
      requestsOf[index(bucket)]--;
      requests--;
    }
  }

  long requests(long now) {
    slide(now);
    return requests;
  }

  long accepts(long now) {
    slide(now);
    return accepts;
  }

  private boolean isHeld(long bucket) {
    return newest - bucket < BUCKETS;
  }

  private void slide(long now) {
    long passed = now - newestBegan;
    if (passed < widthNanos) {
      return;
    }
    long steps = passed / widthNanos;
    newestBegan += steps * widthNanos;
    for (long step = Math.min(steps, BUCKETS); step > 0; step--) {
      newest++;
      int index = index(newest);
      requests -= requestsOf[index];
      accepts -= acceptsOf[index];
      requestsOf[index] = 0;
      acceptsOf[index] = 0;
    }
    newest += Math.max(0, steps - BUCKETS);
  }

  private static int index(long bucket) {
    return (int) (bucket % BUCKETS);
  }
}
