package io.headgate.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said to be set, and what is warned of. */
class AdviceTest {

  private static Plan plan(String arrivals, String worker, String clients) throws SetupException {
    return SetupFile.parse(
        "f.toml",
        """
        duration = "20s"
        service = { mean = "10ms" }
        arrivals = { %s }
        worker = { %s }
        clients = { %s }
        """
            .formatted(arrivals, worker, clients));
  }

  @Test
  void littlesLawSaysHowManyRunAtOnce() throws Exception {
    Plan plan = plan("rate = 1600", "concurrency = 10, capacity = 10", "timeout = \"400ms\"");

    Advice advice = Advice.of(plan);

    assertThat(advice.busy()).singleElement().extracting(Advice.Busy::calls).isEqualTo(16.0);
    assertThat(advice.concurrency()).as("16 / 0.8").isEqualTo(20);
    assertThat(advice.suggested().server().concurrency()).isEqualTo(20);
    assertThat(advice.warnings()).singleElement().asString().startsWith("λ > μ at 1.6 x");
  }

  @Test
  void concurrencyIsKeptWhereItIsTheMeasureOfTheLoads() throws Exception {
    Plan plan = plan("loads = [0.5, 10]", "concurrency = 10, capacity = 10", "timeout = \"1s\"");

    Advice advice = Advice.of(plan);

    assertThat(advice.busy()).extracting(Advice.Busy::calls).containsExactly(5.0, 100.0);
    assertThat(advice.concurrency()).isEqualTo(10);
    assertThat(advice.suggested()).isEqualTo(plan.base());
  }

  @Test
  void capacityFollowsFromTheWaitThatIsAcceptable() throws Exception {
    Plan plan = plan("rate = 500", "concurrency = 10, capacity = 500", "timeout = \"400ms\"");

    Advice advice = Advice.of(plan);

    assertThat(advice.longestWait()).as("(500/10 + 1) × 10 ms").isEqualTo(Duration.ofMillis(510));
    assertThat(advice.capacity()).as("10 × (200/10 − 1)").isEqualTo(190);
    assertThat(advice.suggested().server().capacity()).isEqualTo(190);
    assertThat(advice.warnings())
        .singleElement()
        .asString()
        .startsWith("A client gives up after 400 ms, and a call may wait 510 ms");
    Setup.Server set = advice.suggested().server();
    assertThat(Advice.longestWait(set, Duration.ofMillis(10)))
        .as("the rule turned round")
        .isEqualTo(advice.acceptableWait());
  }

  @Test
  void aWaitBelowOneServiceTimeLeavesNoRoomToWait() {
    assertThat(Advice.capacityFor(Duration.ofMillis(9), 10, Duration.ofMillis(10))).isZero();
    assertThat(Advice.capacityFor(Duration.ofMillis(10), 10, Duration.ofMillis(10))).isZero();
    assertThat(Advice.capacityFor(Duration.ofMillis(20), 10, Duration.ofMillis(10))).isEqualTo(10);
  }

  @Test
  void retriesWithoutABudgetAreWarnedOfAndGivenOne() throws Exception {
    Plan plan =
        plan("rate = 500", "concurrency = 10, capacity = 50", "timeout = \"400ms\", attempts = 5");

    Advice advice = Advice.of(plan);

    assertThat(advice.retryPercent()).contains(10);
    assertThat(advice.suggested().callers().retryPercent()).contains(10);
    assertThat(advice.warnings())
        .satisfiesExactlyInAnyOrder(
            warning -> assertThat(warning).startsWith("Retries without a budget"),
            warning -> assertThat(warning).startsWith("5 attempts in all"));
  }

