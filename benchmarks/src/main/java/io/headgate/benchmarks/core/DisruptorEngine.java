package io.headgate.benchmarks.core;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Consumers that share the ring by sequence, with the blocking wait. No accounting. */
final class DisruptorEngine implements Engine {

  private static final long PATIENCE_SECONDS = 60;

  private static final class Cell {
    private Work work;
  }

  private final Disruptor<Cell> disruptor;
  private final RingBuffer<Cell> ring;
  private final Body body;
  private final LongAdder handled = new LongAdder();

  // The varargs are of a generic handler, and nothing writes into the array.
  @SuppressWarnings({"unchecked", "rawtypes"})
  DisruptorEngine(Shape shape, Body body) {
    this.body = body;
    disruptor =
        new Disruptor<>(
            Cell::new,
            shape.capacity(),
            Thread.ofPlatform().daemon().factory(),
            ProducerType.MULTI,
            new BlockingWaitStrategy());
    EventHandler[] consumers = new EventHandler[shape.workers()];
    for (int i = 0; i < consumers.length; i++) {
      int share = i;
      EventHandler<Cell> consumer =
          (cell, sequence, endOfBatch) -> {
            if (sequence % consumers.length == share) {
              this.body.run(cell.work);
              handled.increment();
            }
          };
      consumers[i] = consumer;
    }
    disruptor.handleEventsWith(consumers);
    ring = disruptor.start();
  }

  @Override
  public void submit(Work work) {
    long sequence = ring.next();
    try {
      ring.get(sequence).work = work;
    } finally {
      ring.publish(sequence);
    }
  }

  @Override
  public void finish(long submitted) throws Exception {
    disruptor.shutdown(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (handled.sum() != submitted) {
      throw new IllegalStateException(handled.sum() + " of " + submitted);
    }
  }
}
