package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.ConcurrencyTest;

/** Wake-ups where the putter that came first is not the one that fits. */
@ExtendWith(FrayTestExtension.class)
@Tag("A3")
@Tag("Q11")
class BoundedQueueWeightFrayTest {

  private static BoundedQueue<Integer> queue(int... elements) throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.weighted(9, 10, e -> e);
    for (int e : elements) {
      queue.put(e);
    }
    return queue;
  }

  @ConcurrencyTest(iterations = 250)
  void smallPutterEntersWhileTheBigOneStillDoesNotFit() throws InterruptedException {
    BoundedQueue<Integer> queue = queue(4, 6);
    Side big = Side.doing(() -> queue.put(5));
    Side small = Side.doing(() -> queue.put(3));
    assertThat(queue.take()).isEqualTo(4);
    small.join();
    assertThat(queue.take()).isEqualTo(6);
    big.join();
    assertThat(queue).containsExactly(3, 5);
  }

  @ConcurrencyTest(iterations = 250)
  void heavyReleaseWakesAllThatFit() throws InterruptedException {
    BoundedQueue<Integer> queue = queue(10);
    Side one = Side.doing(() -> queue.put(5));
    Side other = Side.doing(() -> queue.put(4));
    queue.take();
    one.join();
    other.join();
    assertThat(queue.weight()).isEqualTo(9);
  }

  @ConcurrencyTest(iterations = 400)
  void overtakenBigPutterPassesTheRestOn() throws InterruptedException {
    BoundedQueue<Integer> queue = queue(6, 4);
    AtomicBoolean overtook = new AtomicBoolean();
    Side big = Side.doing(() -> queue.put(6));
    Side small = Side.doing(() -> queue.put(3));
    Side newcomer = Side.doing(() -> overtook.set(queue.offer(2)));
    queue.take();
    newcomer.join();
    if (overtook.get()) {
      // The newcomer can only enter while the big one is out; then the small one must fit.
      small.join();
    }
    assertThat(queue.weight()).isLessThanOrEqualTo(10);
    for (int left = overtook.get() ? 4 : 3; left > 0; left--) {
      queue.take();
    }
    big.join();
    small.join();
    assertThat(queue).isEmpty();
  }

  @ConcurrencyTest(iterations = 400)
  @Tag("Q5")
  @Tag("A8")
  void interruptedBigPutterLeavesTheRoomToTheSmallOne() throws InterruptedException {
    BoundedQueue<Integer> queue = queue(6, 4);
    Side big = Side.doing(() -> queue.put(6));
    Side small = Side.doing(() -> queue.put(3));
    Side interrupter = Side.doing(big::interrupt);
    queue.take();
    if (!big.endedByInterrupt()) {
      queue.take();
    }
    small.join();
    interrupter.join();
    assertThat(queue.waitingPutters()).isZero();
  }

  @ConcurrencyTest(iterations = 400, ignoreTimedBlock = false)
  @Tag("Q5")
  @Tag("CASE-1")
  void timedOutBigPutterThatWasOvertakenLeavesTheRoomToTheSmallOne() throws InterruptedException {
    BoundedQueue<Integer> queue = queue(6, 4);
    AtomicBoolean entered = new AtomicBoolean();
    AtomicBoolean overtook = new AtomicBoolean();
    Side big = Side.doing(() -> entered.set(queue.offer(6, 1, TimeUnit.MILLISECONDS)));
    Side small = Side.doing(() -> queue.put(3));
    Side newcomer = Side.doing(() -> overtook.set(queue.offer(2)));
    queue.take();
    newcomer.join();
    big.join();
    if (entered.get()) {
      queue.take();
    }
    small.join();
    assertThat(queue.weight()).isLessThanOrEqualTo(10);
    assertThat(queue.waitingPutters()).isZero();
  }
}
