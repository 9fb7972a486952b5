package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/**
 * What every class with a start and a stop must stand, in one line: {@code StartStopStress.check(()
 * -> start(), thing -> thing.close())}.
 *
 * <p>Each round starts one, lets it be used while it is stopped by three threads at once, and stops
 * it once more. Whoever fails to come back, throws, or leaves a thread of Headgate behind fails. It
 * claims nothing about what the thing does in between.
 */
public final class StartStopStress {

  private static final int ROUNDS = 200;

  private StartStopStress() {}

  /** What is done to one of them. */
  public interface Step<L> {
    /** Does it. */
    void run(L thing) throws Exception;
  }

  /** Checks a thing that is only started and stopped. */
  public static <L> void check(Callable<L> start, Step<? super L> stop) throws Exception {
    check(start, thing -> {}, stop);
  }

  /** Checks a thing that is also used, while it is being stopped, by a thread of its own. */
  public static <L> void check(Callable<L> start, Step<? super L> use, Step<? super L> stop)
      throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    for (int round = 0; round < ROUNDS; round++) {
      L thing = start.call();
      CountDownLatch go = new CountDownLatch(1);
      List<Aside<Boolean>> sides = new ArrayList<>();
      sides.add(
          Aside.run(
              () -> {
                go.await();
                use.run(thing);
              }));
      for (int i = 0; i < 3; i++) {
        sides.add(
            Aside.run(
                () -> {
                  go.await();
                  stop.run(thing);
                }));
      }
      go.countDown();
      for (Aside<Boolean> side : sides) {
        assertThat(side.result()).isTrue();
      }
      stop.run(thing);
    }
    Aside.until(() -> leftBehind(before).isEmpty());
    assertThat(leftBehind(before)).isEmpty();
  }

  private static Set<Thread> leftBehind(Set<Thread> before) {
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    left.removeIf(thread -> !thread.getName().startsWith("headgate"));
    return left;
  }
}
