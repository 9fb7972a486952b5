package io.headgate.benchmarks.bound;

import java.util.random.RandomGenerator;

/**
 * The settings that a bound is computed from, drawn at random.
 *
 * @param producers that wait
 * @param payload bytes of each, or zero for no byte budget
 * @param retries whether the unfinished jobs are between attempts instead of waiting and running
 * @param listener whether there is one, and it is stuck
 */
record Configuration(
    int concurrency,
    int capacity,
    int history,
    int idBytes,
    int messageChars,
    int producers,
    int payload,
    boolean retries,
    boolean listener) {

  /** A little more than the events that a worker keeps for its listeners. */
  private static final int RING = 1_100;

  static Configuration draw(RandomGenerator random) {
    return new Configuration(
        1 + random.nextInt(16),
        random.nextInt(400),
        random.nextInt(400),
        16 + random.nextInt(240),
        random.nextInt(400),
        random.nextInt(16),
        random.nextBoolean() ? 0 : 1 + random.nextInt(2_000),
        random.nextInt(4) == 0,
        random.nextInt(8) == 0);
  }

  int unfinished() {
    return concurrency + capacity;
  }

  /** Jobs that end before the full load: enough to fill the history, and the ring of a listener. */
  int ended() {
    return history + (listener ? 2 * RING : 8);
  }

  /** From which of them on each pushes an event out of the ring, to have its own end in it. */
  int pushing() {
    return listener ? RING / 2 : Integer.MAX_VALUE;
  }
}
