package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real threads in real races, for a second or two. What it finds is real; that it finds nothing
 * proves little, which is why the controlled schedules exist.
 */
class BoundedQueueStress {
  private static final int ELEMENTS = 4_000;

  enum Style {
    WAITING,
    NOT_WAITING,
    TIMED
  }

  private static void put(BoundedQueue<Integer> queue, Style style, int element)
      throws InterruptedException {
    switch (style) {
      case WAITING -> queue.put(element);
      case NOT_WAITING -> {
        while (!queue.offer(element)) {
          LockSupport.parkNanos(1_000);
        }
      }
      case TIMED -> {
        while (!queue.offer(element, 1, TimeUnit.MILLISECONDS)) {
          LockSupport.parkNanos(1_000);
        }
      }
    }
  }

  private static int take(BoundedQueue<Integer> queue, Style style) throws InterruptedException {
    if (style == Style.WAITING) {
      return queue.take();
    }
    while (true) {
      Integer element = style == Style.TIMED ? queue.poll(1, TimeUnit.MILLISECONDS) : queue.poll();
      if (element != null) {
        return element;
      }
      LockSupport.parkNanos(1_000);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  @Tag("Q1")
  @Tag("CASE-4")
  void everyElementPassesOnce(Style style) throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(4);
    AtomicInteger next = new AtomicInteger();
    AtomicLong sum = new AtomicLong();
    AtomicInteger tooMany = new AtomicInteger();
    List<Actor<Boolean>> actors = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      actors.add(
          Actor.doing(
              () -> {
                for (int e = next.getAndIncrement(); e < ELEMENTS; e = next.getAndIncrement()) {
                  put(queue, style, e);
                  if (queue.size() > 4 || queue.remainingCapacity() < 0) {
                    tooMany.incrementAndGet();
                  }
                }
              }));
      actors.add(
          Actor.doing(
              () -> {
                for (int n = 0; n < ELEMENTS / 4; n++) {
                  sum.addAndGet(take(queue, style));
                  queue.taskDone();
                }
              }));
    }
    for (Actor<Boolean> actor : actors) {
      actor.result();
    }
    assertThat(sum).hasValue((long) ELEMENTS * (ELEMENTS - 1) / 2);
    assertThat(tooMany).hasValue(0);
    queue.join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("Q3")
  @Tag("Q4")
  void shutdownInTheMiddleEndsEveryThreadAndAccountsForEveryElement(boolean now) throws Exception {
    for (int round = 0; round < 10; round++) {
      BoundedQueue<Integer> queue = BoundedQueue.of(8);
      AtomicInteger put = new AtomicInteger();
      AtomicInteger taken = new AtomicInteger();
      List<Actor<Boolean>> writers = new ArrayList<>();
      List<Actor<Boolean>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        writers.add(
            Actor.doing(
                () -> {
                  while (true) {
                    queue.put(1);
                    put.incrementAndGet();
                  }
                }));
        boolean spins = i % 2 == 0;
        readers.add(
            Actor.doing(
                () -> {
                  while (true) {
                    if (!spins) {
                      queue.take();
                    } else if (queue.poll() == null) {
                      LockSupport.parkNanos(1_000);
                      continue;
                    }
                    taken.incrementAndGet();
                    queue.taskDone();
                  }
                }));
      }
      Actor<Boolean> joiner = Actor.doing(queue::join);
      Actor.eventually(() -> taken.get() > 50);
      int discarded = 0;
      if (now) {
        discarded = queue.shutdownNow().size();
        assertThat(queue).isEmpty();
      } else {
        queue.shutdown();
      }
      for (Actor<Boolean> writer : writers) {
        assertThat(writer.failure()).isInstanceOf(QueueClosedException.class);
      }
      for (Actor<Boolean> reader : readers) {
        assertThat(reader.failure()).isInstanceOf(QueueClosedException.class);
      }
      joiner.result();
      assertThat(taken.get() + discarded).isEqualTo(put.get());
      assertThat(queue.unfinished()).isZero();
    }
  }

