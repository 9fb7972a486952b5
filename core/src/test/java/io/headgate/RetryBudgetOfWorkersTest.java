package io.headgate;

import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.retry.RetryBudget;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers that pay for their retries. */
@Tag("R3")
class RetryBudgetOfWorkersTest extends RetryFixture {

  private RetryBudget.Builder emptyAtFirst(int percent) {
    return RetryBudget.builder().percent(percent).perSecond(0).ticker(ticker);
  }

  private static Outcome unpaid(String id, int attempts) {
    return new Outcome.Failed(id, attempts, error(id, attempts), RetryCut.BUDGET);
  }

  @Test
  void anExhaustedBudgetFailsTheJobAtOnceAndSaysSo() throws Exception {
    Worker<String> worker =
        failing(builder(1, 0).retry(policy.budget(emptyAtFirst(10).build("b"))));
    accept(worker, "a");
    awaitSettled(worker);
    assertThat(worker.outcome("a")).contains(unpaid("a", 1));
    assertThat(worker.report().toJson()).contains("\"retriesCutShort\":\"budget\"");
  }

  @Test
  @Tag("CASE-34")
  void aRetryIsChargedWhenItIsDecidedNotWhenItStarts() throws Exception {
    RetryBudget one = emptyAtFirst(50).build("b");
    Worker<String> worker = failing(builder(1, 3).retry(policy.budget(one)));
    accept(worker, "a");
    awaitSettled(worker);
    accept(worker, "b");
    awaitSuspended(worker, 1);
    assertThat(one.available()).as("its back-off has not ended").isZero();
    accept(worker, "c");
    Aside.until(() -> worker.report().failed() == 2);
    assertThat(worker.outcome("c")).contains(unpaid("c", 1));
    assertThat(worker.report().suspended()).isEqualTo(1);
  }

  @Test
  @Tag("CASE-34")
  void onlyFirstAttemptsPayIn() throws Exception {
    RetryBudget budget = emptyAtFirst(100).build("b");
    Worker<String> worker = failing(builder(1, 0).retry(policy.budget(budget)));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    pass(SECOND);
    awaitSettled(worker);
    assertThat(worker.outcome("a")).as("the retry paid nothing in").contains(unpaid("a", 2));
  }

  @Test
  void workersOfOneBudgetPayTogether() throws Exception {
    RetryBudget shared = emptyAtFirst(50).shared("RetryBudgetOfWorkersTest");
    Worker<String> one = failing(builder(1, 0).retry(policy.budget(shared)));
    Worker<String> other =
        failing(
            builder(1, 0)
                .retry(policy.budget(emptyAtFirst(50).shared("RetryBudgetOfWorkersTest"))));
    accept(one, "a");
    awaitSettled(one);
    accept(other, "b");
    awaitSuspended(other, 1);
    assertThat(shared.granted()).isEqualTo(1);
    assertThat(shared.refused()).isEqualTo(1);
  }

  @Test
  @Tag("CASE-33")
  void whereEverythingFailsCallsStayWithinElevenTenthsOfTheJobs() throws Exception {
    Worker<String> worker =
        failing(
            builder(4, 1_000)
                .history(0)
                .retry(
                    policy
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .budget(emptyAtFirst(10).build("b"))));
    for (int i = 0; i < 1_000; i++) {
      accept(worker, "job-" + i + "-");
    }
    assertThat(awaitSettled(worker).failed()).isEqualTo(1_000);
    assertThat(calls).hasSizeBetween(1_050, 1_100);
  }

  @Test
  void withoutABudgetOfItsOwnAPolicyUsesOneForEachWorker() throws Exception {
    CopyOnWriteArrayList<Outcome> unpaid = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        failing(builder(1, 200).history(200).retry(policy.backoff(Duration.ZERO, Duration.ZERO)));
    for (int i = 0; i < 100; i++) {
      accept(worker, "job-" + i + "-");
    }
    for (Outcome outcome : awaitSettled(worker).outcomes()) {
      if (((Outcome.Failed) outcome).retriesCutShort() == RetryCut.BUDGET) {
        unpaid.add(outcome);
      }
    }
    assertThat(calls).as("ten at the start, and ten of a hundred").hasSize(120);
    assertThat(unpaid).isNotEmpty();
  }
}
