package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BoundedQueueWaitingTest {

  @Test
  @Tag("Q1")
  void putWaitsForASlot() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    Actor<Boolean> putter = Actor.doing(() -> queue.put(2));
    Actor.awaitPutters(queue, 1);
    assertThat(putter.isDone()).isFalse();
    assertThat(queue).containsExactly(1);
    assertThat(queue.unfinished()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(1);
    putter.result();
    assertThat(queue).containsExactly(2);
    assertThat(queue.waitingPutters()).isZero();
  }

  @Test
  @Tag("Q1")
  @Tag("T2")
  void timedOfferWaitsForASlotHoweverLongTheTimeout() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    Actor<Boolean> day = Actor.getting(() -> queue.offer(2, 1, TimeUnit.DAYS));
    Actor.awaitPutters(queue, 1);
    queue.take();
    assertThat(day.result()).isTrue();
    Actor<Boolean> forEver = Actor.getting(() -> queue.offer(3, Long.MAX_VALUE, TimeUnit.DAYS));
    Actor.awaitPutters(queue, 1);
    queue.take();
    assertThat(forEver.result()).isTrue();
  }

  @Test
  @Tag("Q1")
  void takeAndTimedPollWaitForAnElement() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    Actor<Integer> taker = Actor.getting(queue::take);
    Actor.awaitTakers(queue, 1);
    assertThat(taker.isDone()).isFalse();
    queue.put(1);
    assertThat(taker.result()).isEqualTo(1);
    Actor<Integer> poller = Actor.getting(() -> queue.poll(Long.MAX_VALUE, TimeUnit.SECONDS));
    Actor.awaitTakers(queue, 1);
    queue.put(2);
    assertThat(poller.result()).isEqualTo(2);
    assertThat(queue.waitingTakers()).isZero();
  }

  @Test
  @Tag("Q1")
  void everythingPassesThroughOneSlot() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    Actor<Boolean> producer =
        Actor.doing(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                queue.put(i);
              }
            });
    List<Integer> seen = new ArrayList<>();
    Actor<Boolean> consumer =
        Actor.doing(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                seen.add(queue.take());
              }
            });
    producer.result();
    consumer.result();
    assertThat(seen).hasSize(1_000).isSorted();
  }

  @Test
  @Tag("A3")
  void severalReleasesInARowWakeSeveralPutters() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    List<Actor<Boolean>> putters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int element = i;
      putters.add(Actor.doing(() -> queue.put(element)));
    }
    Actor.awaitPutters(queue, 2);
    for (int left = queue.size(); left > 0; left--) {
      assertThat(queue.poll()).isNotNull();
    }
    for (Actor<Boolean> putter : putters) {
      putter.result();
    }
    assertThat(queue).hasSize(2);
  }

  @Test
  @Tag("A3")
  void puttersAreWokenInOrderOfArrival() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    List<Actor<Boolean>> putters = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      int element = i;
      putters.add(Actor.doing(() -> queue.put(element)));
      Actor.awaitPutters(queue, i);
    }
    for (int i = 0; i <= 3; i++) {
      assertThat(queue.poll(1, TimeUnit.DAYS)).isEqualTo(i);
    }
    for (Actor<Boolean> putter : putters) {
      putter.result();
    }
  }

  @Test
  @Tag("Q5")
  @Tag("CASE-1")
  @Tag("CASE-13")
  void interruptedPutterLeavesNoTraceAndTheNextOneProceeds() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    Actor<Boolean> first = Actor.doing(() -> queue.put(1));
    Actor.awaitPutters(queue, 1);
    Actor<Boolean> second = Actor.doing(() -> queue.put(2));
    Actor.awaitPutters(queue, 2);
    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    assertThat(queue.waitingPutters()).isEqualTo(1);
    assertThat(queue.unfinished()).isEqualTo(1);
    assertThat(queue.take()).isZero();
    second.result();
    assertThat(queue).containsExactly(2);
  }

  @Test
  @Tag("Q5")
  void interruptedTakerLeavesNoTraceAndTheNextOneTakes() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    Actor<Integer> first = Actor.getting(queue::take);
    Actor.awaitTakers(queue, 1);
    Actor<Integer> second = Actor.getting(queue::take);
    Actor.awaitTakers(queue, 2);
    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    Actor.awaitTakers(queue, 1);
    queue.put(1);
    assertThat(second.result()).isEqualTo(1);
  }

  @Test
  @Tag("Q5")
  @Tag("CASE-1")
  void timedOutPutterLeavesTheQueueAndTheNextOneProceeds() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(0);
    Actor<Boolean> first = Actor.getting(() -> queue.offer(1, 50, TimeUnit.MILLISECONDS));
    Actor<Boolean> second = Actor.doing(() -> queue.put(2));
    assertThat(first.result()).isFalse();
    Actor.awaitPutters(queue, 1);
    queue.take();
    second.result();
    assertThat(queue).containsExactly(2);
  }

  @Test
  @Tag("Q5")
  void timedOutTakerLeavesTheQueueAndTheNextOneTakes() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    Actor<Integer> first = Actor.getting(() -> queue.poll(50, TimeUnit.MILLISECONDS));
    Actor<Integer> second = Actor.getting(queue::take);
    assertThat(first.result()).isNull();
    Actor.awaitTakers(queue, 1);
    queue.put(1);
    assertThat(second.result()).isEqualTo(1);
  }

  @Test
  @Tag("Q1")
  void virtualThreadsWaitToo() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    List<Thread> putters = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int element = i;
      putters.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  queue.put(element);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    Actor.awaitPutters(queue, 99);
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      seen.add(Actor.getting(queue::take).result());
    }
    assertThat(seen).doesNotHaveDuplicates().hasSize(100);
    for (Thread putter : putters) {
      putter.join();
    }
  }
}
