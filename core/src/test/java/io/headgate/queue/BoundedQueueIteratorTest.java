package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("Q11")
class BoundedQueueIteratorTest {

  private static BoundedQueue<Integer> filled(Integer... elements) {
    BoundedQueue<Integer> queue = BoundedQueue.of(10);
    queue.addAll(List.of(elements));
    return queue;
  }

  @Test
  void iteratorSeesWhatArrivesAheadOfIt() {
    BoundedQueue<Integer> queue = filled(1, 2);
    Iterator<Integer> iterator = queue.iterator();
    assertThat(iterator.next()).isEqualTo(1);
    queue.add(3);
    assertThat(iterator).toIterable().containsExactly(2, 3);
  }

  @Test
  void exhaustedIteratorStaysExhausted() {
    BoundedQueue<Integer> queue = filled(1);
    Iterator<Integer> iterator = queue.iterator();
    iterator.next();
    assertThat(iterator.hasNext()).isFalse();
    queue.add(2);
    assertThat(iterator.hasNext()).isFalse();
    assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    iterator.remove();
    assertThat(queue).containsExactly(2);
  }

  @Test
  void iteratorGoesOnFromAPlaceThatHasLeft() {
    BoundedQueue<Integer> queue = filled(1, 2, 3, 4, 5);
    Iterator<Integer> iterator = queue.iterator();
    iterator.next();
    // It now stands on 2; from the middle and from the front everything up to 4 leaves.
    queue.remove((Object) 2);
    queue.remove((Object) 3);
    queue.poll();
    queue.remove((Object) 4);
    queue.add(6);
    assertThat(iterator).toIterable().containsExactly(2, 5, 6);
  }

  @Test
  void iteratorGoesOnAfterClear() {
    BoundedQueue<Integer> queue = filled(1, 2, 3);
    Iterator<Integer> iterator = queue.iterator();
    iterator.next();
    queue.clear();
    queue.add(4);
    assertThat(iterator).toIterable().containsExactly(2, 4);
  }

  @Test
  void removeNeedsNextOnce() {
    BoundedQueue<Integer> queue = filled(1, 2);
    Iterator<Integer> iterator = queue.iterator();
    assertThatThrownBy(iterator::remove).isExactlyInstanceOf(IllegalStateException.class);
    iterator.next();
    iterator.remove();
    assertThatThrownBy(iterator::remove).isExactlyInstanceOf(IllegalStateException.class);
    assertThat(queue).containsExactly(2);
  }

  @Test
  void removeWorksAfterForEachRemaining() {
    BoundedQueue<Integer> queue = filled(1, 2, 3);
    Iterator<Integer> iterator = queue.iterator();
    iterator.forEachRemaining(e -> {});
    iterator.remove();
    assertThat(queue).containsExactly(1, 2);
  }

  @Test
  void iteratorOutlivesShutdown() {
    BoundedQueue<Integer> queue = filled(1, 2, 3);
    Iterator<Integer> iterator = queue.iterator();
    queue.shutdownNow();
    assertThat(iterator).toIterable().containsExactly(1);
  }

  /**
   * Against a model: an iterator shows, in order and once, every element that was there when it was
   * made and is there when it comes to it, and nothing that had left before it looked.
   */
  @Test
  void randomChangesNeverConfuseAnIterator() {
    long seed = Long.getLong("headgate.seed", new Random().nextLong());
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      BoundedQueue<Integer> queue = BoundedQueue.of(12);
      ArrayDeque<Integer> model = new ArrayDeque<>();
      int number = 0;
      for (int i = random.nextInt(10); i > 0; i--) {
        queue.add(number);
        model.add(number++);
      }
      Iterator<Integer> iterator = queue.iterator();
      List<Integer> seen = new ArrayList<>();
      List<Integer> owedToIterator = new ArrayList<>(model);
      Integer promised = model.peekFirst();
      while (iterator.hasNext()) {
        if (random.nextBoolean()) {
          switch (random.nextInt(5)) {
            case 0 -> {
              if (queue.offer(number)) {
                model.add(number);
              }
              number++;
            }
            case 1 -> assertThat(queue.poll()).isEqualTo(model.poll());
            case 2 -> {
              int victim = random.nextInt(number + 1);
              assertThat(queue.remove((Object) victim)).isEqualTo(model.remove(victim));
            }
            case 3 -> {
              if (random.nextInt(10) == 0) {
                queue.clear();
                model.clear();
              }
            }
            default -> {
              if (!seen.isEmpty()) {
                Integer last = seen.get(seen.size() - 1);
                if (random.nextBoolean() && model.contains(last)) {
                  removeByIterator(queue, last);
                  model.remove(last);
                }
              }
            }
          }
        } else {
          Integer element = iterator.next();
          assertThat(element).as("seed %d", seed).isEqualTo(promised);
          seen.add(element);
          promised = model.stream().filter(e -> e > element).findFirst().orElse(null);
        }
        assertThat(queue).as("seed %d", seed).containsExactlyElementsOf(model);
      }
      assertThat(promised).as("seed %d", seed).isNull();
      assertThat(seen).as("seed %d", seed).isSorted().doesNotHaveDuplicates();
      owedToIterator.retainAll(model);
      assertThat(seen).as("seed %d", seed).containsAll(owedToIterator);
    }
  }

  private static void removeByIterator(BoundedQueue<Integer> queue, Integer element) {
    for (Iterator<Integer> all = queue.iterator(); all.hasNext(); ) {
      if (all.next().equals(element)) {
        all.remove();
      }
    }
  }
}