  @Test
  @Tag("Q5")
  @Tag("A8")
  @Tag("CASE-1")
  void mixedTimeoutsAndInterruptsLeaveTheFullCapacity() throws Exception {
    long seed = Long.getLong("headgate.seed", new Random().nextLong());
    BoundedQueue<Integer> queue = BoundedQueue.weighted(2, 10, e -> 1 + e % 7);
    ConcurrentLinkedQueue<Integer> entered = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Integer> left = new ConcurrentLinkedQueue<>();
    List<Actor<Boolean>> actors = new ArrayList<>();
    AtomicInteger next = new AtomicInteger();
    AtomicInteger working = new AtomicInteger(4);
    for (int i = 0; i < 4; i++) {
      Random random = new Random(seed + i);
      actors.add(
          Actor.doing(
              () -> {
                for (int n = 0; n < 2_500; n++) {
                  int element = next.getAndIncrement();
                  try {
                    if (random.nextBoolean()) {
                      if (queue.offer(element, random.nextInt(50), TimeUnit.MICROSECONDS)) {
                        entered.add(element);
                      }
                    } else {
                      queue.put(element);
                      entered.add(element);
                    }
                  } catch (InterruptedException e) {
                    // It did not enter.
                  }
                }
                working.decrementAndGet();
              }));
    }
    Actor<Boolean> consumer =
        Actor.doing(
            () -> {
              while (working.get() > 0) {
                Integer element = queue.poll(20, TimeUnit.MICROSECONDS);
                if (element != null) {
                  left.add(element);
                }
              }
            });
    Actor<Boolean> interrupter =
        Actor.doing(
            () -> {
              Random random = new Random(seed);
              while (working.get() > 0) {
                actors.get(random.nextInt(4)).interrupt();
                for (int spin = random.nextInt(50); spin > 0; spin--) {
                  LockSupport.parkNanos(1_000);
                }
              }
            });
    interrupter.result();
    consumer.result();
    for (Actor<Boolean> actor : actors) {
      actor.result();
    }
    queue.drainTo(left);
    assertThat(left).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(entered);
    assertThat(queue.waitingPutters()).isZero();
    assertThat(queue.remainingCapacity()).isEqualTo(2);
    assertThat(queue.weight()).isZero();
    assertThat(queue.offer(3)).isTrue();
    assertThat(queue.offer(4)).isTrue();
  }

  @Test
  @Tag("Q10")
  @Tag("Q11")
  void removalsIteratorsAndDrainsRaceWithoutLosingAnElement() throws Exception {
    BoundedQueue<Integer> queue = BoundedQueue.of(16);
    int elements = 4_000;
    AtomicInteger gone = new AtomicInteger();
    Actor<Boolean> producer =
        Actor.doing(
            () -> {
              for (int i = 0; i < elements; i++) {
                queue.put(i);
              }
              queue.shutdown();
            });
    List<Actor<Boolean>> removers = new ArrayList<>();
    removers.add(
        Actor.doing(
            () -> {
              List<Integer> target = new ArrayList<>();
              while (!queue.isShutdown() || !queue.isEmpty()) {
                for (int n = queue.drainTo(target, 3); n > 0; n--) {
                  gone.incrementAndGet();
                  queue.taskDone();
                }
              }
            }));
    removers.add(
        Actor.doing(
            () -> {
              while (!queue.isShutdown() || !queue.isEmpty()) {
                int last = -1;
                for (int e : queue) {
                  assertThat(e).isGreaterThan(last);
                  last = e;
                }
                if (queue.remove((Object) last)) {
                  gone.incrementAndGet();
                }
              }
            }));
    removers.add(
        Actor.doing(
            () -> {
              while (!queue.isShutdown() || !queue.isEmpty()) {
                if (queue.contains(Integer.MAX_VALUE)) {
                  throw new AssertionError("found what was never put");
                }
                if (queue.poll() != null) {
                  gone.incrementAndGet();
                  queue.taskDone();
                }
              }
            }));
    producer.result();
    int closed = 0;
    for (Actor<Boolean> remover : removers) {
      try {
        remover.result();
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(QueueClosedException.class);
        closed++;
      }
    }
    assertThat(closed).isLessThanOrEqualTo(1);
    queue.join();
    assertThat(gone).hasValue(elements);
  }
}
