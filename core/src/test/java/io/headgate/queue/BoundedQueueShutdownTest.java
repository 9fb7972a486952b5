package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedQueueShutdownTest {

  private static BoundedQueue<Integer> filled(int capacity, Integer... elements) {
    BoundedQueue<Integer> queue = BoundedQueue.of(capacity);
    queue.addAll(List.of(elements));
    return queue;
  }

  private static void shut(BoundedQueue<?> queue, boolean now) {
    if (now) {
      queue.shutdownNow();
    } else {
      queue.shutdown();
    }
  }

  private static void assertAllClosed(ThrowingCallable... calls) {
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(QueueClosedException.class));
  }

  private static void assertPutsAreClosed(BoundedQueue<Integer> queue) {
    assertAllClosed(
        () -> queue.put(9),
        () -> queue.offer(9),
        () -> queue.add(9),
        () -> queue.addAll(List.of(9)),
        () -> queue.offer(9, 0, TimeUnit.DAYS),
        () -> queue.offer(9, 1, TimeUnit.DAYS));
  }

  private static void assertTakesAreClosed(BoundedQueue<Integer> queue) {
    assertAllClosed(
        queue::take,
        queue::poll,
        queue::remove,
        () -> queue.poll(0, TimeUnit.DAYS),
        () -> queue.poll(1, TimeUnit.DAYS));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("Q9")
  @Tag("CASE-7")
  void emptyClosedQueueAnswersClosedAtOnce(boolean now) throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    assertThat(queue.isShutdown()).isFalse();
    shut(queue, now);
    assertThat(queue.isShutdown()).isTrue();
    assertPutsAreClosed(queue);
    assertTakesAreClosed(queue);
    assertThat(queue.peek()).isNull();
    assertThatThrownBy(queue::element).isInstanceOf(NoSuchElementException.class);
    assertThat(queue.drainTo(new ArrayList<>())).isZero();
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    assertThat(new QueueClosedException("closed")).isInstanceOf(IllegalStateException.class);
    queue.join();
  }

  @Test
  @Tag("Q9")
  void fullClosedQueueAnswersClosedNotFull() {
    BoundedQueue<Integer> queue = filled(1, 1);
    queue.shutdown();
    assertPutsAreClosed(queue);
    assertThatThrownBy(() -> queue.put(null)).isInstanceOf(NullPointerException.class);
    assertThat(queue).containsExactly(1);
  }

  @Test
  @Tag("Q9")
  void tooHeavyIsToldBeforeClosed() {
    BoundedQueue<Integer> queue = BoundedQueue.weighted(1, 5, e -> e);
    queue.shutdown();
    assertThatThrownBy(() -> queue.offer(6)).isExactlyInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queue.offer(5)).isInstanceOf(QueueClosedException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("Q3")
  @Tag("Q4")
  void blockedTakersGetClosed(boolean now) throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    Actor<Integer> taker = Actor.getting(queue::take);
    Actor<Integer> timed = Actor.getting(() -> queue.poll(1, TimeUnit.DAYS));
    Actor.awaitTakers(queue, 2);
    shut(queue, now);
    assertThat(taker.failure()).isInstanceOf(QueueClosedException.class);
    assertThat(timed.failure()).isInstanceOf(QueueClosedException.class);
    assertThat(queue.waitingTakers()).isZero();
    queue.join();
  }

  @Test
  @Tag("Q3")
  void blockedPutterGetsClosedAndTheRestDrains() throws Exception {
    BoundedQueue<Integer> queue = filled(1, 1);
    Actor<Boolean> putter = Actor.doing(() -> queue.put(2));
    Actor<Boolean> timed = Actor.getting(() -> queue.offer(3, 1, TimeUnit.DAYS));
    Actor.awaitPutters(queue, 2);
    Actor<Boolean> joiner = Actor.doing(queue::join);
    joiner.awaitBlocked();
    queue.shutdown();
    assertThat(putter.failure()).isInstanceOf(QueueClosedException.class);
    assertThat(timed.failure()).isInstanceOf(QueueClosedException.class);
    assertThat(queue.waitingPutters()).isZero();
    assertThat(queue).containsExactly(1);
    assertThat(queue.unfinished()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(1);
    assertTakesAreClosed(queue);
    assertPutsAreClosed(queue);
    joiner.awaitBlocked();
    queue.taskDone();
    joiner.result();
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("Q3")
  void takersShareWhatIsLeftAndTheOthersGetClosed() throws Exception {
    BoundedQueue<Integer> queue = filled(2, 1, 2);
    queue.shutdown();
    int taken = 0;
    int closed = 0;
    for (int i = 0; i < 3; i++) {
      try {
        Actor.getting(queue::take).result();
        taken++;
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(QueueClosedException.class);
        closed++;
      }
    }
    assertThat(taken).isEqualTo(2);
    assertThat(closed).isEqualTo(1);
  }

  @Test
  @Tag("Q3")
  void drainingByEveryOtherWayGoesOnAfterShutdown() {
    BoundedQueue<Integer> queue = filled(4, 1, 2, 3, 4);
    queue.shutdown();
    assertThat(queue.poll()).isEqualTo(1);
    assertThat(queue.remove((Object) 3)).isTrue();
    List<Integer> target = new ArrayList<>();
    assertThat(queue.drainTo(target)).isEqualTo(2);
    assertThat(target).containsExactly(2, 4);
    assertTakesAreClosed(queue);
  }

  @Test
  @Tag("Q4")
  void shutdownNowReturnsTheDiscardedAndReleasesTheJoiner() throws Exception {
    BoundedQueue<Integer> queue = filled(3, 1, 2);
    Actor<Boolean> joiner = Actor.doing(queue::join);
    joiner.awaitBlocked();
    List<Integer> discarded = queue.shutdownNow();
    assertThat(discarded).containsExactly(1, 2);
    discarded.add(3);
    joiner.result();
    assertThat(queue).isEmpty();
    assertThat(queue.unfinished()).isZero();
    assertPutsAreClosed(queue);
    assertTakesAreClosed(queue);
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("Q4")
  void shutdownNowStillWaitsForWhatWasTaken() throws Exception {
    BoundedQueue<Integer> queue = filled(2, 1, 2);
    queue.take();
    Actor<Boolean> joiner = Actor.doing(queue::join);
    joiner.awaitBlocked();
    assertThat(queue.shutdownNow()).containsExactly(2);
    assertThat(queue.unfinished()).isEqualTo(1);
    joiner.awaitBlocked();
    assertThat(queue.join(Duration.ZERO)).isFalse();
    queue.taskDone();
    joiner.result();
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("Q4")
  void shutdownNowWakesBlockedPuttersAndNoneOfThemPuts() throws Exception {
    BoundedQueue<Integer> queue = filled(1, 1);
    Actor<Boolean> putter = Actor.doing(() -> queue.put(2));
    Actor<Boolean> other = Actor.doing(() -> queue.put(3));
    Actor.awaitPutters(queue, 2);
    assertThat(queue.shutdownNow()).containsExactly(1);
    assertThat(putter.failure()).isInstanceOf(QueueClosedException.class);
    assertThat(other.failure()).isInstanceOf(QueueClosedException.class);
    assertThat(queue).isEmpty();
    assertThat(queue.unfinished()).isZero();
  }

  @Test
  @Tag("Q6")
  void shutdownsInEveryOrderStayShutDown() {
    BoundedQueue<Integer> queue = filled(3, 1, 2);
    queue.shutdown();
    queue.shutdown();
    assertThat(queue).containsExactly(1, 2);
    assertThat(queue.shutdownNow()).containsExactly(1, 2);
    assertThat(queue.shutdownNow()).isEmpty();
    queue.shutdown();
    assertThat(queue.isShutdown()).isTrue();
    assertThat(queue.unfinished()).isZero();
  }

  @Test
  @Tag("Q6")
  void describeTellsStateAndWaitingThreads() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.weighted(2, 10, e -> e);
    queue.add(7);
    Actor<Boolean> putter = Actor.doing(() -> queue.put(4));
    Actor.awaitPutters(queue, 1);
    assertThat(queue.describe())
        .contains("size 1", "remaining capacity 1", "weight 7", "unfinished 1")
        .contains("waiting putters 1", "waiting takers 0", "open");
    queue.shutdownNow();
    assertThat(putter.failure())
        .isInstanceOf(QueueClosedException.class)
        .hasMessageContaining("shut down");
    assertThat(queue.describe()).contains("size 0", "waiting putters 0", "shut down");
  }
}
