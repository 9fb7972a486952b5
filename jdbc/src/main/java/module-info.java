/** Durable backlogs for the workers of {@code io.headgate}, over any driver of JDBC it knows. */
module io.headgate.jdbc {
  requires transitive io.headgate;
  requires transitive java.sql;
  requires static org.jspecify;
  requires static com.google.errorprone.annotations;

  exports io.headgate.jdbc;
}
