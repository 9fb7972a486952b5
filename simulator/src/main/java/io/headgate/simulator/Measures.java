package io.headgate.simulator;

import io.headgate.Criticality;
import io.headgate.time.Ticker;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * What happened in one run, tenth of a second by tenth, by a clock that begins at zero. Not
 * thread-safe.
 */
public final class Measures {
  private static final int BUCKETS = 64 * 64;

  private final Ticker clock;
  private final long from;
  private final long[] usefulInTenth;
  private final long[] askedInTenth;
  private final long[] waits = new long[BUCKETS];
  private final Map<Criticality, long[]> askedAndUseful = new EnumMap<>(Criticality.class);
  private long started;
  private long refused;
  private long shed;

  /**
   * Makes some that have seen nothing.
   *
   * @param from what is asked before is not counted, so that a run may warm up
   * @param end of the run; what comes later counts as of then
   */
  public Measures(Ticker clock, long from, long end) {
    this.clock = clock;
    this.from = from;
    this.usefulInTenth = new long[(int) (end / TENTH) + 1];
    this.askedInTenth = new long[usefulInTenth.length];
    for (Criticality criticality : Criticality.values()) {
      askedAndUseful.put(criticality, new long[2]);
    }
  }

  static final long TENTH = 100_000_000;

  /** A client asks. */
  public void asked(Criticality criticality) {
    long now = clock.nanoTime();
    askedInTenth[tenth(now)]++;
    if (now >= from) {
      count(criticality, 0);
    }
  }

  /** A client has its answer, in time. */
  public void useful(Criticality criticality, long askedAt) {
    usefulInTenth[tenth(clock.nanoTime())]++;
    if (askedAt >= from) {
      count(criticality, 1);
    }
  }

  /** A server began with a call that was made then. */
  public void started(long askedAt) {
    if (askedAt >= from) {
      started++;
      waits[bucket(clock.nanoTime() - askedAt)]++;
    }
  }

  /** A server refused one. */
  public void refused(long askedAt) {
    if (askedAt >= from) {
      refused++;
    }
  }

  /** A server gave one up that it had taken on. */
  public void shed(long askedAt) {
    if (askedAt >= from) {
      shed++;
    }
  }

  /** Calls that clients made, also those before counting began. */
  long askedEver() {
    return Arrays.stream(askedInTenth).sum();
  }

  /** The part of what was asked in this class that was answered in time. */
  double share(Criticality criticality) {
    long[] counts = askedAndUseful.getOrDefault(criticality, new long[2]);
    return counts[0] == 0 ? 1 : (double) counts[1] / counts[0];
  }

  /** Answers in time for each second between two instants. */
  double goodput(long begin, long end) {
    return perSecond(usefulInTenth, begin, end);
  }

  /** Calls of clients for each second between two instants. */
  double offered(long begin, long end) {
    return perSecond(askedInTenth, begin, end);
  }

  private static double perSecond(long[] tenths, long begin, long end) {
    long sum = 0;
    for (long tenth = begin / TENTH; tenth < end / TENTH; tenth++) {
      sum += tenths[(int) tenth];
    }
    return sum * 1e9 / (end - begin);
  }

  /** The part of what came to the server that it refused. */
  double refusedShare() {
    return (double) refused / Math.max(1, refused + shed + started);
  }

  /** The part of what came to the server that it took on and gave up. */
  double shedShare() {
    return (double) shed / Math.max(1, refused + shed + started);
  }

  boolean hasStarted() {
    return started > 0;
  }

  /** How long those who were started had waited, at the part {@code p} of them; within 2 %. */
  long waitAt(double p) {
    long rank = (long) Math.ceil(p * started);
    long seen = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      seen += waits[bucket];
      if (seen >= rank) {
        return top(bucket);
      }
    }
    return Long.MAX_VALUE;
  }

  /** {@link #recovery(long, double, long, long)} with windows of half a second. */
  long recovery(long since, double enough, long end) {
    return recovery(since, enough, 5 * TENTH, end);
  }

  /**
   * How long after {@code since} the part {@code enough} of what is asked in a window is answered
   * in it, and that stays so for four windows; the highest value if never.
   */
  long recovery(long since, double enough, long window, long end) {
    for (long at = since; at + 4 * window <= end; at += TENTH) {
      boolean stays = true;
      for (int i = 0; i < 4 && stays; i++) {
        long begin = at + i * window;
        long until = begin + window;
        stays = goodput(begin, until) >= enough * offered(begin, until);
      }
      if (stays) {
        return at - since;
      }
    }
    return Long.MAX_VALUE;
  }

  private void count(Criticality criticality, int index) {
    askedAndUseful.computeIfAbsent(criticality, c -> new long[2])[index]++;
  }

  private int tenth(long nanos) {
    return (int) Math.min(nanos / TENTH, askedInTenth.length - 1);
  }

  /** 64 buckets for each power of two. */
  private static int bucket(long nanos) {
    if (nanos < 64) {
      return (int) Math.max(0, nanos);
    }
    int power = 63 - Long.numberOfLeadingZeros(nanos);
    return (power - 5) * 64 + (int) ((nanos >> (power - 6)) & 63);
  }

  private static long top(int bucket) {
    if (bucket < 64) {
      return bucket;
    }
    int power = bucket / 64 + 5;
    return (((64L | (bucket % 64)) + 1) << (power - 6)) - 1;
  }

  @Override
  public String toString() {
    return "asked %d, refused %d, shed %d, started %d, useful by tenth %s"
        .formatted(askedEver(), refused, shed, started, Arrays.toString(usefulInTenth));
  }
}
