package io.headgate.testing;

import static java.util.Objects.requireNonNull;

import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.JobContext;
import io.headgate.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A gate in front of a handler: jobs that enter it stop there until a test lets them pass, so that
 * the test decides what is running at every moment. Thread-safe; one gate may serve several
 * workers.
 *
 * <pre>{@code
 * HandlerGate<String> gate = HandlerGate.closed();
 * Worker<String> worker = Worker.<String>builder("w").concurrency(2).start(gate.handler());
 * worker.offer(Job.of("a", "payload"));
 * gate.awaitEntered(1, Duration.ofSeconds(5));   // "a" is running, and stays so
 * gate.open();                                   // "a" goes on and completes
 * }</pre>
 *
 * <p>A job that is told to stop leaves the gate with InterruptedException, as a handler should.
 *
 * @param <T> the payload
 */
public final class HandlerGate<T> {

  private final Handler<T> behind;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> entered = new ArrayList<>();
  private boolean open;
  private long permits;

  private HandlerGate(Handler<T> behind) {
    this.behind = behind;
  }

  /** Returns a closed gate with nothing behind it: a job that passes completes. */
  public static <T> HandlerGate<T> closed() {
    return new HandlerGate<>((job, context) -> {});
  }

  /** Returns a closed gate with {@code handler} behind it. */
  public static <T> HandlerGate<T> before(Handler<T> handler) {
    return new HandlerGate<>(requireNonNull(handler, "handler"));
  }

  /** The handler to start a worker with. */
  public Handler<T> handler() {
    return this::handle;
  }

  /** Lets all jobs pass, those at the gate and those to come. */
  public void open() {
    lock.lock();
    try {
      open = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets {@code jobs} more jobs pass, at the gate now or later. */
  public void pass(int jobs) {
    lock.lock();
    try {
      permits += jobs;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the ids of all jobs that have ever come to the gate, in that order. */
  public List<String> entered() {
    lock.lock();
    try {
      return List.copyOf(entered);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits in real time until at least {@code jobs} jobs have ever come to the gate.
   *
   * @return whether that came within {@code patience}
   * @throws InterruptedException if interrupted while waiting
   */
  public boolean awaitEntered(int jobs, Duration patience) throws InterruptedException {
    long left = Durations.nanos("patience", patience);
    lock.lock();
    try {
      while (entered.size() < jobs) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void handle(Job<T> job, JobContext context) throws Exception {
    lock.lock();
    try {
      entered.add(job.id());
      changed.signalAll();
      while (!open && permits == 0) {
        changed.await();
      }
      if (!open) {
        permits--;
      }
    } finally {
      lock.unlock();
    }
    behind.handle(job, context);
  }
}
