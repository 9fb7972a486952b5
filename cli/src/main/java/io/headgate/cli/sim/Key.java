package io.headgate.cli.sim;

import java.util.List;

/** The keys that a file may have. */
enum Key {
  DURATION("duration", "for how long clients ask"),
  SEED("seed", "the seed of all chance"),
  RATE("arrivals.rate", "how many calls come in a second"),
  LOADS("arrivals.loads", "how many times what the worker can serve comes, a run for each"),
  TIME("service.time", "how the time of a call is distributed"),
  MEAN("service.mean", "how long a call takes on average"),
  CONCURRENCY("worker.concurrency", "how many calls run at once"),
  CAPACITY("worker.capacity", "how many calls may wait"),
  WHEN_FULL("worker.when-full", "what happens to a call that finds no room"),
  QUEUE_DELAY("worker.queue-delay", "the target of queue-delay control"),
  TIMEOUT("clients.timeout", "how long a client waits for an answer to one attempt"),
  DEADLINE("clients.deadline", "how long all attempts of a call may take together"),
  ATTEMPTS("clients.attempts", "how often a client tries in all"),
  BACKOFF("clients.backoff", "the base of the wait before a retry"),
  RETRY_BUDGET("clients.retry-budget", "retries paid for by a hundred first attempts"),
  CRITICAL_PLUS("mix.critical-plus", "the part of the calls in this class"),
  CRITICAL("mix.critical", "the part of the calls in this class"),
  SHEDDABLE_PLUS("mix.sheddable-plus", "the part of the calls in this class"),
  SHEDDABLE("mix.sheddable", "the part of the calls in this class"),
  SLOW_AT("slow-down.at", "when what the worker calls becomes slow"),
  SLOW_FOR("slow-down.for", "how long it is slow"),
  SLOW_TIMES("slow-down.times", "how many times longer a call takes then");

  private final String path;
  private final String meaning;

  Key(String path, String meaning) {
    this.path = path;
    this.meaning = meaning;
  }

  /** As messages show it. */
  String path() {
    return path;
  }

  /** The same in its parts. */
  List<String> parts() {
    return List.of(path.split("\\.", -1));
  }

  /** What it says, in a few words. */
  String meaning() {
    return meaning;
  }

  /** The table that it is in; empty for none. */
  String table() {
    int point = path.indexOf('.');
    return point < 0 ? "" : path.substring(0, point);
  }

  /** What of all there is looks most like {@code wrong}. */
  static String nearest(String wrong) {
    String nearest = "";
    int least = Integer.MAX_VALUE;
    for (Key key : values()) {
      // Somebody may have left the table out, or written one too many.
      for (String candidate : List.of(key.path, key.table(), key.parts().getLast())) {
        int distance = distance(wrong, candidate);
        if (!candidate.isEmpty() && distance < least) {
          least = distance;
          nearest = candidate.equals(key.table()) ? "[" + candidate + "]" : key.path;
        }
      }
    }
    return nearest;
  }

  /** The letters to put in, take out or change to make one of the other. */
  private static int distance(String one, String other) {
    int[] above = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] row = new int[other.length() + 1];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(above[j - 1] + change, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[other.length()];
  }
}
