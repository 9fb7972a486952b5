package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.JobContext;
import io.headgate.Report;
import io.headgate.Submission;
import io.headgate.WhenFull;
import io.headgate.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bound on what is held, with a real worker. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("CASE-24")
class OrderBoundTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int CONCURRENCY = 4;
  private static final int CAPACITY = 3;

  @TempDir Path folder;
  private final PrintedLines printed = new PrintedLines();
  private final List<String> lost = Collections.synchronizedList(new ArrayList<>());
  private final Object news = new Object();
  private volatile boolean allSubmitted;
  private final AtomicInteger mostHeld = new AtomicInteger();
  private volatile Worker<Item> worker;
  private Order order;
  private Jobs jobs;

  private interface Work {
    void run(long position) throws InterruptedException;
  }

  private void start(WhenFull whenFull, Work work) {
    order =
        new Order(
            printed,
            () -> SpillFile.in(folder),
            new Order.Claims() {
              @Override
              public void pause() {
                worker.pause();
                tellNews();
              }

              @Override
              public void resume() {
                worker.resume();
              }
            },
            CAPACITY,
            lost::add);
    order.start();
    jobs = new Jobs(List.of(order), fault -> {});
    worker =
        Worker.<Item>builder("order")
            .concurrency(CONCURRENCY)
            .capacity(CAPACITY)
            .whenFull(whenFull)
            .start((job, context) -> handle(job, context, work));
  }

  private void tellNews() {
    synchronized (news) {
      news.notifyAll();
    }
  }

  private void handle(Job<Item> job, JobContext context, Work work) throws InterruptedException {
    LineSink sink = order.open(job.payload(), () -> {});
    byte[] line = (job.payload().position() + "\n").getBytes(StandardCharsets.UTF_8);
    sink.write(Output.Stream.OUT, line, line.length, Pauses.NO_HURRY);
    try {
      work.run(job.payload().position());
    } finally {
      sink.end(Pauses.NO_HURRY);
      if (!context.isCancelled()) {
        mostHeld.accumulateAndGet(order.held(), Math::max);
      }
    }
  }

  private void submit(long position) throws InterruptedException {
    Item item = Items.at(position, new byte[0]);
    jobs.begin(item);
    Submission submission = worker.submitTracked(Job.of(Long.toString(position), item));
    switch (submission.admission()) {
      case Admission.Accepted accepted -> {
        var _ = submission.outcome().thenAccept(outcome -> jobs.ended(item, outcome));
      }
      case Admission.Refused refused -> jobs.refused(item, Fate.refused(refused.reason()));
    }
  }

  private void end(boolean abort) throws InterruptedException {
    if (!abort) {
      // A stop would end a pause, and more be held than the bound says.
      assertThat(worker.awaitIdle(PATIENCE)).isTrue();
    }
    Report report = abort ? worker.abort(Duration.ZERO) : worker.drain(PATIENCE);
    order.hurry();
    jobs.awaitTold(report.accepted() - report.unfinished());
    jobs.endUnfinished();
    order.close();
    assertThat(order.held()).isZero();
    assertThat(lost).isEmpty();
  }

  private void assertInOrder() {
    long before = 0;
    for (String line : printed.text().lines().toList()) {
      assertThat(Long.parseLong(line)).isGreaterThan(before);
      before = Long.parseLong(line);
    }
    assertThat(before).isPositive();
  }

  @Test
  void allThatRunCanEndAtOnceAndNoMoreThanConcurrencyAndCapacityAreHeld() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    // As many as run beside the first end together, when one less than pauses claiming is held.
    CyclicBarrier together = new CyclicBarrier(CONCURRENCY - 1);
    start(
        WhenFull.waitUpTo(PATIENCE),
        position -> {
          if (position == 1) {
            first.await();
          } else if (position > 1 + CAPACITY) {
            try {
              together.await();
            } catch (BrokenBarrierException e) {
              throw new IllegalStateException(e);
            }
          }
        });
    int held = CAPACITY + CONCURRENCY - 1;
    // They fill the worker while it is paused; no more could be submitted.
    int count = 1 + held + CAPACITY;
    for (int position = 1; position <= count; position++) {
      submit(position);
    }
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> order.held() == held);
    assertThat(worker.isPaused()).isTrue();
    assertThat(mostHeld).hasValue(held);
    assertThat(printed.text()).isEqualTo("1\n");
    first.countDown();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(2))
        .until(() -> printed.text().lines().count() == count);
    assertThat(worker.isPaused()).isFalse();
    end(false);
    assertInOrder();
  }

  @ParameterizedTest
  @CsvSource({
    "wait, 3000, false", "wait, 3000, true",
    "shed, 20000, false", "shed, 20000, true",
    "refuse, 20000, false", "refuse, 20000, true"
  })
  void whateverHappensToTheItemsTheOrderIsKeptAndTheBoundHolds(
      String whenFull, int count, boolean abort) throws Exception {
    start(
        switch (whenFull) {
          case "wait" -> WhenFull.waitUpTo(PATIENCE);
          case "shed" -> WhenFull.shedOldest();
          default -> WhenFull.refuse();
        },
        position -> {
          // Now and then one goes on until it has brought claiming to a pause.
          synchronized (news) {
            while (position % 10 == 0 && !worker.isPaused() && !allSubmitted) {
              news.wait();
            }
          }
        });
    for (int position = 1; position <= count; position++) {
      submit(position);
    }
    allSubmitted = true;
    tellNews();
    end(abort);
    assertInOrder();
    assertThat(mostHeld.get()).isLessThanOrEqualTo(CONCURRENCY + CAPACITY);
    assertThat(jobs.inOrder()).isEmpty();
  }
}
