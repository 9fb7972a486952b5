package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every bounded BlockingQueue owes, by one thread. */
@Tag("Q7")
class BoundedQueueContractTest {

  @AfterEach
  void interruptFlagIsClear() {
    assertThat(Thread.interrupted()).isFalse();
  }

  private static BoundedQueue<Integer> filled(int capacity, Integer... elements) {
    BoundedQueue<Integer> queue = BoundedQueue.of(capacity);
    Collections.addAll(queue, elements);
    return queue;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  @Tag("Q11")
  void capacityBelowOneIsRefused(int capacity) {
    assertThatThrownBy(() -> BoundedQueue.of(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity")
        .hasMessageContaining(String.valueOf(capacity));
    assertThatThrownBy(() -> BoundedQueue.weighted(capacity, 1, e -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity");
  }

  @Test
  @Tag("Q11")
  void hugeCapacityAllocatesNothingForFreeSlots() {
    BoundedQueue<Integer> queue = BoundedQueue.of(Integer.MAX_VALUE);
    assertThat(queue.remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
    assertThat(queue.offer(1)).isTrue();
    List<Integer> target = new ArrayList<>();
    assertThat(queue.drainTo(target, Integer.MAX_VALUE)).isEqualTo(1);
    assertThat(target).containsExactly(1);
    assertThat(queue.remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  @Tag("Q1")
  void elementsLeaveInTheOrderOfArrival() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(4);
    queue.put(1);
    assertThat(queue.offer(3)).isTrue();
    assertThat(queue.add(2)).isTrue();
    assertThat(queue.offer(4, 1, TimeUnit.DAYS)).isTrue();
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.poll()).isEqualTo(3);
    assertThat(queue.remove()).isEqualTo(2);
    assertThat(queue.poll(1, TimeUnit.DAYS)).isEqualTo(4);
  }

  @Test
  @Tag("Q1")
  void sizeAndRemainingCapacityFollowEveryStep() {
    BoundedQueue<Integer> queue = BoundedQueue.of(3);
    for (int size = 0; size < 3; size++) {
      assertThat(queue.size()).isEqualTo(size);
      assertThat(queue.isEmpty()).isEqualTo(size == 0);
      assertThat(queue.remainingCapacity()).isEqualTo(3 - size);
      queue.add(size);
    }
    for (int size = 3; size > 0; size--) {
      assertThat(queue.size()).isEqualTo(size);
      assertThat(queue.remainingCapacity()).isEqualTo(3 - size);
      queue.remove();
    }
    assertThat(queue.capacity()).isEqualTo(3);
    assertThat(queue.maxWeight()).isEqualTo(Long.MAX_VALUE);
    assertThat(queue.weight()).isZero();
  }

  @Test
  @Tag("Q1")
  void fullQueueRefusesAndIsUndamaged() throws InterruptedException {
    BoundedQueue<Integer> queue = filled(2, 1, 2);
    assertThat(queue.offer(3)).isFalse();
    assertThat(queue.offer(3, 0, TimeUnit.SECONDS)).isFalse();
    assertThat(queue.offer(3, 10, TimeUnit.MILLISECONDS)).isFalse();
    assertThatThrownBy(() -> queue.add(3))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageContaining("full");
    assertThat(queue).containsExactly(1, 2);
    assertThat(queue.unfinished()).isEqualTo(2);
    assertThat(queue.waitingPutters()).isZero();
    queue.remove();
    assertThat(queue.offer(3)).isTrue();
  }

  @Test
  @Tag("Q1")
  void emptyQueueGivesNothingAndIsUndamaged() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    assertThat(queue.poll()).isNull();
    assertThat(queue.peek()).isNull();
    assertThat(queue.poll(0, TimeUnit.SECONDS)).isNull();
    assertThat(queue.poll(10, TimeUnit.MILLISECONDS)).isNull();
    assertThatThrownBy(queue::remove).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(queue::element).isInstanceOf(NoSuchElementException.class);
    assertThat(queue.waitingTakers()).isZero();
    queue.add(1);
    assertThat(queue.peek()).isEqualTo(1);
    assertThat(queue.element()).isEqualTo(1);
    assertThat(queue.poll()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  @Tag("Q11")
  void zeroAndNegativeTimeoutsDoNotWait(long timeout) throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    assertThat(queue.poll(timeout, TimeUnit.DAYS)).isNull();
    assertThat(queue.offer(1, timeout, TimeUnit.DAYS)).isTrue();
    assertThat(queue.offer(2, timeout, TimeUnit.DAYS)).isFalse();
    assertThat(queue.poll(timeout, TimeUnit.DAYS)).isEqualTo(1);
  }

  @Test
  void nullIsRefusedEverywhere() {
    BoundedQueue<Integer> queue = filled(1, 1);
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
        List.of(
            () -> queue.put(null),
            () -> queue.offer(null),
            () -> queue.offer(null, 1, TimeUnit.DAYS),
            () -> queue.offer(2, 1, null),
            () -> queue.poll(1, null),
            () -> queue.add(null),
            () -> queue.addAll(null),
            () -> queue.addAll(Arrays.asList(null, null)),
            () -> queue.drainTo(null),
            () -> queue.drainTo(null, 1),
            () -> queue.removeIf(null),
            () -> queue.removeAll(null),
            () -> queue.retainAll(null),
            () -> queue.forEach(null),
            () -> queue.toArray((Object[]) null),
            () -> queue.join(null),
            () -> BoundedQueue.weighted(1, 1, null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(NullPointerException.class));
    assertThat(queue.contains(null)).isFalse();
    assertThat(queue.remove((Object) null)).isFalse();
    assertThat(queue).containsExactly(1);
  }

  @Test
  void interruptBeforeTheCallIsToldEvenIfNothingWouldBlock() {
    BoundedQueue<Integer> queue = filled(2, 1);
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
        List.of(
            () -> queue.put(2),
            () -> queue.offer(2, 1, TimeUnit.DAYS),
            queue::take,
            () -> queue.poll(1, TimeUnit.DAYS),
            queue::join,
            () -> queue.join(java.time.Duration.ZERO));
    assertThat(calls)
        .allSatisfy(
            call -> {
              Thread.currentThread().interrupt();
              assertThatThrownBy(call).isInstanceOf(InterruptedException.class);
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });
    assertThat(queue).containsExactly(1);
  }

  @Test
  void callsThatNeverWaitIgnoreAndKeepTheInterrupt() {
    BoundedQueue<Integer> queue = filled(3, 1);
    Thread.currentThread().interrupt();
    try {
      assertThat(queue.offer(2)).isTrue();
      assertThat(queue.add(3)).isTrue();
      assertThat(queue.poll()).isEqualTo(1);
      assertThat(queue.drainTo(new ArrayList<>())).isEqualTo(2);
      queue.taskDone();
      queue.shutdown();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void addAllStopsAtFullAndRefusesItself() {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    assertThatThrownBy(() -> queue.addAll(List.of(1, 2, 3)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(queue).containsExactly(1, 2);
    Collection<Integer> itself = queue;
    assertThatThrownBy(() -> queue.addAll(itself)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void drainToTakesOldestFirstUpToTheMaximum() {
    BoundedQueue<Integer> queue = filled(5, 1, 2, 3, 4);
    List<Integer> target = new ArrayList<>();
    assertThat(queue.drainTo(target, 0)).isZero();
    assertThat(queue.drainTo(target, -1)).isZero();
    assertThat(queue.drainTo(target, 3)).isEqualTo(3);
    assertThat(target).containsExactly(1, 2, 3);
    assertThat(queue).containsExactly(4);
    assertThat(queue.drainTo(target)).isEqualTo(1);
    assertThat(queue.drainTo(target)).isZero();
    assertThat(target).containsExactly(1, 2, 3, 4);
    assertThatThrownBy(() -> queue.drainTo(queue)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queue.drainTo(queue, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void removeTakesTheOldestEqualElement() {
    BoundedQueue<Integer> queue = filled(5, 1, 2, 1, 3);
    assertThat(queue.contains(1)).isTrue();
    assertThat(queue.contains(9)).isFalse();
    assertThat(queue.remove((Object) 1)).isTrue();
    assertThat(queue).containsExactly(2, 1, 3);
    assertThat(queue.remove((Object) 3)).isTrue();
    assertThat(queue.remove((Object) 9)).isFalse();
    queue.add(4);
    assertThat(queue).containsExactly(2, 1, 4);
  }

  @Test
  void bulkRemovalsSayWhetherAnythingChanged() {
    BoundedQueue<Integer> queue = filled(8, 1, 2, 3, 4, 5, 6);
    assertThat(queue.removeIf(e -> e % 3 == 0)).isTrue();
    assertThat(queue).containsExactly(1, 2, 4, 5);
    assertThat(queue.removeIf(e -> e % 3 == 0)).isFalse();
    assertThat(queue.removeAll(List.of(1, 9))).isTrue();
    assertThat(queue.removeAll(List.of(1, 9))).isFalse();
    assertThat(queue.retainAll(List.of(4, 2))).isTrue();
    assertThat(queue.retainAll(List.of(4, 2))).isFalse();
    assertThat(queue).containsExactly(2, 4);
    Collection<Integer> itself = queue;
    assertThat(queue.removeAll(itself)).isTrue();
    assertThat(queue).isEmpty();
  }

  @Test
  void arraysStreamsAndTextShowTheElementsInOrder() {
    BoundedQueue<Integer> queue = filled(5, 3, 1, 2);
    assertThat(queue.toArray()).containsExactly(3, 1, 2);
    assertThat(queue.toArray(new Integer[5])).containsExactly(3, 1, 2, null, null);
    assertThat(queue.toArray(Integer[]::new)).containsExactly(3, 1, 2);
    Object[] tooNarrow = new String[3];
    assertThatThrownBy(() -> queue.toArray(tooNarrow)).isInstanceOf(ArrayStoreException.class);
    assertThat(queue.stream().toList()).containsExactly(3, 1, 2);
    assertThat(queue.parallelStream().mapToInt(e -> e).sum()).isEqualTo(6);
    assertThat(queue).hasToString("[3, 1, 2]");
    assertThat(queue.offer(4)).isTrue();
  }

  @Test
  void spliteratorPromisesOrderAndNoNullsButNoSize() {
    BoundedQueue<Integer> queue =
        filled(300, IntStream.range(0, 300).boxed().toArray(Integer[]::new));
    java.util.Spliterator<Integer> rest = queue.spliterator();
    assertThat(rest.hasCharacteristics(java.util.Spliterator.ORDERED)).isTrue();
    assertThat(rest.hasCharacteristics(java.util.Spliterator.NONNULL)).isTrue();
    assertThat(rest.hasCharacteristics(java.util.Spliterator.CONCURRENT)).isTrue();
    assertThat(rest.hasCharacteristics(java.util.Spliterator.SIZED)).isFalse();
    java.util.Spliterator<Integer> prefix = rest.trySplit();
    List<Integer> seen = new ArrayList<>();
    Stream.of(prefix, rest).forEach(part -> part.forEachRemaining(seen::add));
    assertThat(seen).isEqualTo(IntStream.range(0, 300).boxed().toList());
  }

  @Test
  void equalityIsIdentity() {
    BoundedQueue<Integer> queue = filled(2, 1);
    assertThat(queue.equals(filled(2, 1))).isFalse();
    assertThat(List.of(queue)).contains(queue).doesNotContain(filled(2, 1));
  }
}
