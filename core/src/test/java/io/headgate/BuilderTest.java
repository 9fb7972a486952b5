package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings that are refused when they are given, and those that are legal. */
@Tag("T2")
@Tag("CASE-10")
@Timeout(60)
class BuilderTest {

  private static final Duration NEGATIVE = Duration.ofNanos(-1);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  static Stream<Arguments> badSettings() {
    return Stream.of(
        bad("concurrency", "0", b -> b.concurrency(0)),
        bad("concurrency", "-1", b -> b.concurrency(-1)),
        bad("concurrency", "100001", b -> b.concurrency(WorkerBuilder.MAX_CONCURRENCY + 1)),
        bad("capacity", "-1", b -> b.capacity(-1)),
        bad("capacity", "-2147483648", b -> b.capacity(Integer.MIN_VALUE)),
        bad("capacityBytes", "0", b -> b.capacityBytes(0, String::length)),
        bad("capacityBytes", "-5", b -> b.capacityBytes(-5, String::length)),
        bad("maxWaitingProducers", "-1", b -> b.maxWaitingProducers(-1)),
        bad("maxWaitingBytes", "-1", b -> b.maxWaitingBytes(-1)),
        bad("history", "-1", b -> b.history(-1)),
        bad("maxJobIdBytes", "0", b -> b.maxJobIdBytes(0)),
        bad("maxErrorMessageChars", "-1", b -> b.maxErrorMessageChars(-1)),
        bad("timeout", "PT-0.000000001S", b -> b.timeout(NEGATIVE)),
        bad("timeout", "zero", b -> b.timeout(Duration.ZERO)),
        bad("grace", "PT-0.000000001S", b -> b.grace(NEGATIVE)),
        bad("cleanup", "PT-0.000000001S", b -> b.cleanup(NEGATIVE)));
  }

  private static Arguments bad(String name, String value, Consumer<WorkerBuilder<String>> setting) {
    return Arguments.of(name, value, setting);
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  void badSettingIsRefusedAtOnceWithItsNameAndValue(
      String name, String value, Consumer<WorkerBuilder<String>> setting) {
    WorkerBuilder<String> builder = Worker.builder("bad");
    assertThatThrownBy(() -> setting.accept(builder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value);
  }

  @Test
  void negativePatienceIsRefusedWhereItIsGiven() {
    assertThatThrownBy(() -> WhenFull.waitUpTo(NEGATIVE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("patience");
  }

  @Test
  void durationsSaturate() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("for-ever")
            .concurrency(1)
            .whenFull(WhenFull.waitUpTo(FOR_EVER))
            .timeout(FOR_EVER)
            .grace(FOR_EVER)
            .cleanup(FOR_EVER)
            .start((job, context) -> {})) {
      assertThat(worker.submit(Job.of("a", "").timeToLive(FOR_EVER)).isAccepted()).isTrue();
      assertThat(worker.awaitIdle(FOR_EVER)).isTrue();
      Report report = LedgerAssert.assertSettled(worker.drain(FOR_EVER));
      assertThat(report.completed()).isOne();
      assertThat(report.isClean()).isTrue();
    }
  }

  @Test
  void onlyConcurrencyIsRequired() throws Exception {
    assertThatThrownBy(() -> Worker.<String>builder("none").start((job, context) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("concurrency");
    try (Worker<String> worker =
        Worker.<String>builder("defaults").concurrency(3).start((job, context) -> {})) {
      worker.pause();
      for (int i = 0; i < 6; i++) {
        assertThat(worker.submit(Job.of("job-" + i, "")).isAccepted()).isTrue();
      }
      assertThat(worker.submit(Job.of("seventh", "")))
          .as("capacity is the concurrency, and the answer is to refuse")
          .is(refusedFor(Reason.FULL));
      worker.resume();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  void allContradictionsAreNamedTogether() {
    assertThatThrownBy(
            () ->
                Worker.<String>builder("contradictory")
                    .maxWaitingBytes(5)
                    .maxWaitingProducers(0)
                    .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(1)))
                    .start((job, context) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("contradictory")
        .hasMessageContaining("concurrency")
        .hasMessageContaining("maxWaitingBytes")
        .hasMessageContaining("maxWaitingProducers");
  }

  @Test
  void optionGivenTwiceIsAnError() {
    assertThatThrownBy(() -> Worker.<String>builder("twice").concurrency(1).concurrency(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("CONCURRENCY");
  }
}
