package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Worker;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Times that outlive the process are of the store's clock, and a jump of it loses nothing. */
class ClockTest extends StoreFixture {

  private static final Duration HOUR = Duration.ofHours(1);
  private final List<String> done = new CopyOnWriteArrayList<>();

  private void jump(Duration by) {
    clock.addAndGet(by.toNanos());
  }

  /** A job that failed once and may be tried again in an hour. */
  private Worker<String> suspended(String id) throws Exception {
    Worker<String> worker =
        start(
            store(),
            (job, context) -> {
              throw new IllegalStateException("not yet");
            },
            builder ->
                builder.retry(RetryPolicy.attempts(3).backoff(HOUR, HOUR).random(new Random(7))));
    submit(worker, id);
    eventually(() -> worker.report().suspended() == 1);
    return worker;
  }

  @Test
  @Tag("K1")
  @Tag("R7")
  void aRestartNeitherLosesNorHurriesAJobBetweenTwoAttempts() throws Exception {
    suspended("a").drain(LONG);
    Worker<String> next =
        start(store(), (job, context) -> done.add(job.id() + " " + context.attempt()));
    submit(next, "b");
    eventually(() -> done.contains("b 1"));
    assertThat(next.report().suspended()).isEqualTo(1);
    jump(HOUR);
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("b 1", "a 2");
  }

  @Test
  @Tag("K1")
  void aClockThatJumpsBackDelaysAJobAndDoesNotLoseIt() throws Exception {
    suspended("a").drain(LONG);
    jump(HOUR.negated());
    Worker<String> next = start(store(), (job, context) -> done.add(job.id()));
    submit(next, "b");
    eventually(() -> done.contains("b"));
    assertThat(next.report().suspended()).isEqualTo(1);
    jump(HOUR.multipliedBy(3));
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("b", "a");
  }

  @Test
  @Tag("K1")
  @Tag("T4")
  void aTimeToLiveGoesOnWhileNoProcessRuns() throws Exception {
    Worker<String> first = start(store(), (job, context) -> {});
    first.pause();
    assertThat(first.offer(Job.of("short", "x").timeToLive(HOUR))).isEqualTo(Admission.accepted());
    assertThat(first.offer(Job.of("long", "x").timeToLive(HOUR.multipliedBy(3))))
        .isEqualTo(Admission.accepted());
    first.drain(LONG);
    jump(HOUR.multipliedBy(2));
    Worker<String> next = start(store(), (job, context) -> done.add(job.id()));
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("long");
    assertThat(next.outcome("short"))
        .contains(new Outcome.Unstarted("short", Outcome.Unstarted.Cause.EXPIRED));
  }

  @Test
  @Tag("K1")
  @Tag("R7")
  void aRestartNeitherLosesNorHurriesADelayedJob() throws Exception {
    Worker<String> first = start(store(), (job, context) -> done.add(job.id()));
    assertThat(first.offer(Job.of("later", "x").delay(HOUR))).isEqualTo(Admission.accepted());
    submit(first, "now");
    eventually(() -> done.contains("now"));
    assertThat(first.report().suspended()).isEqualTo(1);
    first.drain(LONG);
    jump(HOUR.dividedBy(2));
    Worker<String> next =
        start(store(), (job, context) -> done.add(job.id() + " " + context.attempt()));
    submit(next, "meanwhile");
    eventually(() -> done.contains("meanwhile 1"));
    assertThat(next.report().suspended()).isEqualTo(1);
    jump(HOUR.dividedBy(2));
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("now", "meanwhile 1", "later 1");
  }

  @Test
  @Tag("K1")
  @Tag("K3")
  void aCrashNeitherLosesNorHurriesADelayedJobWhichIsNotUncertain() throws Exception {
    Worker<String> first = start(store().uncertain(Uncertain.HOLD), (job, context) -> {});
    assertThat(first.offer(Job.of("later", "x").delay(HOUR))).isEqualTo(Admission.accepted());
    Worker<String> next =
        start(
            store(crashImage("crash.db")).uncertain(Uncertain.HOLD),
            (job, context) -> done.add(job.id() + " " + context.uncertainStarts()));
    assertThat(next.report().suspended()).isEqualTo(1);
    assertThat(next.report().held()).isZero();
    first.drain(LONG);
    jump(HOUR);
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("later 0");
  }

  @Test
  @Tag("K1")
  void aDelayedJobStartsWhenTheStoreIsBack() throws Exception {
    Outage outage = new Outage();
    Worker<String> worker =
        start(
            JdbcBacklog.sqlite(file(), Codec.text()).observed(clock::get, outage),
            (job, context) -> done.add(job.id() + " " + context.attempt()));
    assertThat(worker.offer(Job.of("later", "x").delay(HOUR))).isEqualTo(Admission.accepted());
    outage.begin();
    eventually(() -> !worker.offer(Job.of("probe", "x")).isAccepted());
    jump(HOUR);
    assertThat(done).isEmpty();
    outage.end();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("later 1");
  }

  @Test
  @Tag("K1")
  void aClockThatJumpsHurriesOrDelaysADelayedJobAndDoesNotLoseIt() throws Exception {
    Worker<String> worker = start(store(), (job, context) -> done.add(job.id()));
    assertThat(worker.offer(Job.of("later", "x").delay(HOUR))).isEqualTo(Admission.accepted());
    jump(HOUR.negated());
    submit(worker, "now");
    eventually(() -> done.contains("now"));
    jump(HOUR);
    submit(worker, "still before");
    eventually(() -> done.contains("still before"));
    assertThat(worker.report().suspended()).as("an hour is not over").isEqualTo(1);
    jump(HOUR.multipliedBy(24));
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("now", "still before", "later");
  }
}
