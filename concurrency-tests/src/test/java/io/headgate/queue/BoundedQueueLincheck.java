package io.headgate.queue;

import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything that never waits is linearizable: there is an order of the calls, within their times,
 * that one thread could have made with the same answers. It claims nothing about calls that wait
 * (the controlled schedules do), nor about those that look at the queue element by element, nor
 * about {@code drainTo}: what it takes is on its way, neither in the queue nor a free place, until
 * the target has it (Q8).
 */
@Tag("Q1")
@Tag("Q2")
@Tag("Q4")
@Tag("Q6")
@Param(name = "element", gen = IntGen.class, conf = "1:3")
public class BoundedQueueLincheck {
  private final BoundedQueue<Integer> queue = BoundedQueue.weighted(2, 5, e -> e);

  @Operation
  public boolean offer(@Param(name = "element") int element) {
    return queue.offer(element);
  }

  @Operation
  public Integer poll() {
    return queue.poll();
  }

  @Operation
  public Integer peek() {
    return queue.peek();
  }

  @Operation
  public void taskDone() {
    queue.taskDone();
  }

  @Operation
  public void clear() {
    queue.clear();
  }

  @Operation
  public void shutdown() {
    queue.shutdown();
  }

  @Operation
  public List<Integer> shutdownNow() {
    return queue.shutdownNow();
  }

  @Operation
  public List<Object> snapshot() {
    return List.of(queue.toArray());
  }

  @Operation
  public String describe() {
    return queue.describe();
  }

  @Test
  void isLinearizableUnderModelledSchedules() {
    new ModelCheckingOptions()
        .iterations(10)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .check(getClass());
  }

  @Test
  void isLinearizableUnderStress() {
    new StressOptions()
        .iterations(20)
        .invocationsPerIteration(300)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .check(getClass());
  }
}
