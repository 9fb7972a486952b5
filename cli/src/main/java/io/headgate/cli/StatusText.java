package io.headgate.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Says in one line of ASCII how a run gets on. */
final class StatusText {
  /** No limit to the width. */
  static final int ANY_WIDTH = Integer.MAX_VALUE;

  private static final int LEAST_GAUGE = 10;
  private static final int MOST_GAUGE = 40;
  private static final String COMMA = ", ";

  /** A piece of the line; where there is no room, those of high rank are left out first. */
  private record Part(String text, int rank) {}

  private StatusText() {}

  /** The line, with a gauge where the share is known and there is room, in the width at most. */
  static String bar(Snapshot snapshot, int width) {
    String text = line(snapshot, width);
    int gauge = Math.min(MOST_GAUGE, width - text.length() - 3);
    return Double.isNaN(snapshot.share()) || gauge < LEAST_GAUGE
        ? text
        : gauge(snapshot.share(), gauge) + " " + text;
  }

  /** The line without a gauge, in the width at most. */
  static String line(Snapshot snapshot, int width) {
    List<Part> parts = parts(snapshot);
    while (length(parts) > width && parts.size() > 1) {
      parts.remove(parts.stream().max(Comparator.comparingInt(Part::rank)).orElseThrow());
    }
    String text = String.join(COMMA, parts.stream().map(Part::text).toList());
    return text.substring(0, Math.min(text.length(), Math.max(0, width)));
  }

  private static int length(List<Part> parts) {
    return parts.stream().mapToInt(part -> part.text().length()).sum()
        + (parts.size() - 1) * COMMA.length();
  }

  private static List<Part> parts(Snapshot snapshot) {
    Counts counts = snapshot.counts();
    List<Part> parts = new ArrayList<>();
    if (!Double.isNaN(snapshot.share())) {
      // Rounded down: 100% is said when it is true.
      parts.add(new Part((int) (100 * snapshot.share()) + "%", 1));
    }
    parts.add(new Part(counts.of(Fate.Kind.COMPLETED) + " completed", 0));
    parts.add(new Part(counts.of(Fate.Kind.FAILED) + " failed", 2));
    for (Fate.Kind kind : Fate.Kind.values()) {
      if (kind != Fate.Kind.COMPLETED && kind != Fate.Kind.FAILED && counts.of(kind) > 0) {
        parts.add(new Part(counts.of(kind) + " " + kind.word(), 8));
      }
    }
    if (counts.skipped() > 0) {
      parts.add(new Part(counts.skipped() + " skipped", 9));
    }
    parts.add(new Part(counts.running() + " running", 4));
    parts.add(new Part(counts.waiting() + " waiting", 7));
    parts.add(new Part(rate(snapshot.perSecond()), 5));
    parts.add(new Part(time(snapshot.elapsedNanos()), 6));
    if (snapshot.leftNanos() != Snapshot.UNKNOWN) {
      parts.add(new Part("ETA " + time(snapshot.leftNanos()), 3));
    }
    return parts;
  }

  private static String gauge(double share, int width) {
    int done = (int) (share * width);
    return "[" + "#".repeat(done) + ".".repeat(width - done) + "]";
  }

  private static String rate(double perSecond) {
    if (perSecond >= 10) {
      return Math.round(perSecond) + "/s";
    }
    return perSecond >= 1 || perSecond == 0
        ? String.format(Locale.ROOT, "%.1f/s", perSecond)
        : String.format(Locale.ROOT, "%.1f/min", 60 * perSecond);
  }

  /** A time as {@code m:ss} or {@code h:mm:ss}. */
  static String time(long nanos) {
    long seconds = Math.max(0, TimeUnit.NANOSECONDS.toSeconds(nanos));
    long minutes = seconds / 60;
    return minutes < 60
        ? String.format(Locale.ROOT, "%d:%02d", minutes, seconds % 60)
        : String.format(Locale.ROOT, "%d:%02d:%02d", minutes / 60, minutes % 60, seconds % 60);
  }
}
