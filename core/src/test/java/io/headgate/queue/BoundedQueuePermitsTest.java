package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What may be said of free and taken places, and what may not. */
class BoundedQueuePermitsTest {

  /** Elements that are on their way out are neither in the queue nor free places yet. */
  @Test
  @Tag("Q8")
  void emptyAndFullMakeTheCapacityAtRestOnly() {
    BoundedQueue<String> queue = BoundedQueue.of(3);
    queue.add("a");
    queue.add("b");
    assertThat(queue.size() + queue.remainingCapacity()).isEqualTo(3);

    List<Integer> seenMeanwhile = new ArrayList<>();
    List<String> target =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(String element) {
            seenMeanwhile.add(queue.size() + queue.remainingCapacity());
            return super.add(element);
          }
        };
    queue.drainTo(target);

    assertThat(target).containsExactly("a", "b");
    assertThat(seenMeanwhile).allMatch(sum -> sum < 3);
    assertThat(queue.size() + queue.remainingCapacity()).isEqualTo(3);
  }
}
