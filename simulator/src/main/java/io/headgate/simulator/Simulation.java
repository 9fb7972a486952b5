package io.headgate.simulator;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The clock and the events of one run. What is to happen at one instant happens in the order in
 * which it was planned. Not thread-safe: everything runs in the thread that runs the simulation.
 */
final class Simulation implements Ticker {

  private record Event(long at, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final SplittableRandom seeds;
  private long now;
  private long planned;

  Simulation(long seed) {
    seeds = new SplittableRandom(seed);
  }

  /** A source of chance of its own for one part, so that parts do not disturb one another. */
  SplittableRandom random() {
    return seeds.split();
  }

  void at(long nanos, Runnable action) {
    events.add(new Event(Math.max(now, nanos), planned++, action));
  }

  void after(long nanos, Runnable action) {
    at(Durations.deadline(now, nanos), action);
  }

  /** Lets everything happen that is planned before {@code end}. */
  void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at < end) {
      Event event = events.remove();
      now = event.at;
      event.action.run();
    }
    now = end;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    throw new IllegalStateException("nobody waits in a simulation, but here somebody does");
  }
}
