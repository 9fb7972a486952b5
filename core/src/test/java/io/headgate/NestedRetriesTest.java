package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.retry.CallHeaders;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Layers of one process that retry, one above the other: attempts add up and do not multiply. */
@Tag("R1")
@Tag("CASE-33")
class NestedRetriesTest extends RetryFixture {

  private final RetryPolicy three =
      RetryPolicy.attempts(3)
          .backoff(Duration.ZERO, Duration.ZERO)
          .budget(RetryBudget.builder().percent(100).perSecond(1_000).saved(100_000).build("all"));

  private final AtomicInteger number = new AtomicInteger();

  private Worker<String> layer(Handler<String> handler) {
    return start(builder(4, 100).retry(three), handler);
  }

  private long callsOf(String id) {
    return calls.stream().filter(call -> call.startsWith(id)).count();
  }

  private String fresh(String layer) {
    return layer + "-" + number.incrementAndGet() + "-";
  }

  /** Submits to {@code below}, waits for the outcome, and fails where that did. */
  private void callAndWait(Worker<String> below, String id) throws Exception {
    Submission submission = below.submitTracked(Job.of(id, ""));
    Outcome outcome = submission.outcome().get(HANG.toSeconds(), TimeUnit.SECONDS);
    if (!(outcome instanceof Outcome.Completed)) {
      throw new IllegalStateException("below: " + outcome);
    }
  }

  private static RetryCut cutOf(Worker<String> worker, String id) {
    return worker.outcome(id).map(o -> ((Outcome.Failed) o).retriesCutShort()).orElseThrow();
  }

