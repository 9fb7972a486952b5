package io.headgate.benchmarks.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpmcArrayQueue;

/** What is left when nothing blocks, wakes, counts or stops in order: how fast it could be. */
final class JctoolsEngine implements Engine {

  private static final int SPINS = 64;
  private static final int YIELDS = 64;
  private static final long PARK_NANOS = 50_000;
  private static final Work STOP = new Work("stop", -1);

  private final MpmcArrayQueue<Work> queue;
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder handled = new LongAdder();

  JctoolsEngine(Shape shape, Body body) {
    queue = new MpmcArrayQueue<>(shape.capacity());
    for (int i = 0; i < shape.workers(); i++) {
      threads.add(Thread.ofPlatform().daemon().start(() -> consume(body)));
    }
  }

  private void consume(Body body) {
    long done = 0;
    for (int idle = 0; ; ) {
      Work work = queue.poll();
      if (work == null) {
        idle = pause(idle);
      } else if (work.index() < 0) {
        handled.add(done);
        return;
      } else {
        idle = 0;
        body.run(work);
        done++;
      }
    }
  }

  @Override
  public void submit(Work work) {
    for (int idle = 0; !queue.offer(work); ) {
      idle = pause(idle);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // others must get on where there are too few CPUs
  private static int pause(int idle) {
    if (idle < SPINS) {
      Thread.onSpinWait();
    } else if (idle < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(PARK_NANOS);
    }
    return idle + 1;
  }

  @Override
  public void finish(long submitted) throws InterruptedException {
    for (int i = 0; i < threads.size(); i++) {
      submit(STOP);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (handled.sum() != submitted) {
      throw new IllegalStateException(handled.sum() + " of " + submitted);
    }
  }
}
