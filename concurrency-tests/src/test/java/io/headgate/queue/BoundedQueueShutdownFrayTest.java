package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.ConcurrencyTest;

/** Shutdowns that race with everything; who is not woken is found as a deadlock. */
@ExtendWith(FrayTestExtension.class)
class BoundedQueueShutdownFrayTest {

  private final AtomicInteger put = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  private Side putter(BoundedQueue<Integer> queue, int element) {
    return Side.doing(
        () -> {
          try {
            queue.put(element);
            put.incrementAndGet();
          } catch (QueueClosedException e) {
            closed.incrementAndGet();
          }
        });
  }

  private Side taker(BoundedQueue<Integer> queue) {
    return Side.doing(
        () -> {
          try {
            queue.take();
            taken.incrementAndGet();
            queue.taskDone();
          } catch (QueueClosedException e) {
            closed.incrementAndGet();
          }
        });
  }

  @ConcurrencyTest(iterations = 250)
  @Tag("Q3")
  void shutdownWakesBlockedPutters() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    Side one = putter(queue, 1);
    Side other = putter(queue, 2);
    queue.shutdown();
    one.join();
    other.join();
    assertThat(closed).hasValue(2);
    assertThat(queue).containsExactly(0);
    assertThat(queue.waitingPutters()).isZero();
  }

  @ConcurrencyTest(iterations = 250)
  @Tag("Q3")
  void shutdownWakesBlockedTakers() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    Side one = taker(queue);
    Side other = taker(queue);
    Side third = taker(queue);
    queue.shutdown();
    one.join();
    other.join();
    third.join();
    assertThat(taken).hasValue(1);
    assertThat(closed).hasValue(2);
    queue.join();
  }

  @ConcurrencyTest(iterations = 400)
  @Tag("Q3")
  void putterWokenByATakeAndThenShutOutPutsNothing() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    Side putter = putter(queue, 1);
    Side taker = taker(queue);
    queue.shutdown();
    putter.join();
    taker.join();
    assertThat(put.get() + closed.get()).isEqualTo(1);
    assertThat(taken).hasValue(1);
    assertThat(queue.size()).isEqualTo(put.get());
    assertThat(queue.unfinished()).isEqualTo(put.get());
  }

  @ConcurrencyTest(iterations = 400)
  @Tag("Q4")
  @Tag("Q2")
  void shutdownNowAccountsForEveryElementOnce() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    Side putter = putter(queue, 1);
    Side taker = taker(queue);
    Side joiner = Side.doing(queue::join);
    int discarded = queue.shutdownNow().size();
    putter.join();
    taker.join();
    joiner.join();
    assertThat(taken.get() + discarded).isEqualTo(1 + put.get());
    assertThat(queue.unfinished()).isZero();
    assertThat(queue).isEmpty();
  }

  @ConcurrencyTest(iterations = 400)
  @Tag("Q6")
  @Tag("D9")
  void racingShutdownsDiscardEveryElementOnce() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.put(1);
    queue.put(2);
    AtomicReference<List<Integer>> theirs = new AtomicReference<>();
    Side putter = putter(queue, 3);
    Side other = Side.doing(() -> theirs.set(queue.shutdownNow()));
    Side graceful = Side.doing(queue::shutdown);
    List<Integer> mine = queue.shutdownNow();
    putter.join();
    other.join();
    graceful.join();
    assertThat(mine.size() + theirs.get().size()).isEqualTo(2);
    assertThat(mine.isEmpty() || theirs.get().isEmpty()).isTrue();
    assertThat(closed).hasValue(1);
    assertThat(queue.unfinished()).isZero();
    queue.join();
  }

  @ConcurrencyTest(iterations = 250)
  @Tag("Q2")
  void joinReturnsOnlyAfterTheLastTaskDone() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.put(1);
    queue.put(2);
    AtomicInteger done = new AtomicInteger();
    Side.Action work =
        () -> {
          queue.take();
          done.incrementAndGet();
          queue.taskDone();
        };
    Side one = Side.doing(work);
    Side other = Side.doing(work);
    queue.join();
    assertThat(done).hasValue(2);
    one.join();
    other.join();
  }
}
