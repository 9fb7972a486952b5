package io.headgate.jdbc;

import java.util.Arrays;

/**
 * The whole state of the model: where each job is, what each node believes, and the counters as the
 * transitions maintain them. A value; every transition works on a copy.
 */
@SuppressWarnings("EnumOrdinal") // an index within one run
final class ModelState {

  /** Where a job is. The last four are outcomes. */
  enum Place {
    NONE,
    WAITING,
    DUE,
    SUSPENDED,
    RUNNING,
    HELD,
    COMPLETED,
    FAILED,
    INTERRUPTED,
    UNSTARTED;

    boolean isOutcome() {
      return compareTo(HELD) > 0;
    }

    boolean isUnfinished() {
      return this != NONE && !isOutcome();
    }
  }

  static final int NODES = 2;
  static final int JOBS = 2;

  final Place[] place = new Place[JOBS];

  /** Starts of which no end is known: that under way, and those lost to crashes. */
  final int[] starts = new int[JOBS];

  final int[] owner = new int[JOBS];
  final int[] token = new int[JOBS];

  /** Node by job: the token that the node believes it holds; zero for none. */
  final int[][] believed = new int[NODES][JOBS];

  final boolean[] up = new boolean[NODES];
  final boolean[] stopping = new boolean[NODES];

  /** As the store keeps them: changed by each transition, never counted. */
  private final int[] counters = new int[Place.values().length];

  int accepted;

  ModelState() {
    Arrays.fill(place, Place.NONE);
    Arrays.fill(up, true);
  }

  int counter(Place which) {
    return counters[which.ordinal()];
  }

  void count(Place which, int delta) {
    counters[which.ordinal()] += delta;
  }

  ModelState copy() {
    ModelState copy = new ModelState();
    System.arraycopy(place, 0, copy.place, 0, JOBS);
    System.arraycopy(starts, 0, copy.starts, 0, JOBS);
    System.arraycopy(owner, 0, copy.owner, 0, JOBS);
    System.arraycopy(token, 0, copy.token, 0, JOBS);
    for (int node = 0; node < NODES; node++) {
      System.arraycopy(believed[node], 0, copy.believed[node], 0, JOBS);
    }
    System.arraycopy(up, 0, copy.up, 0, NODES);
    System.arraycopy(stopping, 0, copy.stopping, 0, NODES);
    System.arraycopy(counters, 0, copy.counters, 0, counters.length);
    copy.accepted = accepted;
    return copy;
  }

  int count(Place which) {
    int count = 0;
    for (Place each : place) {
      count += each == which ? 1 : 0;
    }
    return count;
  }

  int unfinished() {
    int count = 0;
    for (Place each : place) {
      count += each.isUnfinished() ? 1 : 0;
    }
    return count;
  }

  int runningOn(int node) {
    int running = 0;
    for (int job = 0; job < JOBS; job++) {
      running += place[job] == Place.RUNNING && owner[job] == node ? 1 : 0;
    }
    return running;
  }

  /** Two states are one if no transition can tell them apart. */
  String key() {
    StringBuilder key = new StringBuilder(48);
    for (int job = 0; job < JOBS; job++) {
      key.append(place[job].ordinal()).append(',');
      key.append(starts[job]).append(owner[job]).append(token[job]);
      for (int node = 0; node < NODES; node++) {
        key.append(believed[node][job]);
      }
    }
    for (int node = 0; node < NODES; node++) {
      key.append(up[node] ? 'u' : 'd').append(stopping[node] ? 's' : 'g');
    }
    // The counters and accepted follow from the places, which is what the test checks.
    return key.toString();
  }
}
