package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.ConcurrencyTest;

/** Every removal that frees a slot must wake who waits for one, and joiners too. */
@ExtendWith(FrayTestExtension.class)
@Tag("Q10")
class BoundedQueueRemovalFrayTest {

  private static void removalWakes(Consumer<BoundedQueue<Integer>> removal)
      throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    Side putter = Side.doing(() -> queue.put(2));
    removal.accept(queue);
    putter.join();
    assertThat(queue).containsExactly(2);
    Side joiner = Side.doing(queue::join);
    queue.clear();
    joiner.join();
  }

  @ConcurrencyTest(iterations = 200)
  void removeWakesPutters() throws InterruptedException {
    removalWakes(queue -> assertThat(queue.remove((Object) 1)).isTrue());
  }

  @ConcurrencyTest(iterations = 200)
  void removeIfWakesPutters() throws InterruptedException {
    removalWakes(queue -> assertThat(queue.removeIf(e -> e == 1)).isTrue());
  }

  @ConcurrencyTest(iterations = 200)
  void retainAllWakesPutters() throws InterruptedException {
    removalWakes(queue -> assertThat(queue.retainAll(List.of(2))).isTrue());
  }

  @ConcurrencyTest(iterations = 200)
  void iteratorWakesPutters() throws InterruptedException {
    removalWakes(
        queue -> {
          Iterator<Integer> iterator = queue.iterator();
          iterator.next();
          iterator.remove();
        });
  }

  @ConcurrencyTest(iterations = 200)
  void drainToWakesPutters() throws InterruptedException {
    removalWakes(
        queue -> {
          assertThat(queue.drainTo(new ArrayList<>(), 1)).isEqualTo(1);
          queue.taskDone();
        });
  }

  @ConcurrencyTest(iterations = 200)
  void clearWakesEveryPutterThatFits() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.put(1);
    queue.put(2);
    Side one = Side.doing(() -> queue.put(3));
    Side other = Side.doing(() -> queue.put(4));
    queue.clear();
    one.join();
    other.join();
    assertThat(queue).hasSize(2);
    assertThat(queue.unfinished()).isEqualTo(2);
  }

  @ConcurrencyTest(iterations = 250)
  void elementIsRemovedOrTakenButNotBoth() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.put(1);
    AtomicReference<Integer> polled = new AtomicReference<>();
    Side taker = Side.doing(() -> polled.set(queue.poll()));
    boolean removed = queue.remove((Object) 1);
    taker.join();
    assertThat(removed).isEqualTo(polled.get() == null);
    assertThat(queue.unfinished()).isEqualTo(removed ? 0 : 1);
    assertThat(queue.remainingCapacity()).isEqualTo(2);
  }

  @ConcurrencyTest(iterations = 250)
  void whatADrainGivesBackWakesTakers() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    Side taker = Side.doing(queue::take);
    Side putter = Side.doing(() -> queue.put(2));
    try {
      queue.drainTo(Collections.emptyList());
    } catch (UnsupportedOperationException e) {
      // The target refused it; it is back at the front.
    }
    taker.join();
    putter.join();
    assertThat(queue).containsExactly(2);
    assertThat(queue.remainingCapacity()).isZero();
  }
}
