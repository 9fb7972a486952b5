package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job may be called. */
@Timeout(60)
class JobIdPayloadTest {

  private static final String GRINNING = "\uD83D\uDE00";
  private static final String FAMILY = "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "~",
        "\u00a0",
        "\u00e9",
        "\u07ff",
        "\u0800",
        "\u20ac",
        "\uffff",
        GRINNING,
        FAMILY,
        "e\u0301",
        "\uD800\uDC00",
        "\uDBFF\uDFFF",
        "mixed \u00e9 \u20ac " + GRINNING
      })
  @Tag("P1")
  void limitOfAnIdCountsItsUtf8Bytes(String id) throws Exception {
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    check(id, bytes, Admission.accepted());
    check(id + "x", bytes, Admission.refused(Reason.ID_TOO_LONG));
    if (bytes > 1) {
      check(id, bytes - 1, Admission.refused(Reason.ID_TOO_LONG));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\uD800",
        "\uDC00",
        "\uD801",
        "a\uD800",
        "\uD800a",
        "\uDC00\uD800",
        "a\uDFFFb",
        "\uD83D\uD83D\uDE00",
        "\n",
        "a\tb",
        "\u0000",
        "\u001f",
        "\u007f",
        "\u0080",
        "\u009f",
        "ends\r"
      })
  @Tag("P2")
  void illFormedEmptyAndControlIdsAreInvalid(String id) throws Exception {
    check(id, 1_000, Admission.refused(Reason.INVALID_ID));
    // What is wrong with an id comes before its length.
    check(id, 1, Admission.refused(Reason.INVALID_ID));
  }

  @Test
  @Tag("P1")
  void idIsKeptWholeOrRefusedButNeverShortened() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("ids").concurrency(1).maxJobIdBytes(128).start((j, c) -> {})) {
      String longest = "x".repeat(128);
      assertThat(worker.offer(Job.of(longest, "")).isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
      assertThat(worker.outcome(longest)).contains(new Outcome.Completed(longest, 1));
      assertThat(worker.offer(Job.of(longest + "y", "")))
          .isEqualTo(Admission.refused(Reason.ID_TOO_LONG));
      assertThat(worker.offer(Job.of("x".repeat(5_000_000), "")))
          .isEqualTo(Admission.refused(Reason.ID_TOO_LONG));
      assertThat(worker.report().accepted()).isOne();
    }
  }

  @Test
  @Tag("P1")
  @Tag("H4")
  void idsAreComparedAsTheyAreWithoutNormalisation() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker =
        Worker.<String>builder("ids")
            .concurrency(1)
            .capacity(10)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      for (String id : new String[] {"\u00e9", "e\u0301", "a", "A", "a ", " a"}) {
        assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
      }
      // Equal hashes are not equal ids.
      assertThat(worker.offer(Job.of("Aa", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("BB", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("Aa", ""))).isEqualTo(Admission.refused(Reason.DUPLICATE));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(8);
    }
  }

  @Test
  @Tag("H4")
  void manyIdsOfOneHashAreToldApart() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker =
        Worker.<String>builder("ids")
            .concurrency(1)
            .capacity(1_023)
            .history(0)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      for (int i = 0; i < 1_024; i++) {
        StringBuilder id = new StringBuilder();
        for (int bit = 0; bit < 10; bit++) {
          id.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        assertThat(worker.offer(Job.of(id.toString(), "")).isAccepted()).isTrue();
        assertThat(worker.offer(Job.of(id.toString(), "")))
            .isEqualTo(Admission.refused(Reason.DUPLICATE));
      }
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(1_024);
    }
  }

  private static void check(String id, int maxBytes, Admission expected) throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("ids")
            .concurrency(1)
            .maxJobIdBytes(maxBytes)
            .start((job, context) -> {})) {
      assertThat(worker.offer(Job.of(id, ""))).isEqualTo(expected);
      LedgerAssert.awaitSettled(worker);
    }
  }
}
