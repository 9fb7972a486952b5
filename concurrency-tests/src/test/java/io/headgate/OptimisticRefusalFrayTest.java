package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Claim;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A refusal that was read without the lock was true at some instant of the call. */
final class OptimisticRefusalFrayTest {

  private final AtomicReference<Admission> answer = new AtomicReference<>();

  @Test
  @Tag("A1")
  @Tag("A6")
  void jobThatMovesIsNotCountedTwice() {
    Schedules.explorePlainFields(
        600,
        () -> {
          Bench bench = Bench.of(1, 1);
          bench.offer("a");
          Actor newcomer = Actor.doing(() -> answer.set(bench.offer("b")));
          bench.claim(); // from waiting to running: one unfinished job of two at every instant
          newcomer.join();
          assertThat(answer.get().isAccepted()).as("%s", answer.get()).isTrue();
        });
  }

  @Test
  @Tag("A7")
  void duplicateThatMovesInTheTableIsStillADuplicate() {
    Schedules.explorePlainFields(
        600,
        () -> {
          // Two ids of one hash: when the first leaves the table the second moves to its place.
          Bench bench = Bench.of(1, 1);
          bench.offer("Aa");
          Claim<String> running = bench.claim();
          bench.offer("BB");
          Actor newcomer = Actor.doing(() -> answer.set(bench.offer("BB")));
          bench.complete(running);
          newcomer.join();
          assertThat(Bench.reason(answer.get())).isEqualTo(Reason.DUPLICATE);
        });
  }

  @Test
  @Tag("A6")
  void freedPlaceIsNotRefusedToWhoComesAfterwards() {
    Schedules.explorePlainFields(
        600,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          Claim<String> running = bench.claim();
          Actor stranger = Actor.doing(() -> bench.offer("a"));
          bench.complete(running);
          answer.set(bench.offer("b"));
          stranger.join();
          boolean strangerCameFirst = !answer.get().isAccepted();
          assertThat(bench.backlog.tally().accepted()).isEqualTo(2);
          assertThat(Bench.reason(answer.get())).isEqualTo(strangerCameFirst ? Reason.FULL : null);
        });
  }
}
