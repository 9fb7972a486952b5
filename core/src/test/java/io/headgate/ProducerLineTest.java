package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The line of waiting producers. */
@Tag("A3")
@Tag("A9")
class ProducerLineTest {

  private static final String SEED = "headgate.line.seed";

  private final Thread thread = Thread.currentThread();

  @Test
  void wakesInOrderOfArrivalTheFirstThatFits() {
    ProducerLine line = new ProducerLine(3, 100);
    ProducerLine.Waiter big = line.join(thread, 10);
    ProducerLine.Waiter small = line.join(thread, 2);
    ProducerLine.Waiter third = line.join(thread, 2);
    assertThat(line.wakeFirstFitting(1)).isNull();
    assertThat(line.wakeFirstFitting(5)).isSameAs(small);
    assertThat(line.wakeFirstFitting(10)).isSameAs(big);
    assertThat(line.wakeFirstFitting(10)).isSameAs(third);
    assertThat(line.wakeFirstFitting(10)).isNull();
    assertThat(line.woken()).isEqualTo(3);
  }

  @Test
  void oneThatSleepsAgainKeepsItsPlace() {
    ProducerLine line = new ProducerLine(3, 100);
    ProducerLine.Waiter first = line.join(thread, 1);
    line.join(thread, 1);
    line.wakeFirstFitting(1);
    line.sleepAgain(first);
    line.sleepAgain(first);
    assertThat(line.woken()).isZero();
    assertThat(line.wakeFirstFitting(1)).isSameAs(first);
  }

  @Test
  void isBoundedInNumberAndInBytes() {
    ProducerLine line = new ProducerLine(2, 10);
    assertThat(line.join(thread, 11)).isNull();
    ProducerLine.Waiter first = line.join(thread, 8);
    assertThat(line.join(thread, 3)).isNull();
    assertThat(line.join(thread, 2)).isNotNull();
    assertThat(line.join(thread, 0)).isNull();
    line.leave(first);
    assertThat(line.join(thread, 8)).isNotNull();
  }

  @Test
  void unboundedBytesDoNotOverflow() {
    ProducerLine line = new ProducerLine(3, Long.MAX_VALUE);
    assertThat(line.join(thread, Long.MAX_VALUE - 1)).isNotNull();
    assertThat(line.join(thread, 2)).isNull();
    assertThat(line.join(thread, 1)).isNotNull();
    assertThat(line.bytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void oneThatLeftPinsNoThreadAndItsNodeStartsAsleep() {
    ProducerLine line = new ProducerLine(2, 10);
    ProducerLine.Waiter waiter = line.join(thread, 1);
    line.wakeFirstFitting(1);
    line.leave(waiter);
    assertThat(waiter.thread).isNull();
    assertThat(line.woken()).isZero();
    assertThat(line.join(thread, 1).woken).isFalse();
    assertThat(line.asleep()).isEqualTo(1);
  }

  @Test
  void equalsAListThroughRandomArrivalsWakeUpsAndDepartures() {
    long seed = Long.getLong(SEED, new Random().nextLong());
    Random random = new Random(seed);
    ProducerLine line = new ProducerLine(6, 20);
    List<ProducerLine.Waiter> list = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      String description = "step " + step + " with -D" + SEED + "=" + seed;
      switch (random.nextInt(4)) {
        case 0 -> {
          long bytes = random.nextInt(6);
          boolean room = list.size() < 6 && bytes(list) + bytes <= 20;
          ProducerLine.Waiter waiter = line.join(thread, bytes);
          assertThat(waiter != null).as(description).isEqualTo(room);
          if (waiter != null) {
            list.add(waiter);
          }
        }
        case 1 -> {
          long room = random.nextInt(6);
          ProducerLine.Waiter expected =
              list.stream().filter(w -> !w.woken && w.bytes <= room).findFirst().orElse(null);
          assertThat(line.wakeFirstFitting(room)).as(description).isSameAs(expected);
        }
        case 2 -> {
          if (!list.isEmpty()) {
            line.sleepAgain(list.get(random.nextInt(list.size())));
          }
        }
        default -> {
          if (!list.isEmpty()) {
            line.leave(list.remove(random.nextInt(list.size())));
          }
        }
      }
      int woken = (int) list.stream().filter(waiter -> waiter.woken).count();
      assertThat(line.count()).as(description).isEqualTo(list.size());
      assertThat(line.woken()).as(description).isEqualTo(woken);
      assertThat(line.asleep()).as(description).isEqualTo(list.size() - woken);
      assertThat(line.bytes()).as(description).isEqualTo(bytes(list));
    }
  }

  private static long bytes(List<ProducerLine.Waiter> list) {
    return list.stream().mapToLong(waiter -> waiter.bytes).sum();
  }
}
