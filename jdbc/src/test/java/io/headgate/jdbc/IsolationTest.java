package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteLimits;

/** One request that cannot be carried out never fails those that share its transaction. */
class IsolationTest extends StoreFixture {

  private static final int LONGEST_VALUE = 100_000;

  private final Outage outage = new Outage();
  private final List<String> done = new CopyOnWriteArrayList<>();

  /** SQLite that takes no long values, as the real one takes none beyond a gigabyte. */
  private final class Narrow extends ForwardingDialect {
    Narrow() {
      super(new SqliteDialect(file()));
    }

    @Override
    public Connection openWriter() throws SQLException {
      Connection connection = super.openWriter();
      ((SQLiteConnection) connection).setLimit(SQLiteLimits.SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
      return connection;
    }
  }

  private static FutureTask<Admission> offering(Worker<String> worker, String id, String payload)
      throws InterruptedException {
    FutureTask<Admission> offer = new FutureTask<>(() -> worker.offer(Job.of(id, payload)));
    Thread thread = Thread.ofPlatform().daemon().start(offer);
    eventually(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TERMINATED);
    return offer;
  }

  @Test
  @Tag("K2")
  void aValueThatTheStoreDoesNotTakeFailsAloneInItsGroup() throws Exception {
    Worker<String> worker =
        start(
            JdbcBacklog.sqlite(file(), Codec.text())
                .observed(clock::get, outage)
                .dialect(new Narrow()),
            (job, context) -> done.add(job.id()));
    worker.pause();
    outage.hang();
    List<FutureTask<Admission>> good = new ArrayList<>();
    good.add(offering(worker, "first", "x")); // in the hanging commit; all others are one group
    good.add(offering(worker, "a", "x"));
    FutureTask<Admission> bad = offering(worker, "bad", "x".repeat(2 * LONGEST_VALUE));
    good.add(offering(worker, "b", "x"));
    outage.letGo();
    for (FutureTask<Admission> each : good) {
      assertThat(each.get()).isEqualTo(Admission.accepted());
    }
    assertThatThrownBy(bad::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNACCEPTABLE));
    assertThat(worker.isAvailable()).isTrue();
    assertThat(worker.report().accepted()).isEqualTo(3);
    worker.resume();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactlyInAnyOrder("first", "a", "b");
  }

  @Test
  @Tag("K6")
  void anEndThatIsFencedOffChangesNothingAndItsNeighboursEnd() throws Exception {
    // Its stop would wait for "b", which the store believes to run.
    Worker<String> worker =
        Worker.<String>builder("fenced")
            .concurrency(2)
            .capacity(10)
            .cleanup(Duration.ofMillis(50))
            .backlog(JdbcBacklog.sqlite(file(), Codec.text()).observed(clock::get, outage))
            .start(staying);
    workers.add(worker);
    submit(worker, "a", "b");
    entered.acquire(2);
    try (StoreAudit other = StoreAudit.of(file())) {
      other.execute("UPDATE job SET token = token + 1000 WHERE id = 'b'");
    }
    outage.hang();
    FutureTask<Admission> hanging = offering(worker, "d", "x");
    release.release(2);
    outage.letGo();
    assertThat(hanging.get()).isEqualTo(Admission.accepted());
    eventually(() -> worker.report().completed() >= 1);
    assertThat(worker.outcome("a")).contains(new Outcome.Completed("a", 1));
    assertThat(worker.outcome("b")).isEmpty();
    assertThat(worker.report().running()).as("whoever has the token now ends it").isPositive();
  }

  @Test
  @Tag("K2")
  void anErrorOfACodecIsItsSubmittersOrItsJobsAndNobodyElses() throws Exception {
    Codec<String> codec =
        new Codec<>() {
          @Override
          public byte[] encode(String payload) {
            if (payload.equals("cannot be written")) {
              throw new StackOverflowError(payload);
            }
            return Codec.text().encode(payload);
          }

          @Override
          public String decode(byte[] bytes) {
            String text = Codec.text().decode(bytes);
            if (text.equals("cannot be read")) {
              throw new NoClassDefFoundError(text);
            }
            return text;
          }
        };
    Worker<String> worker =
        start(JdbcBacklog.sqlite(file(), codec), (job, context) -> done.add(job.id()));
    assertThatThrownBy(() -> worker.offer(Job.of("a", "cannot be written")))
        .isInstanceOf(StackOverflowError.class);
    assertThat(worker.offer(Job.of("b", "cannot be read"))).isEqualTo(Admission.accepted());
    submit(worker, "c");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("c");
    assertThat(worker.outcome("a")).isEmpty();
    assertThat(worker.outcome("b").orElseThrow()).isInstanceOf(Outcome.Failed.class);
  }
}
