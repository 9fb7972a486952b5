package io.headgate.lifecycle;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/** Signals that a test lets arrive. */
final class FakeSignals implements SignalSource {

  static final int HUP = 1;
  static final int INT = 2;
  static final int TERM = 15;

  private static final Map<String, Integer> NUMBERS = Map.of("HUP", HUP, "INT", INT, "TERM", TERM);

  private final Map<Integer, IntPredicate> arrivals = new ConcurrentHashMap<>();

  @Override
  public Runnable listen(String name, IntPredicate arrival) {
    int number = NUMBERS.get(name);
    arrivals.put(number, arrival);
    return () -> arrivals.remove(number);
  }

  /** Delivers a signal, on the calling thread; whether it was taken. */
  boolean arrive(int number) {
    return arrivals.get(number).test(number);
  }

  /** What a thread holds that is about to deliver the signal. */
  IntPredicate underWay(int number) {
    return arrivals.get(number);
  }

  Set<Integer> listenedTo() {
    return Set.copyOf(arrivals.keySet());
  }
}
