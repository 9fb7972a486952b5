package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the last collection says of the heap, and for how long. */
class HeapAfterCollectionTest {

  private long collections = 7;
  private double used = 0.9;
  private final HeapAfterCollection heap = new HeapAfterCollection(() -> collections, () -> used);

  @Test
  @Tag("CASE-40")
  @Tag("O6")
  void collectionThatIsLongAgoSaysNothingSoThatRefusingAllCannotLatch() {
    for (int i = 0; i < HeapAfterCollection.STALE_SAMPLES; i++) {
      assertThat(heap.share()).isEqualTo(0.9);
    }
    assertThat(heap.share()).isZero();
    assertThat(heap.share()).isZero();
    collections++;
    used = 0.8;
    assertThat(heap.share()).as("until there is another").isEqualTo(0.8);
  }

  @Test
  @Tag("O3")
  void heapThatIsCollectedAllTheTimeIsTakenAtItsWord() {
    for (int i = 0; i < 10 * HeapAfterCollection.STALE_SAMPLES; i++) {
      collections++;
      assertThat(heap.share()).isEqualTo(0.9);
    }
  }
}
