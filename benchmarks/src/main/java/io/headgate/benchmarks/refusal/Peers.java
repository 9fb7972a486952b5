package io.headgate.benchmarks.refusal;

import com.alibaba.csp.sentinel.SphO;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.failsafe.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;

/** The others, each at the cheapest setting that its documentation offers for refusing. */
final class Peers {

  private static final int WORKERS = 2;
  private static final int CAPACITY = 1_024;

  private Peers() {}

  static Refuser resilience4jPool() {
    CountDownLatch gate = new CountDownLatch(1);
    ThreadPoolBulkhead bulkhead =
        ThreadPoolBulkhead.of(
            "full",
            ThreadPoolBulkheadConfig.custom()
                .coreThreadPoolSize(WORKERS)
                .maxThreadPoolSize(WORKERS)
                .queueCapacity(CAPACITY)
                .writableStackTraceEnabled(false)
                .build());
    for (int i = 0; i < WORKERS + CAPACITY; i++) {
      bulkhead.executeRunnable(() -> await(gate));
    }
    return new Refuser() {
      @Override
      public boolean refuses() {
        try {
          bulkhead.executeRunnable(() -> {});
          return false;
        } catch (BulkheadFullException _) {
          return true;
        }
      }

      @Override
      public void empty() throws Exception {
        gate.countDown();
        bulkhead.close();
      }
    };
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  static Refuser resilience4jSemaphore() {
    io.github.resilience4j.bulkhead.Bulkhead bulkhead =
        io.github.resilience4j.bulkhead.Bulkhead.of(
            "full",
            BulkheadConfig.custom()
                .maxConcurrentCalls(WORKERS)
                .maxWaitDuration(Duration.ZERO)
                .writableStackTraceEnabled(false)
                .build());
    for (int i = 0; i < WORKERS; i++) {
      taken(bulkhead.tryAcquirePermission());
    }
    return () -> !bulkhead.tryAcquirePermission();
  }

  static Refuser netflix() {
    SimpleLimiter<Void> limiter = SimpleLimiter.newBuilder().limit(FixedLimit.of(WORKERS)).build();
    for (int i = 0; i < WORKERS; i++) {
      taken(limiter.acquire(null).isPresent());
    }
    return () -> limiter.acquire(null).isEmpty();
  }

  static Refuser failsafe() {
    Bulkhead<Object> bulkhead = Bulkhead.of(WORKERS);
    for (int i = 0; i < WORKERS; i++) {
      taken(bulkhead.tryAcquirePermit());
    }
    return () -> !bulkhead.tryAcquirePermit();
  }

  static Refuser sentinel() {
    FlowRule rule = new FlowRule("full");
    rule.setGrade(RuleConstant.FLOW_GRADE_THREAD);
    rule.setCount(WORKERS);
    FlowRuleManager.loadRules(List.of(rule));
    for (int i = 0; i < WORKERS; i++) {
      taken(SphO.entry("full"));
    }
    return () -> !SphO.entry("full");
  }

  static Refuser queue() {
    ArrayBlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(CAPACITY);
    for (int i = 0; i < CAPACITY; i++) {
      taken(queue.offer(() -> {}));
    }
    Runnable newcomer = () -> {};
    return () -> !queue.offer(newcomer);
  }

  private static void taken(boolean accepted) {
    if (!accepted) {
      throw new IllegalStateException("refused before it was full");
    }
  }
}
