package io.headgate.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Outcome;
import io.headgate.Worker;
import io.headgate.cli.store.Deciding.Verdict;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody decides on what is held or has failed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DecidingTest extends StoreFixture {
  private final Told told = new Told();

  private LineState state(long position) throws StoreFault {
    try (ProgressStore store = ProgressStore.look(run())) {
      return store.row(position).state();
    }
  }

  @Test
  @Tag("K4")
  void linesOfARunAreDecidedOneByOne() throws Exception {
    openWithAll().close();
    assertThat(Deciding.decide(run(), List.of(id(3), id(2)), Verdict.RERUN, told)).isZero();
    assertThat(state(3)).isEqualTo(LineState.OPEN);
    assertThat(state(2)).as("a failed one too").isEqualTo(LineState.OPEN);
    assertThat(Deciding.decide(run(), List.of(id(6)), Verdict.COMPLETE, told)).isZero();
    assertThat(state(6))
        .as("left running by a process that is gone")
        .isEqualTo(LineState.COMPLETED);
    assertThat(told.lines).containsExactly("2 decided: to be run again", "1 decided: completed");
    assertThat(Doctor.examine(run(), told)).isZero();
  }

  @Test
  @Tag("K4")
  void whatIsNotHeldIsToldAndTheOthersAreDecided() throws Exception {
    openWithAll().close();
    assertThat(
            Deciding.decide(
                run(),
                List.of(id(1), id(5), "3-0000000000000000", "x", "-1", id(9), id(3)),
                Verdict.FAIL,
                told))
        .isEqualTo(1);
    assertThat(told.complaints).hasSize(6);
    assertThat(told.lines).containsExactly("1 decided: failed");
    assertThat(state(3)).isEqualTo(LineState.FAILED);
    assertThat(state(1)).isEqualTo(LineState.COMPLETED);
  }

  @Test
  @Tag("K4")
  void allThatIsHeldIsDecidedAtOnce() throws Exception {
    openWithAll().close();
    assertThat(Deciding.decide(run(), null, Verdict.RERUN, told)).isZero();
    assertThat(told.lines).containsExactly("2 decided: to be run again");
    assertThat(state(2)).as("what has failed is not held").isEqualTo(LineState.FAILED);
    hold("a", "b", "c");
    assertThat(Deciding.decide(jobs(), null, Verdict.FAIL, told)).isZero();
    assertThat(told.lines).endsWith("3 decided: failed");
  }

  @Test
  @Tag("K4")
  void jobsOfAWorkerAreDecided() throws Exception {
    hold("a", "b", "c");
    assertThat(Deciding.decide(jobs(), List.of("a"), Verdict.RERUN, told)).isZero();
    assertThat(Deciding.decide(jobs(), List.of("b"), Verdict.COMPLETE, told)).isZero();
    assertThat(Deciding.decide(jobs(), List.of("c"), Verdict.FAIL, told)).isZero();
    assertThat(Deciding.decide(jobs(), List.of("c", "d"), Verdict.COMPLETE, told)).isEqualTo(1);
    assertThat(told.complaints).hasSize(2);
    assertThat(Deciding.decide(jobs(), List.of("c"), Verdict.RERUN, told))
        .as("one that has failed can be run again")
        .isZero();
    List<String> done = new CopyOnWriteArrayList<>();
    Worker<String> worker = worker(1, (job, context) -> done.add(job.id()));
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactlyInAnyOrder("a", "c");
    assertThat(worker.outcome("b")).containsInstanceOf(Outcome.Completed.class);
    worker.drain(LONG);
    assertThat(Doctor.examine(jobs(), told)).isZero();
  }

  @Test
  void whileSomebodyHasTheStoreNothingIsDecided() throws Exception {
    String words = "in use by process " + ProcessHandle.current().pid();
    try (ProgressStore store = openWithAll()) {
      assertThat(Deciding.decide(run(), List.of(id(3)), Verdict.RERUN, told)).isEqualTo(69);
      assertThat(store.row(3).state()).isEqualTo(LineState.UNCERTAIN);
    }
    hold("a");
    Worker<String> worker = worker(1, (job, context) -> {});
    try {
      assertThat(Deciding.decide(jobs(), List.of("a"), Verdict.RERUN, told)).isEqualTo(69);
    } finally {
      worker.drain(LONG);
    }
    assertThat(told.complaints).hasSize(2).allSatisfy(line -> assertThat(line).contains(words));
  }
}
