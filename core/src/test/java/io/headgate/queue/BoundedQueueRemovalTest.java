package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("Q10")
class BoundedQueueRemovalTest {

  /** One way to throw away the 2 of a queue that holds 1 and 2, or all. */
  record Removal(String name, Consumer<BoundedQueue<Integer>> action, int left) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Removal> removals() {
    return Stream.of(
        new Removal("remove", q -> assertThat(q.remove((Object) 2)).isTrue(), 1),
        new Removal("removeIf", q -> assertThat(q.removeIf(e -> e == 2)).isTrue(), 1),
        new Removal("removeAll", q -> assertThat(q.removeAll(List.of(2))).isTrue(), 1),
        new Removal("retainAll", q -> assertThat(q.retainAll(List.of(1))).isTrue(), 1),
        new Removal(
            "iterator",
            q -> {
              Iterator<Integer> i = q.iterator();
              i.next();
              i.next();
              i.remove();
            },
            1),
        new Removal("clear", BoundedQueue::clear, 0));
  }

  @ParameterizedTest
  @MethodSource("removals")
  void removalIsAccountedForAndReleasesJoiners(Removal removal) throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.weighted(2, 20, e -> e);
    queue.addAll(List.of(1, 2));
    Actor<Boolean> joiner = Actor.doing(queue::join);
    joiner.awaitBlocked();
    removal.action().accept(queue);
    assertThat(queue.unfinished()).isEqualTo(removal.left());
    assertThat(queue.weight()).isEqualTo(removal.left());
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
    queue.clear();
    joiner.result();
    assertThat(queue.weight()).isZero();
  }

  @ParameterizedTest
  @MethodSource("removals")
  void removalWakesWaitingPutters(Removal removal) throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.addAll(List.of(1, 2));
    List<Actor<Boolean>> putters = new ArrayList<>();
    for (int i = removal.left(); i < 2; i++) {
      putters.add(Actor.doing(() -> queue.put(3)));
    }
    Actor.awaitPutters(queue, putters.size());
    removal.action().accept(queue);
    for (Actor<Boolean> putter : putters) {
      putter.result();
    }
    assertThat(queue).hasSize(2).endsWith(3);
  }

  @Test
  void removalOfWhatIsNotThereFreesNothing() {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.addAll(List.of(1, 2));
    Iterator<Integer> iterator = queue.iterator();
    iterator.next();
    assertThat(queue.poll()).isEqualTo(1);
    iterator.remove();
    assertThat(queue).containsExactly(2);
    assertThat(queue.unfinished()).isEqualTo(2);
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    assertThatThrownBy(iterator::remove).isExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  void drainToHandsTheDutyOver() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.addAll(List.of(1, 2));
    assertThat(queue.drainTo(new ArrayList<>(), 1)).isEqualTo(1);
    assertThat(queue.unfinished()).isEqualTo(2);
    assertThat(queue.drainTo(new HashSet<>(List.of(2)))).isEqualTo(1);
    assertThat(queue.unfinished()).isEqualTo(2);
    assertThat(queue.join(Duration.ZERO)).isFalse();
    queue.taskDone();
    queue.taskDone();
    assertThat(queue.join(Duration.ZERO)).isTrue();
  }

  @Test
  void drainToWakesWaitingPutters() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.addAll(List.of(1, 2));
    Actor<Boolean> one = Actor.doing(() -> queue.put(3));
    Actor<Boolean> other = Actor.doing(() -> queue.put(4));
    Actor.awaitPutters(queue, 2);
    queue.drainTo(new ArrayList<>());
    one.result();
    other.result();
    assertThat(queue).containsExactlyInAnyOrder(3, 4);
  }

  @Test
  void drainToKeepsTheSlotsUntilTheTargetHasTheElements() {
    BoundedQueue<Integer> queue = BoundedQueue.weighted(2, 5, e -> e);
    queue.addAll(List.of(2, 3));
    List<String> seen = new ArrayList<>();
    Collection<Integer> target =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(Integer e) {
            seen.add(queue.describe());
            assertThat(queue.offer(0)).isFalse();
            queue.taskDone();
            return super.add(e);
          }
        };
    assertThat(queue.drainTo(target)).isEqualTo(2);
    assertThat(seen.get(0)).contains("size 0", "remaining capacity 0", "weight 5", "unfinished 2");
    assertThat(seen.get(1)).contains("unfinished 1");
    assertThat(queue.describe()).contains("remaining capacity 2", "weight 0", "unfinished 0");
  }

  @Test
  void whatTheTargetOfDrainToRefusesGoesBackInOrder() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.weighted(4, 10, e -> e);
    queue.addAll(List.of(1, 2, 3, 4));
    Iterator<Integer> iterator = queue.iterator();
    assertThat(iterator.next()).isEqualTo(1);
    assertThat(iterator.next()).isEqualTo(2);
    BoundedQueue<Integer> target = BoundedQueue.of(1);
    assertThatThrownBy(() -> queue.drainTo(target)).isInstanceOf(IllegalStateException.class);
    assertThat(target).containsExactly(1);
    assertThat(queue).containsExactly(2, 3, 4);
    assertThat(queue.weight()).isEqualTo(9);
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    assertThat(queue.unfinished()).isEqualTo(4);
    assertThat(iterator).toIterable().containsExactly(3, 4);
    queue.taskDone();
    assertThatThrownBy(queue::taskDone).isExactlyInstanceOf(IllegalStateException.class);
    assertThat(queue.offer(1)).isTrue();
    assertThat(queue.remove((Object) 3)).isTrue();
    assertThat(queue).containsExactly(2, 4, 1);
  }

  @Test
  void whatGoesBackWakesTakers() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.addAll(List.of(1, 2));
    List<Actor<Integer>> takers = new ArrayList<>();
    Collection<Integer> refusing =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(Integer e) {
            takers.add(Actor.getting(queue::take));
            takers.add(Actor.getting(queue::take));
            Actor.awaitTakers(queue, 2);
            throw new UnsupportedOperationException();
          }
        };
    assertThatThrownBy(() -> queue.drainTo(refusing))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(List.of(takers.get(0).result(), takers.get(1).result()))
        .containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void strayTaskDoneDuringARefusedDrainNeverCountsBelowWhatIsQueued() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(1);
    queue.add(1);
    Collection<Integer> refusing =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(Integer e) {
            queue.taskDone();
            throw new UnsupportedOperationException();
          }
        };
    assertThatThrownBy(() -> queue.drainTo(refusing))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(queue.unfinished()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.join(Duration.ZERO)).isFalse();
    queue.taskDone();
    queue.join();
  }

  @Test
  void throwingPredicateAndEqualsChangeNothing() {
    BoundedQueue<Integer> queue = BoundedQueue.of(2);
    queue.addAll(List.of(1, 2));
    for (int run = 0; run < 2; run++) {
      assertThatThrownBy(
              () ->
                  queue.removeIf(
                      e -> {
                        throw new ArithmeticException();
                      }))
          .isInstanceOf(ArithmeticException.class);
      Object bad =
          new Object() {
            @Override
            public boolean equals(Object other) {
              throw new ArithmeticException();
            }

            @Override
            public int hashCode() {
              return 0;
            }
          };
      assertThatThrownBy(() -> queue.remove(bad)).isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> queue.contains(bad)).isInstanceOf(ArithmeticException.class);
      assertThat(queue).containsExactly(1, 2);
      assertThat(queue.unfinished()).isEqualTo(2);
    }
  }

  @Test
  void removalEndsAlthoughElementsComeAndGoUnderItsEyes() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(3);
    queue.addAll(List.of(1, 2, 3));
    List<Integer> seen = new ArrayList<>();
    Actor<Boolean> removal =
        Actor.getting(
            () ->
                queue.removeIf(
                    e -> {
                      seen.add(e);
                      assertThat(queue.poll()).isEqualTo(e);
                      return queue.offer(9);
                    }));
    assertThat(removal.result()).isFalse();
    assertThat(seen).containsExactly(1, 2, 3);
    assertThat(queue).containsExactly(9, 9, 9);
    assertThat(queue.unfinished()).isEqualTo(6);
  }
}
