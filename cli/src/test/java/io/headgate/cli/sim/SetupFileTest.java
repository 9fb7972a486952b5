package io.headgate.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.Criticality;
import io.headgate.simulator.ServiceTime;
import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a file comes to, and what is said of one that is wrong. */
class SetupFileTest {
  private static final String SMALLEST =
      """
      arrivals.rate = 100
      service.mean = "20ms"
      clients.timeout = "1s"
      [worker]
      concurrency = 4
      capacity = 16
      """;

  private static Plan parse(String text) throws SetupException {
    return SetupFile.parse("f.toml", text);
  }

  private static void assertRefused(String text, String line) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            SetupException.class, refusal -> assertThat(refusal.line()).isEqualTo(line));
  }

  @Test
  void whatIsLeftOutHasADefault() throws Exception {
    Plan plan = parse(SMALLEST);

    Duration second = Duration.ofSeconds(1);
    assertThat(plan.loads()).isEmpty();
    assertThat(plan.base())
        .isEqualTo(
            new Setup(
                100,
                Map.of(Criticality.CRITICAL, 1.0),
                new Setup.Service(ServiceTime.EXPONENTIAL, Duration.ofMillis(20)),
                new Setup.Server(4, 16, Setup.WhenFull.REFUSE, Optional.empty()),
                new Setup.Callers(second, second, 1, Duration.ZERO, Optional.empty()),
                Optional.empty(),
                1,
                Duration.ofMinutes(1)));
  }

  @Test
  void everythingCanBeSaid() throws Exception {
    Plan plan =
        parse(
            """
            duration = "40s"
            seed = -7
            arrivals.loads = [0.5, 2]
            service = { time = "heavy-tailed", mean = "10ms" }
            worker = { concurrency = 8, capacity = 0, when-full = "shed", queue-delay = "50ms" }
            mix = { critical-plus = 1, sheddable = 3.0 }
            slow-down = { at = "0", for = "5s", times = 2.5 }
            [clients]
            timeout = "500ms"
            attempts = 3
            deadline = "2s"
            backoff = "0s"
            retry-budget = 20
            """);

    Setup base = plan.base();
    assertThat(plan.loads()).containsExactly(0.5, 2.0);
    assertThat(plan.rows(base))
        .extracting(row -> row.setup().perSecond())
        .containsExactly(400.0, 1600.0);
    assertThat(base.mix())
        .containsExactly(
            Map.entry(Criticality.CRITICAL_PLUS, 0.25), Map.entry(Criticality.SHEDDABLE, 0.75));
    assertThat(base.service().time()).isEqualTo(ServiceTime.HEAVY_TAILED);
    assertThat(base.server())
        .isEqualTo(
            new Setup.Server(
                8, 0, Setup.WhenFull.SHED_LEAST_CRITICAL, Optional.of(Duration.ofMillis(50))));
    assertThat(base.callers())
        .isEqualTo(
            new Setup.Callers(
                Duration.ofMillis(500), Duration.ofSeconds(2), 3, Duration.ZERO, Optional.of(20)));
    assertThat(base.slowDown())
        .contains(new Setup.SlowDown(Duration.ZERO, Duration.ofSeconds(5), 2.5));
    assertThat(base.seed()).isEqualTo(-7);
    assertThat(base.duration()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void theExampleIsRightAndNamesEveryKey() throws Exception {
    String example = SimCommand.example();

    assertThat(parse(example).loads()).hasSize(4);
    for (Key key : Key.values()) {
      assertThat(example).contains(key.parts().getLast());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "worker.concurency = 3|worker.concurency: no such key; the nearest is worker.concurrency",
        "worker.when_full = 3|worker.when_full: no such key; the nearest is worker.when-full",
        "concurrency = 3|concurrency: no such key; the nearest is worker.concurrency",
        "[slowdown]|slowdown: no such key; the nearest is [slow-down]",
        "seed.x = 1|seed.x: no such key; the nearest is seed",
        "[[mix]]|mix = [a table]: it is a table; write [mix] and its keys below",
        "slow-down = 3|slow-down = 3: it is a table; write [slow-down] and its keys below",
        "duration = 60|duration = 60: give a text with a number and a unit, like \"500ms\", \"30s\""
            + " or \"5m\"; it is for how long clients ask",
        "duration = \"60\"|duration = 60: the unit is missing; give a number and a unit, like 500ms,"
            + " 30s, 5m or 2h",
        "duration = \"0s\"|duration = \"0s\": must be above zero; it is for how long clients ask",
        "duration = \"24h\"|duration = \"24h\": must be below a day; it is for how long clients ask",
        "seed = 1.5|seed = 1.5: give a whole number; it is the seed of all chance",
        "service.time = \"normal\"|service.time = \"normal\": must be one of constant, exponential,"
            + " heavy-tailed; it is how the time of a call is distributed",
        "worker.when-full = \"shed\"|worker.when-full = \"shed\": all calls are of one class; give"
            + " two in [mix], or leave it out",
        "worker.when-full = \"grow\"|worker.capacity = 16: a queue that grows has no capacity; leave"
            + " it out",
        "arrivals.loads = [1]|arrivals.rate = 100: arrivals.loads gives the rate already; leave one"
            + " of the two out",
        "clients.retry-budget = 5|clients.retry-budget = 5: clients.attempts is 1, so there are no"
            + " retries; raise it, or leave this out",
        "clients.attempts = 101|clients.attempts = 101: must be from 1 to 100; it is how often a"
            + " client tries in all",
        "mix.critical = -1|mix.critical = -1: must be from 0 to 1000000000; it is the part of the"
            + " calls in this class",
        "mix.critical = nan|mix.critical = NaN: must be from 0 to 1000000000; it is the part of the"
            + " calls in this class",
        "mix.critical = 0|mix: no part is above zero; give one, or leave [mix] out",
        "slow-down = { at = \"50s\", for = \"10s\", times = 2 }|slow-down.for = \"10s\": it ends after"
            + " 60 s, and the run after 60 s; shorten it, or raise the duration",
        "a = 1 1|not TOML: Unexpected '1', expected a newline or end-of-input"
      })
  void aFileThatIsWrongIsRefusedInOneLine(String wrong, String message) {
    // A dotted key would end the table of the same name.
    String rest =
        SMALLEST
            .replace("[worker]\nconcurrency", "worker.concurrency")
            .replace("\ncapacity", "\nworker.capacity");
    boolean isTable = wrong.startsWith("[");
    String text = isTable ? rest + wrong : wrong + "\n" + rest;
    int line = isTable ? 6 : 1;
    if (message.startsWith("worker.capacity")) {
      line = 6;
    } else if (message.startsWith("arrivals.rate")) {
      line = 2;
    }
    assertRefused(text, "f.toml:" + line + ": " + message);
  }

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "CONCURRENCY", "CAPACITY", "TIMEOUT", "RATE"})
  void whatIsNeededAndMissingIsNamed(Key key) {
    StringBuilder rest = new StringBuilder();
    SMALLEST.lines().filter(line -> !isOf(key, line)).forEach(l -> rest.append(l).append('\n'));

    assertThatThrownBy(() -> parse(rest.toString()))
        .isInstanceOfSatisfying(
            SetupException.class,
            refusal ->
                assertThat(refusal.line())
                    .startsWith("f.toml: " + key.path() + " is missing: " + key.meaning() + "; "));
  }

  private static boolean isOf(Key key, String line) {
    return line.startsWith(key.path()) || line.startsWith(key.parts().getLast());
  }

  @Test
  void aRunThatWouldNotEndIsRefused() {
    assertRefused(
        SMALLEST.replace("rate = 100", "rate = 1000000"),
        "f.toml:1: arrivals.rate = 1000000: that may be 60000000 calls in one run, retries included,"
            + " and 10000000 is the most; lower it, or the duration");
    assertRefused(
        SMALLEST.replace("rate = 100", "loads = [1, 1000]"),
        "f.toml:1: arrivals.loads = [1, 1000]: that may be 12000000 calls in one run, retries"
            + " included, and 10000000 is the most; lower it, or the duration");
  }

  @Test
  void aRateThatNoRunCanHaveIsRefusedHoweverItIsAskedFor() {
    assertRefused(
        """
        duration = "0.04ms"
        arrivals.loads = [0.001, 2]
        service.mean = "0.001ms"
        clients.timeout = "1s"
        worker = { concurrency = 100000, capacity = 16 }
        """,
        "f.toml:2: arrivals.loads = [0.001, 2]: that is 200000000000 calls a second, and 1000000000 is"
            + " the most; lower it or worker.concurrency, or raise service.mean");
  }

  @Test
  void aLongValueIsCutInTheMessage() {
    assertThatThrownBy(() -> parse("seed = \"" + "x".repeat(1000) + '"'))
        .isInstanceOfSatisfying(
            SetupException.class, refusal -> assertThat(refusal.line()).hasSizeLessThan(200));
  }

  @Test
  void aMessageMovesNoCursor() {
    assertRefused(
        "\"a\\u001b[2J\" = 1",
        "f.toml:1: a?[2J: no such key; the nearest is " + Key.nearest("a\u001b[2J"));
  }

  @Test
  void partsOfTheMixAddUpWhateverTheirSum() throws Exception {
    Plan plan =
        parse(SMALLEST.replace("[worker]", "mix.critical = 7\nmix.sheddable = 3\n[worker]"));

    assertThat(plan.base().mix().get(Criticality.CRITICAL)).isCloseTo(0.7, within(1e-9));
  }
}
