package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("Q2")
class BoundedQueueAccountingTest {

  @Test
  void taskDoneOnANewQueueIsRefused() {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    assertThatThrownBy(queue::taskDone)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageContaining("taskDone");
    assertThat(queue.unfinished()).isZero();
  }

  @Test
  void taskDoneIsOwedForTakenElementsOnly() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(3);
    queue.put(1);
    queue.put(2);
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
    queue.take();
    queue.taskDone();
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
    assertThat(queue.unfinished()).isEqualTo(1);
    assertThat(queue.join(Duration.ZERO)).isFalse();
  }

  @Test
  void everyWayOfTakingOwesOneTaskDone() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(5);
    queue.addAll(List.of(1, 2, 3, 4, 5));
    queue.take();
    queue.poll();
    queue.poll(1, java.util.concurrent.TimeUnit.DAYS);
    queue.remove();
    queue.drainTo(new ArrayList<>());
    for (int owed = 5; owed > 0; owed--) {
      assertThat(queue.unfinished()).isEqualTo(owed);
      assertThat(queue.join(Duration.ZERO)).isFalse();
      queue.taskDone();
    }
    assertThat(queue.join(Duration.ZERO)).isTrue();
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  void joinOfAnEmptyQueueReturnsAtOnceAndAgain() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.join();
    queue.join();
    assertThat(queue.join(Duration.ZERO)).isTrue();
    assertThat(queue.join(Duration.ofSeconds(-1))).isTrue();
  }

  @Test
  @Tag("T2")
  void joinWithATimeoutSaysWhetherTheTimeWasOver() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    assertThat(queue.join(Duration.ofSeconds(-1))).isFalse();
    assertThat(queue.join(Duration.ofNanos(1))).isFalse();
    assertThat(queue.join(Duration.ofMillis(5))).isFalse();
    Actor<Boolean> joiner = Actor.getting(() -> queue.join(Duration.ofSeconds(Long.MAX_VALUE)));
    joiner.awaitBlocked();
    queue.take();
    assertThat(joiner.isDone()).isFalse();
    queue.taskDone();
    assertThat(joiner.result()).isTrue();
  }

  @Test
  void interruptedJoinerLeaves() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    Actor<Boolean> joiner = Actor.doing(queue::join);
    joiner.awaitBlocked();
    joiner.interrupt();
    assertThat(joiner.failure()).isInstanceOf(InterruptedException.class);
    assertThat(queue.describe()).contains("waiting joiners 0");
  }

  @Test
  @Tag("L2")
  void joinReturnsWhenEveryElementIsAccountedForAndWorksAgain() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(8);
    AtomicInteger sum = new AtomicInteger();
    List<Actor<Boolean>> workers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      workers.add(
          Actor.doing(
              () -> {
                for (int e = queue.take(); e >= 0; e = queue.take()) {
                  sum.addAndGet(e);
                  queue.taskDone();
                }
                queue.taskDone();
              }));
    }
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < 100; i++) {
        queue.put(i);
      }
      Actor.doing(queue::join).result();
      assertThat(sum).hasValue(round * 4950);
      assertThat(queue.unfinished()).isZero();
    }
    queue.put(-1);
    queue.put(-1);
    for (Actor<Boolean> worker : workers) {
      worker.result();
    }
    queue.join();
  }

  @Test
  void allJoinersAreWoken() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.put(1);
    List<Actor<Boolean>> joiners =
        List.of(Actor.doing(queue::join), Actor.doing(queue::join), Actor.doing(queue::join));
    Actor.eventually(() -> queue.describe().contains("waiting joiners 3"));
    queue.take();
    queue.taskDone();
    for (Actor<Boolean> joiner : joiners) {
      joiner.result();
    }
  }

  @Test
  void joinSaysNothingAboutSuccess() throws InterruptedException {
    BoundedQueue<Integer> queue = BoundedQueue.of(3);
    queue.addAll(List.of(1, 2, 3));
    int completed = 0;
    int failed = 0;
    while (!queue.isEmpty()) {
      int e = queue.take();
      try {
        if (e > 0) {
          throw new StackOverflowError();
        }
        completed++;
      } catch (StackOverflowError error) {
        failed++;
      } finally {
        queue.taskDone();
      }
    }
    queue.join();
    assertThat(completed).isZero();
    assertThat(failed).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"take", "drainTo", "refused", "remove", "clear", "iterator", "shutdown"})
  @Tag("Q7")
  void whatHasLeftIsNotKeptAliveEvenIfAnIteratorStandsInTheQueue(String way) throws Exception {
    BoundedQueue<Object> queue = BoundedQueue.of(4);
    queue.put("first");
    queue.put("second");
    WeakReference<Object> gone = putOne(queue);
    Iterator<Object> bystander = queue.iterator();
    bystander.next();
    leave(queue, way);
    Actor.eventually(
        () -> {
          System.gc();
          return gone.refersTo(null);
        });
    assertThat(bystander.next()).isEqualTo("second");
    assertThat(queue).isEmpty();
  }

  private static WeakReference<Object> putOne(BoundedQueue<Object> queue) throws Exception {
    Object element = new byte[16];
    queue.put(element);
    return new WeakReference<>(element);
  }

  private static void leave(BoundedQueue<Object> queue, String way) throws Exception {
    switch (way) {
      case "take" -> {
        while (!queue.isEmpty()) {
          queue.take();
        }
      }
      case "drainTo" -> queue.drainTo(new ArrayList<>());
      case "refused" -> {
        assertThatThrownBy(() -> queue.drainTo(BoundedQueue.weighted(3, 1, e -> 2)))
            .isInstanceOf(IllegalArgumentException.class);
        queue.drainTo(new ArrayList<>());
      }
      case "remove" -> assertThat(queue.removeIf(e -> true)).isTrue();
      case "clear" -> queue.clear();
      case "iterator" -> {
        for (Iterator<Object> all = queue.iterator(); all.hasNext(); ) {
          all.next();
          all.remove();
        }
      }
      default -> assertThat(queue.shutdownNow()).hasSize(3);
    }
  }
}