  @Test
  void aTargetThatCannotWorkIsReplaced() throws Exception {
    String server = "concurrency = 10, capacity = 50, queue-delay = ";
    Advice low = Advice.of(plan("rate = 500", server + "\"1ms\"", "timeout = \"400ms\""));
    Advice high = Advice.of(plan("rate = 500", server + "\"400ms\"", "timeout = \"400ms\""));
    Advice right = Advice.of(plan("rate = 500", server + "\"50ms\"", "timeout = \"400ms\""));

    assertThat(low.warnings()).singleElement().asString().contains("below one service time");
    assertThat(high.warnings()).singleElement().asString().contains("not below the client's");
    assertThat(right.warnings()).isEmpty();
    Optional<Duration> rule = Optional.of(Duration.ofMillis(40));
    assertThat(low.suggested().server().queueDelay()).isEqualTo(rule);
    assertThat(high.suggested().server().queueDelay()).isEqualTo(rule);
    assertThat(right.suggested().server().queueDelay()).contains(Duration.ofMillis(50));
  }

  @Test
  void aQueueThatGrowsIsGivenABound() throws Exception {
    Advice advice =
        Advice.of(plan("rate = 500", "concurrency = 10, when-full = \"grow\"", "timeout = \"1s\""));

    assertThat(advice.warnings()).singleElement().asString().startsWith("The queue has no bound");
    assertThat(advice.suggested().server())
        .isEqualTo(new Setup.Server(10, 490, Setup.WhenFull.REFUSE, Optional.empty()));
  }

  @Test
  void whereClassesCompeteTheLeastCriticalGivesWay() throws Exception {
    String mix = "mix = { critical = 1, sheddable = 1 }";
    Plan much = mixed("rate = 1100", mix);
    Plan little = mixed("rate = 500", mix);

    assertThat(Advice.of(much).suggested().server().whenFull())
        .isEqualTo(Setup.WhenFull.SHED_LEAST_CRITICAL);
    assertThat(Advice.of(little).suggested().server().whenFull()).isEqualTo(Setup.WhenFull.REFUSE);
    assertThat(Advice.of(mixed("rate = 1100", "")).suggested().server().whenFull())
        .isEqualTo(Setup.WhenFull.REFUSE);
  }

  private static Plan mixed(String arrivals, String mix) throws SetupException {
    return SetupFile.parse(
        "f.toml",
        """
        duration = "20s"
        service = { mean = "10ms" }
        arrivals = { %s }
        worker = { concurrency = 10, capacity = 10 }
        clients = { timeout = "1s" }
        %s
        """
            .formatted(arrivals, mix));
  }

  @Test
  void aSlowDownAndAnImpatientClientAreWarnedOf() throws Exception {
    Plan plan =
        SetupFile.parse(
            "f.toml",
            """
            duration = "20s"
            service.mean = "10ms"
            arrivals.rate = 500
            worker = { concurrency = 10, capacity = 0 }
            clients.timeout = "10ms"
            slow-down = { at = "5s", for = "5s", times = 3 }
            """);

    assertThat(Advice.of(plan).warnings())
        .satisfiesExactlyInAnyOrder(
            warning -> assertThat(warning).startsWith("While it is 3 times slower, 333/s"),
            warning ->
                assertThat(warning).startsWith("A client gives up after 10 ms, and the mean"));
  }

  @Test
  void figuresHaveThreeDigitsThatCount() {
    assertThat(Amounts.number(0)).isEqualTo("0");
    assertThat(Amounts.number(12345)).isEqualTo("12345");
    assertThat(Amounts.number(12.34)).isEqualTo("12.3");
    assertThat(Amounts.number(2.5)).isEqualTo("2.5");
    assertThat(Amounts.number(0.01234)).isEqualTo("0.0123");
    assertThat(Amounts.time(Duration.ZERO)).isEqualTo("0");
    assertThat(Amounts.time(Duration.ofNanos(12_340))).isEqualTo("12.3 µs");
    assertThat(Amounts.time(Duration.ofMillis(999))).isEqualTo("999 ms");
    assertThat(Amounts.time(Duration.ofMillis(1500))).isEqualTo("1.5 s");
    assertThat(Amounts.percent(0.125)).isEqualTo("12.5 %");
  }
}
