package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.retry.RetryPolicy;
import io.headgate.testing.HandlerGate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same events, as Java Flight Recorder keeps them. */
@Timeout(60)
class FlightRecorderTest {

  @TempDir private Path directory;

  @Test
  @Tag("L3")
  @Tag("D4")
  void aRecordingHoldsWhatHappened() throws Exception {
    Path file = directory.resolve("headgate.jfr");
    try (Recording recording = new Recording()) {
      for (String kind : List.of("Accepted", "Refused", "Started", "Ended", "StateChanged")) {
        recording.enable("io.headgate." + kind);
      }
      recording.start();
      HandlerGate<String> gate = HandlerGate.closed();
      Worker<String> worker =
          Worker.<String>builder("recorded").concurrency(1).capacity(2).start(gate.handler());
      for (String id : List.of("completes", "interrupted", "drained")) {
        assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
      }
      assertThat(worker.offer(Job.of("more", ""))).is(refusedFor(Reason.FULL));
      gate.pass(1);
      assertThat(gate.awaitEntered(2, HANG)).isTrue();
      assertSettled(worker.drain(Duration.ZERO));
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.hasField("worker"))
            .filter(event -> "recorded".equals(event.getString("worker")))
            .toList();

    assertThat(told(events, "Accepted", event -> event.getString("jobId")))
        .containsExactlyInAnyOrder("completes", "interrupted", "drained");
    assertThat(
            told(events, "Refused", event -> event.getString("jobId") + event.getString("reason")))
        .containsExactly("moreFULL");
    assertThat(told(events, "Started", event -> event.getString("jobId") + event.getInt("attempt")))
        .containsExactlyInAnyOrder("completes1", "interrupted1");
    assertThat(
            told(
                events,
                "Ended",
                event ->
                    event.getString("jobId")
                        + " "
                        + event.getString("outcome")
                        + " "
                        + event.getInt("attempts")))
        .containsExactlyInAnyOrder(
            "completes completed 1", "interrupted interrupted 1", "drained unstarted 0");
    assertThat(told(events, "StateChanged", event -> event.getString("state")))
        .containsExactlyInAnyOrder("DRAINING", "CANCELLING", "STOPPED");
  }

  @Test
  @Tag("R2")
  void aRecordingHoldsSuspensions() throws Exception {
    Path file = directory.resolve("headgate.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.headgate.Suspended");
      recording.start();
      try (Worker<String> worker =
          Worker.<String>builder("repeats")
              .concurrency(1)
              .retry(RetryPolicy.attempts(2).backoff(Duration.ZERO, Duration.ZERO))
              .start(
                  (job, context) -> {
                    throw new IllegalStateException("fails");
                  })) {
        worker.offer(Job.of("a", ""));
        assertThat(worker.awaitIdle(HANG)).isTrue();
      }
      recording.stop();
      recording.dump(file);
    }
    assertThat(
            told(
                RecordingFile.readAllEvents(file),
                "Suspended",
                event ->
                    event.getString("worker")
                        + event.getString("jobId")
                        + event.getInt("attempt")
                        + event.getDuration("backoff").isNegative()))
        .containsExactly("repeatsa1false");
  }

  private static Stream<String> told(
      List<RecordedEvent> events, String kind, Function<RecordedEvent, String> what) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.headgate." + kind))
        .map(what);
  }
}
