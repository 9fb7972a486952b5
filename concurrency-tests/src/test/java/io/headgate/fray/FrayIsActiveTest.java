package io.headgate.fray;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.ConcurrencyTest;

/**
 * The controlled schedules are only worth something when the agent and the image are in place:
 * without them every scenario passes. So one planted lost wake-up must be found, and its repair
 * must pass.
 */
final class FrayIsActiveTest {
  @Test
  void plantedLostWakeUpIsFound() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(SignalBeforeWait.class))
        .execute()
        .testEvents()
        .assertStatistics(events -> events.failed(1));
  }

  @Test
  void repairedWakeUpPasses() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(StateUnderTheLock.class))
        .execute()
        .testEvents()
        .assertStatistics(events -> events.failed(0).succeeded(200));
  }

  /** Checks the state outside the lock, and waits for a signal that may have gone by. */
  @ExtendWith(FrayTestExtension.class)
  static final class SignalBeforeWait {
    @ConcurrencyTest(iterations = 200)
    void waiterMayMissTheSignal() throws InterruptedException {
      run(false);
    }
  }

  /** Checks the state again under the lock. */
  @ExtendWith(FrayTestExtension.class)
  static final class StateUnderTheLock {
    @ConcurrencyTest(iterations = 200)
    void waiterNeverMissesTheSignal() throws InterruptedException {
      run(true);
    }
  }

  private static void run(boolean checkUnderTheLock) throws InterruptedException {
    Latch latch = new Latch();
    Thread opener = new Thread(latch::open);
    opener.start();
    latch.await(checkUnderTheLock);
    opener.join();
  }

  private static final class Latch {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private volatile boolean open;

    void open() {
      lock.lock();
      try {
        open = true;
        opened.signalAll();
      } finally {
        lock.unlock();
      }
    }

    void await(boolean checkUnderTheLock) throws InterruptedException {
      if (open) {
        return;
      }
      lock.lock();
      try {
        do {
          if (checkUnderTheLock && open) {
            return;
          }
          opened.await();
        } while (!open);
      } finally {
        lock.unlock();
      }
    }
  }
}
