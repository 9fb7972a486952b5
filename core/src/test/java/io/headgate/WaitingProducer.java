package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A producer on a thread of its own that submits one job and remembers the answer. */
final class WaitingProducer {

  /** Patience without end. */
  static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final FutureTask<Admission> task;
  private final Thread thread;

  private WaitingProducer(Callable<Admission> call) {
    this.task = new FutureTask<>(call);
    this.thread = Thread.ofVirtual().start(task);
  }

  static <T> WaitingProducer offering(Worker<T> worker, Job<T> job, Duration patience) {
    return new WaitingProducer(() -> worker.offer(job, patience));
  }

  static <T> WaitingProducer submitting(Worker<T> worker, Job<T> job) {
    return new WaitingProducer(() -> worker.submit(job));
  }

  /** Awaits that exactly {@code count} producers wait. */
  static void awaitWaiting(Worker<?> worker, int count) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(LedgerAssert.HANG)
        .untilAsserted(() -> assertThat(worker.report().waitingProducers()).isEqualTo(count));
  }

  void interrupt() {
    thread.interrupt();
  }

  boolean hasAnswer() {
    return task.isDone();
  }

  /** Awaits the answer. */
  Admission answer() throws Exception {
    return task.get(LedgerAssert.HANG.toSeconds(), TimeUnit.SECONDS);
  }

  /** Awaits the reason of a refusal. */
  Reason refusal() throws Exception {
    Admission answer = answer();
    assertThat(answer).isInstanceOf(Admission.Refused.class);
    return ((Admission.Refused) answer).reason();
  }

  /** Awaits the end, and tells whether it was an InterruptedException; else it was an answer. */
  boolean endsInterrupted() throws InterruptedException, TimeoutException {
    try {
      task.get(LedgerAssert.HANG.toSeconds(), TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(InterruptedException.class);
      return true;
    }
  }

  void join() throws InterruptedException {
    assertThat(thread.join(LedgerAssert.HANG)).as("the producer has ended").isTrue();
  }
}
