package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.ConcurrencyTest;

/**
 * Wake-ups that are overtaken, interrupted or too late. A lost one leaves every thread asleep,
 * which Fray reports as a deadlock.
 */
@ExtendWith(FrayTestExtension.class)
class BoundedQueueWakeUpFrayTest {

  @ConcurrencyTest(iterations = 250)
  @Tag("A3")
  @Tag("Q1")
  void overtakenPutterWaitsOnAndTheBoundHolds() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    AtomicBoolean overtook = new AtomicBoolean();
    Side putter = Side.doing(() -> queue.put(2));
    Side newcomer = Side.doing(() -> overtook.set(queue.offer(3)));
    queue.take();
    assertThat(queue.remainingCapacity()).isNotNegative();
    newcomer.join();
    assertThat(queue.size()).isLessThanOrEqualTo(1);
    queue.take();
    assertThat(queue.remainingCapacity()).isNotNegative();
    if (overtook.get()) {
      queue.take();
    }
    putter.join();
    assertThat(queue).isEmpty();
  }

  @ConcurrencyTest(iterations = 250)
  @Tag("Q1")
  void overtakenTakerWaitsOn() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    AtomicReference<Integer> taken = new AtomicReference<>();
    AtomicReference<Integer> polled = new AtomicReference<>();
    Side taker = Side.doing(() -> taken.set(queue.take()));
    Side poller = Side.doing(() -> polled.set(queue.poll()));
    queue.put(1);
    poller.join();
    if (polled.get() != null) {
      queue.put(2);
    }
    taker.join();
    assertThat(taken.get()).isEqualTo(polled.get() == null ? 1 : 2);
  }

  @ConcurrencyTest(iterations = 250)
  @Tag("A3")
  void twoReleasesWakeTwoPutters() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.put(1);
    queue.put(2);
    Side one = Side.doing(() -> queue.put(3));
    Side other = Side.doing(() -> queue.put(4));
    Side taker = Side.doing(queue::take);
    queue.take();
    one.join();
    other.join();
    taker.join();
    assertThat(queue).hasSize(2);
  }

  @ConcurrencyTest(iterations = 400)
  @Tag("Q5")
  @Tag("A8")
  void interruptedPutterPassesItsWakeUpOn() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    Side first = Side.doing(() -> queue.put(2));
    Side second = Side.doing(() -> queue.put(3));
    Side interrupter = Side.doing(first::interrupt);
    assertThat(queue.take()).isEqualTo(1);
    int seen = 0;
    boolean firstSeen = false;
    while (seen != 3) {
      seen = queue.take();
      firstSeen |= seen == 2;
    }
    boolean interrupted = first.endedByInterrupt();
    second.join();
    interrupter.join();
    assertThat(firstSeen || queue.contains(2)).isEqualTo(!interrupted);
    assertThat(queue.waitingPutters()).isZero();
  }

  @ConcurrencyTest(iterations = 400)
  @Tag("Q5")
  void interruptedTakerPassesItsWakeUpOn() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    Side first = Side.doing(queue::take);
    Side second = Side.doing(queue::take);
    Side interrupter = Side.doing(first::interrupt);
    queue.put(1);
    if (!first.endedByInterrupt()) {
      queue.put(2);
    }
    second.join();
    interrupter.join();
    assertThat(queue).isEmpty();
    assertThat(queue.waitingTakers()).isZero();
  }

  @ConcurrencyTest(iterations = 400, ignoreTimedBlock = false)
  @Tag("Q5")
  @Tag("CASE-1")
  void timedOutPutterPassesItsWakeUpOn() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    AtomicBoolean entered = new AtomicBoolean();
    Side first = Side.doing(() -> entered.set(queue.offer(2, 1, TimeUnit.MILLISECONDS)));
    Side second = Side.doing(() -> queue.put(3));
    assertThat(queue.take()).isEqualTo(1);
    boolean firstSeen = false;
    for (int seen = 0; seen != 3; firstSeen |= seen == 2) {
      seen = queue.take();
    }
    first.join();
    second.join();
    assertThat(firstSeen || queue.contains(2)).isEqualTo(entered.get());
    assertThat(queue.waitingPutters()).isZero();
  }

  @ConcurrencyTest(iterations = 400, ignoreTimedBlock = false)
  @Tag("Q5")
  void timedOutTakerPassesItsWakeUpOn() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    AtomicReference<Integer> polled = new AtomicReference<>();
    Side first = Side.doing(() -> polled.set(queue.poll(1, TimeUnit.MILLISECONDS)));
    Side second = Side.doing(queue::take);
    queue.put(1);
    first.join();
    if (polled.get() != null) {
      queue.put(2);
    }
    second.join();
    assertThat(queue).isEmpty();
  }
}
