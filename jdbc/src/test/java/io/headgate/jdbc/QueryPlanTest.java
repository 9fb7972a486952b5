package io.headgate.jdbc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Criticality;
import io.headgate.Job;
import io.headgate.WhenFull;
import io.headgate.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No statement of a worker looks at every unfinished job, or at every id. */
class QueryPlanTest extends StoreFixture {

  private static final Pattern DATA = Pattern.compile("^(SELECT|UPDATE|DELETE|INSERT) .*");
  private static final Pattern SCAN = Pattern.compile("^SCAN (job|job_id)\\b.*");

  private final Set<String> statements = new ConcurrentSkipListSet<>();

  /** SQLite, which takes note of every statement that is prepared. */
  private final class Noting extends ForwardingDialect {
    Noting() {
      super(new SqliteDialect(file()));
    }

    @Override
    public Connection openWriter() throws SQLException {
      return noting(super.openWriter());
    }

    @Override
    public Connection openReader() throws SQLException {
      return noting(super.openReader());
    }

    private Connection noting(Connection connection) {
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("prepareStatement")) {
                  statements.add((String) arguments[0]);
                }
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  @Test
  @Tag("K1")
  void noStatementScansTheJobsOrTheIds() throws Exception {
    Worker<String> worker =
        start(
            store().dialect(new Noting()),
            staying,
            builder -> builder.whenFull(WhenFull.shedOldest()));
    submit(worker, "a", "b");
    entered.acquire(2);
    assertThat(worker.offer(Job.of("later", "x").delay(Duration.ofHours(1))))
        .isEqualTo(Admission.accepted());
    worker.setCapacity(2);
    for (int i = 0; i < 4; i++) {
      worker.offer(Job.of("sheddable-" + i, "x").criticality(Criticality.SHEDDABLE));
    }
    worker.outcome("a");
    worker.cancel("nobody");
    release.release(10);
    clock.addAndGet(Duration.ofHours(2).toNanos());
    assertThat(worker.awaitIdle(LONG)).isTrue();
    worker.drain(LONG);

    List<String> faults = new ArrayList<>();
    try (Connection connection = new SqliteDialect(file()).openReader();
        Statement explain = connection.createStatement()) {
      for (String sql : statements) {
        if (DATA.matcher(sql).matches()) {
          faults.addAll(scans(explain, sql));
        }
      }
    }
    assertThat(statements).anyMatch(sql -> sql.contains("state = 4 ORDER BY"));
    assertThat(statements).anyMatch(sql -> sql.startsWith("INSERT INTO job (seq, id"));
    assertThat(faults).isEmpty();
  }

  private static List<String> scans(Statement explain, String sql) throws SQLException {
    List<String> scans = new ArrayList<>();
    try (ResultSet step = explain.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      while (step.next()) {
        String detail = step.getString("detail");
        if (SCAN.matcher(detail).matches()) {
          scans.add(detail + " by " + sql);
        }
      }
    }
    return scans;
  }

  @Test
  @Tag("K1")
  void theOldestOfTheLeastCriticalIsFoundByTheirIndex() throws Exception {
    try (Connection connection = new SqliteDialect(file()).openWriter()) {
      new Schema(new SqliteDialect(file()), Signals.NONE).migrate(connection);
      try (JobTable jobs = new JobTable(connection)) {
        int[] levels = {0, 1, 3, 2, 1, 3};
        for (int i = 0; i < levels.length; i++) {
          jobs.insert(
              i + 1, new NewJob("job-" + i, levels[i], 0, JobRow.NEVER, JobRow.NEVER, new byte[0]));
        }
        assertThat(seq(jobs.oldestFromLevel(0, 0))).isEqualTo(1);
        assertThat(seq(jobs.oldestFromLevel(0, 1))).isEqualTo(2);
        assertThat(seq(jobs.oldestFromLevel(0, 2))).isEqualTo(3);
        assertThat(seq(jobs.oldestFromLevel(0, 3))).isEqualTo(3);
        jobs.remove(3);
        assertThat(seq(jobs.oldestFromLevel(0, 2))).isEqualTo(4);
        assertThat(seq(jobs.oldestFromLevel(0, 3))).isEqualTo(6);
        jobs.remove(4);
        assertThat(seq(jobs.oldestFromLevel(0, 2))).isEqualTo(6);
        jobs.remove(6);
        assertThat(jobs.oldestFromLevel(0, 2)).isNull();
        assertThat(jobs.oldestFromLevel(0, 3)).isNull();
      }
    }
  }

  private static long seq(@Nullable JobRow row) {
    return requireNonNull(row).seq();
  }
}
