package io.headgate;

import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The events of a worker for Java Flight Recorder. Loaded only where the JDK has it. While nothing
 * is recorded an event costs a field read, and until something first is, no event class is loaded:
 * they would be half of the start-up of a short command.
 */
final class FlightRecorder {

  private FlightRecorder() {}

  /** One instance of each kind answers whether that kind is recorded. */
  private static final class Kinds {
    static final Accepted ACCEPTED = new Accepted();
    static final Refused REFUSED = new Refused();
    static final Started STARTED = new Started();
    static final Suspended SUSPENDED = new Suspended();
    static final Ended ENDED = new Ended();
    static final StateChanged STATE_CHANGED = new StateChanged();
  }

  /** Whether anything was ever recorded in this process. */
  private static boolean isOn() {
    return jdk.jfr.FlightRecorder.isInitialized();
  }

  static boolean recordsEnds() {
    return isOn() && Kinds.ENDED.isEnabled();
  }

  static void accepted(String worker, String jobId) {
    if (isOn() && Kinds.ACCEPTED.isEnabled()) {
      Accepted event = new Accepted();
      event.worker = worker;
      event.jobId = jobId;
      event.commit();
    }
  }

  static void refused(String worker, String jobId, Reason reason, int maxIdChars) {
    if (isOn() && Kinds.REFUSED.isEnabled()) {
      Refused event = new Refused();
      event.worker = worker;
      event.jobId = ErrorCapture.prefix(jobId, maxIdChars);
      event.reason = reason.name();
      event.commit();
    }
  }

  static void started(String worker, String jobId, int attempt) {
    if (isOn() && Kinds.STARTED.isEnabled()) {
      Started event = new Started();
      event.worker = worker;
      event.jobId = jobId;
      event.attempt = attempt;
      event.commit();
    }
  }

  static void suspended(String worker, String jobId, int attempt, Duration backoff) {
    if (isOn() && Kinds.SUSPENDED.isEnabled()) {
      Suspended event = new Suspended();
      event.worker = worker;
      event.jobId = jobId;
      event.attempt = attempt;
      event.backoff = backoff.toNanos();
      event.commit();
    }
  }

  static void ended(String worker, Outcome outcome) {
    if (recordsEnds()) {
      Ended event = new Ended();
      event.worker = worker;
      event.jobId = outcome.jobId();
      event.attempts = outcome.attempts();
      event.outcome = ReportJson.kind(outcome);
      event.commit();
    }
  }

  static void stateChanged(String worker, WorkerState state) {
    if (isOn() && Kinds.STATE_CHANGED.isEnabled()) {
      StateChanged event = new StateChanged();
      event.worker = worker;
      event.state = state.name();
      event.commit();
    }
  }

  /** What all events share. */
  @Category("Headgate")
  @StackTrace(false)
  abstract static class WorkerJfrEvent extends Event {
    @Label("Worker")
    String worker = "";
  }

  /** A job was accepted. */
  @Name("io.headgate.Accepted")
  @Label("Job accepted")
  static final class Accepted extends WorkerJfrEvent {
    @Label("Job")
    String jobId = "";
  }

  /** A job was refused. */
  @Name("io.headgate.Refused")
  @Label("Job refused")
  static final class Refused extends WorkerJfrEvent {
    @Label("Job")
    String jobId = "";

    @Label("Reason")
    String reason = "";
  }

  /** A handler is about to be entered. */
  @Name("io.headgate.Started")
  @Label("Attempt started")
  static final class Started extends WorkerJfrEvent {
    @Label("Job")
    String jobId = "";

    @Label("Attempt")
    int attempt;
  }

  /** An attempt failed and another will follow. */
  @Name("io.headgate.Suspended")
  @Label("Job suspended")
  static final class Suspended extends WorkerJfrEvent {
    @Label("Job")
    String jobId = "";

    @Label("Attempt")
    int attempt;

    @Label("Back-off")
    @Timespan(Timespan.NANOSECONDS)
    long backoff;
  }

  /** A job has its outcome. */
  @Name("io.headgate.Ended")
  @Label("Job ended")
  static final class Ended extends WorkerJfrEvent {
    @Label("Job")
    String jobId = "";

    @Label("Outcome")
    String outcome = "";

    @Label("Attempts")
    int attempts;
  }

  /** The worker moved forward in its life. */
  @Name("io.headgate.StateChanged")
  @Label("Worker state changed")
  static final class StateChanged extends WorkerJfrEvent {
    @Label("State")
    String state = "";
  }
}
