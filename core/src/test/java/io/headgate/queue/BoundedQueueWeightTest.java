package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedQueueWeightTest {

  private static BoundedQueue<Long> weighted(int capacity, long maxWeight, long... elements) {
    BoundedQueue<Long> queue = BoundedQueue.weighted(capacity, maxWeight, e -> e);
    for (long e : elements) {
      queue.add(e);
    }
    return queue;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  @Tag("Q11")
  void maximumWeightBelowOneIsRefused(long maxWeight) {
    assertThatThrownBy(() -> BoundedQueue.weighted(1, maxWeight, e -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxWeight")
        .hasMessageContaining(String.valueOf(maxWeight));
  }

  @Test
  @Tag("Q1")
  void weightBoundsWhatIsQueued() {
    BoundedQueue<Long> queue = weighted(10, 10, 6, 4);
    assertThat(queue.offer(1L)).isFalse();
    assertThat(queue.offer(0L)).isTrue();
    assertThat(queue.weight()).isEqualTo(10);
    assertThat(queue.remainingCapacity()).isEqualTo(7);
    assertThat(queue.poll()).isEqualTo(6);
    assertThat(queue.weight()).isEqualTo(4);
    assertThat(queue.offer(7L)).isFalse();
    assertThat(queue.offer(6L)).isTrue();
    assertThat(queue.maxWeight()).isEqualTo(10);
  }

  @Test
  @Tag("Q1")
  void elementsAreBoundedEvenIfTheyWeighNothing() {
    BoundedQueue<Long> queue = weighted(2, 10, 0, 0);
    assertThat(queue.offer(0L)).isFalse();
    assertThat(queue.remainingCapacity()).isZero();
  }

  @Test
  @Tag("Q1")
  void hugeWeightsDoNotOverflow() {
    BoundedQueue<Long> queue = weighted(10, Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(queue.offer(1L)).isFalse();
    assertThat(queue.offer(Long.MAX_VALUE)).isFalse();
    assertThat(queue.offer(0L)).isTrue();
    queue.clear();
    assertThat(queue.weight()).isZero();
    assertThat(queue.offer(Long.MAX_VALUE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  @Tag("Q11")
  @Tag("CASE-6")
  void impossibleWeightIsRefusedBeforeAnyWait(long weight) {
    BoundedQueue<Long> queue = weighted(1, 10, 10);
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
        List.of(
            () -> queue.put(weight),
            () -> queue.offer(weight),
            () -> queue.add(weight),
            () -> queue.offer(weight, 1, TimeUnit.DAYS));
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatThrownBy(call)
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(weight)));
    assertThat(queue).containsExactly(10L);
    assertThat(queue.unfinished()).isEqualTo(1);
  }

  @Test
  @Tag("Q11")
  void weigherIsAskedOncePerElementAndItsAnswerKept() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger answer = new AtomicInteger(5);
    BoundedQueue<String> queue =
        BoundedQueue.weighted(
            9,
            10,
            e -> {
              calls.incrementAndGet();
              return answer.get();
            });
    queue.put("a");
    queue.put("b");
    Actor<Boolean> waiting = Actor.doing(() -> queue.put("c"));
    Actor.awaitPutters(queue, 1);
    answer.set(1);
    assertThat(queue.take()).isEqualTo("a");
    waiting.result();
    assertThat(queue.weight()).isEqualTo(10);
    queue.take();
    queue.take();
    assertThat(queue.weight()).isZero();
    assertThat(calls).hasValue(3);
  }

  @Test
  @Tag("Q11")
  void throwingWeigherChangesNothing() throws Exception {
    BoundedQueue<String> queue =
        BoundedQueue.weighted(
            2,
            10,
            e -> {
              if (e.isEmpty()) {
                throw new UnsupportedOperationException("weigher");
              }
              return 1;
            });
    for (int run = 0; run < 2; run++) {
      assertThatThrownBy(() -> queue.put("")).hasMessage("weigher");
      assertThatThrownBy(() -> queue.offer("")).hasMessage("weigher");
      assertThatThrownBy(() -> queue.offer("", 1, TimeUnit.DAYS)).hasMessage("weigher");
      assertThat(queue.describe()).contains("size 0", "unfinished 0", "weight 0");
      queue.put("a");
      assertThat(Actor.getting(queue::take).result()).isEqualTo("a");
      queue.taskDone();
    }
  }

  @Test
  @Tag("A3")
  @Tag("Q11")
  void smallPutterPassesTheBigOneThatStillDoesNotFit() throws Exception {
    BoundedQueue<Long> queue = weighted(10, 10, 4, 6);
    Actor<Boolean> big = Actor.doing(() -> queue.put(5L));
    Actor.awaitPutters(queue, 1);
    Actor<Boolean> small = Actor.doing(() -> queue.put(3L));
    Actor.awaitPutters(queue, 2);
    assertThat(queue.take()).isEqualTo(4);
    small.result();
    assertThat(queue).containsExactly(6L, 3L);
    assertThat(queue.waitingPutters()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(6);
    big.result();
    assertThat(queue).containsExactly(3L, 5L);
  }

  @Test
  @Tag("A3")
  @Tag("Q11")
  void oneHeavyReleaseWakesAllThatFit() throws Exception {
    BoundedQueue<Long> queue = weighted(10, 10, 10);
    List<Actor<Boolean>> putters = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      putters.add(Actor.doing(() -> queue.put(2L)));
      Actor.awaitPutters(queue, i);
    }
    queue.take();
    for (Actor<Boolean> putter : putters) {
      putter.result();
    }
    assertThat(queue.weight()).isEqualTo(8);
  }

  @Test
  @Tag("Q5")
  @Tag("Q11")
  void bigPutterThatIsInterruptedLeavesTheRoomToOthers() throws Exception {
    BoundedQueue<Long> queue = weighted(2, 10, 4, 6);
    Actor<Boolean> big = Actor.doing(() -> queue.put(9L));
    Actor.awaitPutters(queue, 1);
    Actor<Boolean> small = Actor.doing(() -> queue.put(4L));
    Actor.awaitPutters(queue, 2);
    big.interrupt();
    assertThat(big.failure()).isInstanceOf(InterruptedException.class);
    assertThat(small.isDone()).isFalse();
    queue.take();
    small.result();
    assertThat(queue).containsExactly(6L, 4L);
  }

  @Test
  @Tag("Q7")
  void userCodeRunsOutsideTheLockAndMayCallTheQueue() throws Exception {
    AtomicReference<BoundedQueue<Nosy>> itself = new AtomicReference<>();
    BoundedQueue<Nosy> queue =
        BoundedQueue.weighted(
            9,
            90,
            e -> {
              askFromAnotherThread(itself.get());
              return 1;
            });
    itself.set(queue);
    queue.add(new Nosy(queue));
    queue.add(new Nosy(queue));
    assertThat(queue.contains(new Nosy(queue))).isFalse();
    assertThat(queue.remove(new Nosy(queue))).isFalse();
    assertThat(
            queue.removeIf(
                e -> {
                  askFromAnotherThread(queue);
                  return false;
                }))
        .isFalse();
    assertThat(queue.toString()).contains("nosy");
    List<Nosy> target =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(Nosy e) {
            askFromAnotherThread(queue);
            return super.add(e);
          }
        };
    assertThat(queue.drainTo(target)).isEqualTo(2);
  }

  private static void askFromAnotherThread(BoundedQueue<?> queue) {
    try {
      Actor.getting(queue::size).result();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Needs the lock from another thread whenever it is looked at. */
  private record Nosy(BoundedQueue<?> queue) {
    @Override
    public boolean equals(Object other) {
      askFromAnotherThread(queue);
      return false;
    }

    @Override
    public int hashCode() {
      return 0;
    }

    @Override
    public String toString() {
      askFromAnotherThread(queue);
      return "nosy";
    }
  }
}
