package io.headgate.limit;

import io.headgate.Criticality;

/**
 * The order of service among accepted work while there is too much of it: the most critical first,
 * but of every so many claims one for each class that waits, so that none starves. It concerns
 * service only; admission has no floors.
 *
 * <p>Pure and deterministic. Not thread-safe: it belongs under the lock of the queue that it
 * orders.
 */
public final class CriticalityFloors {

  private static final Criticality[] CLASSES = Criticality.values();

  private final int oneIn;
  private final int[] passedOver = new int[CLASSES.length];

  private CriticalityFloors(int oneIn) {
    this.oneIn = oneIn;
  }

  /**
   * Gives each class that waits one of {@code claims} claims at least; 100 is one per cent.
   *
   * @throws IllegalArgumentException if {@code claims} is less than there are classes
   */
  public static CriticalityFloors oneIn(int claims) {
    if (claims < CLASSES.length) {
      throw new IllegalArgumentException(
          "one in %d claims for each of %d classes is more than there is"
              .formatted(claims, CLASSES.length));
    }
    return new CriticalityFloors(claims);
  }

  /**
   * The class to serve next, which counts as served.
   *
   * @param waiting bit n is set if work of the class with ordinal n waits; at least one is
   */
  public Criticality next(int waiting) {
    Criticality chosen = choose(waiting);
    served(chosen, waiting);
    return chosen;
  }

  /**
   * The class to serve next, if something is served at all. Changes nothing: who serves says {@link
   * #served}.
   *
   * @param waiting as for {@link #next}
   */
  @SuppressWarnings("EnumOrdinal") // bits of this call only, never stored
  public Criticality choose(int waiting) {
    int first = Integer.numberOfTrailingZeros(waiting);
    int chosen = first;
    for (int i = first + 1; i < CLASSES.length; i++) {
      boolean waits = (waiting >> i & 1) != 0;
      // Due a little early: of several that are due at once the last waits for the others.
      if (waits && passedOver[i] >= oneIn - CLASSES.length) {
        chosen = chosen == first || passedOver[i] > passedOver[chosen] ? i : chosen;
      }
    }
    return CLASSES[chosen];
  }

  /**
   * Work of a class was served while others waited.
   *
   * @param waiting as for {@link #next}, at the time of the choice
   */
  @SuppressWarnings("EnumOrdinal")
  public void served(Criticality served, int waiting) {
    for (int i = 0; i < CLASSES.length; i++) {
      boolean waits = (waiting >> i & 1) != 0 && i != served.ordinal();
      passedOver[i] = waits ? passedOver[i] + 1 : 0;
    }
  }
}