  @Test
  void threeLayersThatWaitForEachOtherMakeThreeCallsInAllAndNot27() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b = layer((job, context) -> callAndWait(c, fresh("c")));
    Worker<String> a = layer((job, context) -> callAndWait(b, fresh("b")));
    accept(a, "a");
    awaitSettled(a);
    assertThat(callsOf("c")).isEqualTo(3);
    assertThat(callsOf("b")).isEqualTo(1);
    assertThat(callsOf("a")).isEqualTo(1);
    assertThat(cutOf(a, "a")).isEqualTo(RetryCut.NESTED);
  }

  @Test
  void soDoLayersThatOnlyLookAtTheOutcome() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b =
        layer(
            (job, context) -> {
              String id = fresh("c");
              c.submit(Job.of(id, ""));
              Aside.until(() -> c.outcome(id).isPresent());
              fail(job, context);
            });
    accept(b, "b");
    awaitSettled(b);
    assertThat(callsOf("c")).isEqualTo(3);
    assertThat(callsOf("b")).isEqualTo(1);
  }

  @Test
  void layersWithFewerAttemptsBelowAddUp() throws Exception {
    Worker<String> c =
        start(
            builder(4, 100).retry(RetryPolicy.attempts(2).backoff(Duration.ZERO, Duration.ZERO)),
            RetryFixture::fail);
    Worker<String> b = layer((job, context) -> callAndWait(c, fresh("c")));
    Worker<String> a = layer((job, context) -> callAndWait(b, fresh("b")));
    accept(a, "a");
    awaitSettled(a);
    assertThat(callsOf("c")).isBetween(3L, 4L);
  }

  @Test
  void layersThatSubmitAndFailWithoutWaitingDoNotMultiplyEither() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b =
        layer(
            (job, context) -> {
              c.submit(Job.of(fresh("c"), ""));
              fail(job, context);
            });
    Worker<String> a =
        layer(
            (job, context) -> {
              b.submit(Job.of(fresh("b"), ""));
              fail(job, context);
            });
    accept(a, "a");
    awaitSettled(a);
    awaitSettled(b);
    awaitSettled(c);
    assertThat(callsOf("a")).isLessThanOrEqualTo(3);
    assertThat(callsOf("c")).isLessThanOrEqualTo(9);
  }

  @Test
  void aLayerWithoutRetriesInBetweenIsLookedThrough() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b = start(builder(4, 100), (job, context) -> callAndWait(c, fresh("c")));
    Worker<String> a = layer((job, context) -> callAndWait(b, fresh("b")));
    accept(a, "a");
    awaitSettled(a);
    assertThat(callsOf("c")).isEqualTo(3);
  }

  @Test
  void threadsThatAHandlerStartsAreOfItsLayer() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b =
        layer(
            (job, context) -> {
              CopyOnWriteArrayList<Throwable> thrown = new CopyOnWriteArrayList<>();
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          callAndWait(c, fresh("c"));
                        } catch (Throwable t) {
                          thrown.add(t);
                        }
                      })
                  .join();
              throw new IllegalStateException(thrown.get(0));
            });
    accept(b, "b");
    awaitSettled(b);
    assertThat(callsOf("c")).isEqualTo(3);
  }

  @Test
  void whatACompletedAttemptLeftBehindOwnsItsRetries() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b = layer((job, context) -> c.submit(Job.of("c", "")));
    c.pause();
    accept(b, "b");
    awaitSettled(b);
    c.resume();
    awaitSettled(c);
    assertThat(callsOf("c")).isEqualTo(3);
    assertThat(cutOf(c, "c")).isEqualTo(RetryCut.NONE);
  }

  /** The thread of a slot is started by whoever wakes it, which here is a handler. */
  @Test
  void jobsOfOthersAreNotOfTheLayerThatHadTheirThreadStarted() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b =
        start(
            builder(1, 10),
            (job, context) -> {
              if (job.id().equals("others")) {
                c.submit(Job.of("c", "").timeToLive(LONG));
              }
            });
    Worker<String> a =
        layer(
            (job, context) -> {
              b.submit(Job.of("mine", ""));
              fail(job, context);
            });
    accept(a, "a");
    awaitSettled(a);
    awaitSettled(b);
    accept(b, "others");
    awaitSettled(b);
    awaitSettled(c);
    assertThat(callsOf("c")).as("nobody retries it but its worker").isEqualTo(3);
  }

  /** A client as any library has it: three tries, and a hook that is called before each retry. */
  private static void callThrough(AtomicInteger calls, Runnable onRetry) {
    for (int attempt = 1; ; attempt++) {
      calls.incrementAndGet();
      if (attempt == 3) {
        throw new IllegalStateException("refused three times");
      }
      onRetry.run();
    }
  }

  @Test
  void aLayerThatIsCalledThroughAndCountsItsRetriesAddsUp() throws Exception {
    AtomicInteger through = new AtomicInteger();
    Worker<String> b =
        layer(
            (job, context) -> {
              assertThat(NestedRetries.isOwned()).isTrue();
              callThrough(through, NestedRetries::count);
            });
    Worker<String> a = layer((job, context) -> callAndWait(b, fresh("b")));
    accept(a, "a");
    awaitSettled(a);
    assertThat(through).hasValue(3);
    assertThat(callsOf("b")).isEqualTo(1);
    assertThat(cutOf(a, "a")).isEqualTo(RetryCut.NESTED);
  }

  @Test
  void outsideOfARetriedAttemptNobodyIsAbove() throws Exception {
    CopyOnWriteArrayList<Boolean> owned = new CopyOnWriteArrayList<>();
    Worker<String> plain =
        start(builder(1, 0), (job, context) -> owned.add(NestedRetries.isOwned()));
    layer((job, context) -> {});
    accept(plain, "a");
    awaitSettled(plain);
    NestedRetries.count();
    assertThat(owned).containsExactly(false);
    assertThat(NestedRetries.isOwned()).isFalse();
  }

  @Test
  void aJobThatItsCallerRetriesIsTriedOnceHere() throws Exception {
    Worker<String> worker = layer(RetryFixture::fail);
    worker.submit(Job.of("a", "").retriedByCaller());
    awaitSettled(worker);
    assertThat(callsOf("a")).isEqualTo(1);
    assertThat(cutOf(worker, "a")).isEqualTo(RetryCut.NESTED);
  }

  @Test
  void oneThatIsSaidToBeOfItsWorkerAloneHasAllItsAttempts() throws Exception {
    Worker<String> c = layer(RetryFixture::fail);
    Worker<String> b =
        layer(
            (job, context) -> {
              if (context.attempt() == 1) {
                c.submit(Job.of("c", "").retriedByWorkerAlone().criticality(Criticality.CRITICAL));
              }
              fail(job, context);
            });
    c.pause();
    accept(b, "b");
    awaitSettled(b);
    c.resume();
    awaitSettled(c);
    assertThat(callsOf("b")).isEqualTo(3);
    assertThat(callsOf("c")).isEqualTo(3);
  }

  @Test
  @Tag("R8")
  void callsCarryTheAttemptAndAKeyThatIsEqualForAll() throws Exception {
    List<Map<String, String>> sent = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        layer(
            (job, context) -> {
              sent.add(CallHeaders.of(context));
              fail(job, context);
            });
    worker.submit(Job.of("ä/1", ""));
    awaitSettled(worker);
    assertThat(sent)
        .extracting(headers -> headers.get(CallHeaders.ATTEMPT))
        .containsExactly("1", "2", "3");
    assertThat(sent)
        .extracting(headers -> headers.get(CallHeaders.IDEMPOTENCY_KEY))
        .containsOnly("retry/%C3%A4%2F1");
    assertThat(sent).allMatch(CallHeaders::sayRetried);
    assertThat(CallHeaders.sayRetried(Map.of("headgate-retried", "TRUE"))).isTrue();
    assertThat(CallHeaders.sayRetried(Map.of("Headgate-Retried", "false"))).isFalse();
  }

  @Test
  @Tag("R8")
  void withoutRetriesCallsDoNotSayThatTheyAreRetried() throws Exception {
    List<Map<String, String>> sent = new CopyOnWriteArrayList<>();
    Worker<String> plain =
        start(builder(1, 0), (job, context) -> sent.add(CallHeaders.of(context)));
    Worker<String> once =
        start(
            builder(1, 0).retry(RetryPolicy.attempts(1)),
            (job, context) -> sent.add(CallHeaders.of(context)));
    accept(plain, "a");
    accept(once, "b");
    awaitSettled(plain);
    awaitSettled(once);
    assertThat(sent).hasSize(2).noneMatch(CallHeaders::sayRetried);
    plain.submit(Job.of("c", "").retriedByCaller());
    awaitSettled(plain);
    assertThat(sent.get(2)).containsEntry(CallHeaders.RETRIED, "true");
  }

  @Test
  void keysOfDifferentJobsDiffer() {
    assertThat(IdempotencyKeys.of("a/b", "c")).isNotEqualTo(IdempotencyKeys.of("a", "b/c"));
    assertThat(IdempotencyKeys.of("a%2F", "c")).isNotEqualTo(IdempotencyKeys.of("a/", "c"));
    assertThat(IdempotencyKeys.of("w", "inv-42_x.y~z")).isEqualTo("w/inv-42_x.y~z");
  }

  /** Each job submits its successor: what is behind it must not stay. */
  @Test
  @Tag("B4")
  void aChainOfSuccessorsLeavesNothingBehind() throws Exception {
    Worker<String>[] self = newWorkers();
    self[0] =
        builder(1, 1)
            .history(0)
            .retry(three)
            .start(
                (job, context) -> {
                  int next = Integer.parseInt(job.id()) + 1;
                  if (next <= 20_000) {
                    self[0].offer(Job.of(Integer.toString(next), ""));
                  }
                });
    accept(self[0], "1");
    Aside.until(() -> self[0].report().completed() == 20_000);
    awaitSettled(self[0]);
    Lineage one = Lineage.begin(Lineage.begin(null, 0), 0);
    one.end(false);
    assertThat(RetainedBytes.of(one)).isEqualTo(RetainedBytes.of(Lineage.begin(null, 0)));
    self[0].close();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Worker<String>[] newWorkers() {
    return new Worker[1];
  }
}
