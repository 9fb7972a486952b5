package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The report as JSON, which the command line and HTTP print. */
@Timeout(60)
class ReportJsonTest {

  private static final List<String> COUNTERS =
      List.of(
          "accepted",
          "completed",
          "failed",
          "interrupted",
          "unstarted",
          "unfinished",
          "waiting",
          "suspended",
          "held",
          "running",
          "executing",
          "external",
          "waitingBytes",
          "runningBytes",
          "waitingProducers",
          "waitingProducerBytes",
          "omittedOutcomes");

  private static long number(Map<String, Object> json, String key) {
    return (Long) json.get(key);
  }

  private static Map<String, Object> balanced(Report report) {
    Map<String, Object> json = StrictJson.object(assertBalanced(report).toJson());
    assertThat(json)
        .containsKeys(COUNTERS.toArray(String[]::new))
        .containsKeys("refused", "outcomes", "abandoned", "stuck", "ending", "isClean")
        .containsKeys("drainTime", "cleanupTime");
    assertThat(number(json, "accepted"))
        .isEqualTo(
            number(json, "completed")
                + number(json, "failed")
                + number(json, "interrupted")
                + number(json, "unstarted")
                + number(json, "unfinished"));
    return json;
  }

  @SuppressWarnings("unchecked") // what StrictJson makes of an array of objects
  private static Map<String, Map<String, Object>> outcomesById(Map<String, Object> json) {
    return ((List<Map<String, Object>>) json.get("outcomes"))
        .stream().collect(Collectors.toMap(outcome -> (String) outcome.get("id"), o -> o));
  }

  @Test
  @Tag("L1")
  @Tag("L10")
  void everyKeyOfAWorkerAtWorkIsThereAndAddsUp() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("json")
            .concurrency(1)
            .capacity(1)
            .capacityBytes(100, String::length)
            .start(gate.handler());
    assertThat(worker.offer(Job.of("a", "123")).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    assertThat(worker.offer(Job.of("b", "4567")).isAccepted()).isTrue();
    Aside<Admission> producer =
        Aside.call(() -> worker.offer(Job.of("c", "89"), Duration.ofHours(1)));
    Aside.until(() -> worker.report().waitingProducers() == 1);
    assertThat(worker.offer(Job.of("b", ""))).isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(worker.offer(Job.of("d", ""))).is(refusedFor(Reason.FULL));

    Map<String, Object> json = balanced(worker.report());

    assertThat(json)
        .containsEntry("worker", "json")
        .containsEntry("accepted", 2L)
        .containsEntry("unfinished", 2L)
        .containsEntry("waiting", 1L)
        .containsEntry("running", 1L)
        .containsEntry("executing", 1L)
        .containsEntry("runningBytes", 3L)
        .containsEntry("waitingBytes", 4L)
        .containsEntry("waitingProducers", 1L)
        .containsEntry("waitingProducerBytes", 2L)
        .containsEntry("refused", Map.of("DUPLICATE", 1L, "FULL", 1L))
        .containsEntry("ending", null)
        .containsEntry("isClean", false)
        .containsEntry("abandoned", List.of())
        .containsEntry("outcomes", List.of());
    gate.open();
    assertThat(producer.result().isAccepted()).isTrue();
    assertThat(balanced(worker.drain(Duration.ofHours(1))))
        .containsEntry("completed", 3L)
        .containsEntry("ending", "DRAINED")
        .containsEntry("isClean", true);
  }

  @Test
  @Tag("L5")
  @Tag("L10")
  void eachOutcomeSaysWhatIsKnownOfItsEffects() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("effects")
            .concurrency(1)
            .capacity(5)
            .start(
                (job, context) -> {
                  if (job.id().equals("fails")) {
                    throw new IllegalStateException("why");
                  } else if (!job.id().equals("completes")) {
                    gate.handler().handle(job, context);
                  }
                });
    for (String id : List.of("completes", "fails", "interrupted", "unstarted")) {
      assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
    }
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    Map<String, Object> json = balanced(worker.abort());

    Map<String, Map<String, Object>> outcomes = outcomesById(json);
    assertThat(outcomes.get("completes"))
        .containsEntry("outcome", "completed")
        .containsEntry("attempts", 1L);
    assertThat(outcomes.get("fails"))
        .containsEntry("outcome", "failed")
        .containsEntry("errorType", "java.lang.IllegalStateException")
        .containsEntry("message", "why")
        .containsEntry("messageTruncated", false);
    assertThat(outcomes.get("interrupted"))
        .containsEntry("outcome", "interrupted")
        .containsEntry("sideEffects", "unknown");
    assertThat(outcomes.get("unstarted"))
        .containsEntry("outcome", "unstarted")
        .containsEntry("cause", "aborted")
        .containsEntry("attempts", 0L)
        .containsEntry("sideEffects", "none");
    assertThat(json)
        .containsEntry("ending", "ABORTED")
        .containsEntry("abandoned", List.of("interrupted", "unstarted"))
        .containsEntry("isClean", false);
  }

  @Test
  @Tag("P7")
  @Tag("L9")
  void whateverIdsAndMessagesHoldTheJsonStaysJson() throws Exception {
    List<String> ids =
        List.of(
            "\"quoted\"",
            "back\\slash\\u0041",
            "emoji 😀 family 👨‍👩‍👧",
            "separators \u2028\u2029 \u00a0",
            "</script><!--",
            "{\"id\":1}",
            "ünïcödé e\u0301 \uffff");
    String message = "tab\t line\n return\r nul\0 esc\u001b del\u007f quote\" lone \ud800 x \udc00";
    try (Worker<String> worker =
        Worker.<String>builder("na\"me\\ 😀")
            .concurrency(1)
            .capacity(20)
            .start(
                (job, context) -> {
                  throw new IllegalStateException(message);
                })) {
      for (String id : ids) {
        assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
      }
      Map<String, Object> json = balanced(awaitSettled(worker));

      assertThat(json).containsEntry("worker", "na\"me\\ 😀");
      Map<String, Map<String, Object>> outcomes = outcomesById(json);
      assertThat(outcomes.keySet()).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(outcomes.values())
          .allSatisfy(outcome -> assertThat(outcome).containsEntry("message", message));
    }
  }

  @Test
  @Tag("D5")
  void timesAreSecondsAndStuckJobsAreDescribed() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("times")
            .concurrency(1)
            .cleanup(Duration.ZERO)
            .ticker(ticker)
            .start(
                (job, context) -> {
                  entered.countDown();
                  while (release.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                });
    assertThat(worker.offer(Job.of("\"stuck\"", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ofMillis(12_500)));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(Duration.ofMillis(12_500));
    Map<String, Object> json = balanced(drain.result());
    release.countDown();

    assertThat(json)
        .containsEntry("drainTime", 12.5)
        .containsEntry("cleanupTime", 0L)
        .containsEntry("ending", "STUCK")
        .containsEntry("unfinished", 1L)
        .containsEntry("abandoned", List.of("\"stuck\""));
    assertThat((List<?>) json.get("stuck"))
        .singleElement()
        .isInstanceOfSatisfying(
            Map.class,
            stuck -> {
              assertThat(stuck.get("id")).isEqualTo("\"stuck\"");
              assertThat(stuck.get("age")).isEqualTo(12.5);
              assertThat((List<?>) stuck.get("stack")).isNotEmpty();
            });
  }
}
