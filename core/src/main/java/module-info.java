/**
 * The Headgate library: a bounded job worker that accounts for every job it accepted.
 *
 * <p>It needs no other module at run time; the static ones are annotations, and parts of the JDK
 * that it does without where they are absent.
 */
module io.headgate {
  requires static org.jspecify;
  requires static com.google.errorprone.annotations;
  requires static java.management;
  requires static jdk.jfr;
  requires static jdk.unsupported;

  exports io.headgate;
  exports io.headgate.backlog;
  exports io.headgate.downstream;
  exports io.headgate.lifecycle;
  exports io.headgate.limit;
  exports io.headgate.queue;
  exports io.headgate.retry;
  exports io.headgate.testing;
  exports io.headgate.time;
}
