package io.headgate;

import java.time.Duration;
import java.util.List;

/** Everybody who wants to know what happens in a worker. Called outside the lock, never blocks. */
final class Observers {

  /** Java Flight Recorder is a module of its own, which a trimmed run-time image may lack. */
  private static final boolean FLIGHT_RECORDER = isPresent("jdk.jfr.Event");

  private final String worker;
  private final Dispatcher dispatcher;
  private final boolean listened;
  private final int maxJobIdBytes;

  Observers(String worker, int maxJobIdBytes, List<WorkerListener> listeners) {
    this.worker = worker;
    this.maxJobIdBytes = maxJobIdBytes;
    this.dispatcher = new Dispatcher(worker, listeners);
    this.listened = dispatcher.hasListeners();
  }

  private static boolean isPresent(String className) {
    try {
      Class.forName(className, false, Observers.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  void accepted(Job<?> job) {
    if (listened) {
      dispatcher.emit(new WorkerEvent.Accepted(job.id()));
    }
    if (FLIGHT_RECORDER) {
      FlightRecorder.accepted(worker, job.id());
    }
  }

  /** The id of a refused job was never checked; no more of it is kept than of an accepted one. */
  void refused(Job<?> job, Reason reason) {
    if (listened) {
      dispatcher.emit(
          new WorkerEvent.Refused(ErrorCapture.prefix(job.id(), maxJobIdBytes), reason));
    }
    if (FLIGHT_RECORDER) {
      FlightRecorder.refused(worker, job.id(), reason, maxJobIdBytes);
    }
  }

  void started(Job<?> job, int attempt) {
    if (listened) {
      dispatcher.emit(new WorkerEvent.Started(job.id(), attempt));
    }
    if (FLIGHT_RECORDER) {
      FlightRecorder.started(worker, job.id(), attempt);
    }
  }

  /** An attempt failed, and the job is suspended until another. */
  void suspended(Job<?> job, int attempt, Duration backoff) {
    if (listened) {
      dispatcher.emit(new WorkerEvent.Suspended(job.id(), attempt, backoff));
    }
    if (FLIGHT_RECORDER) {
      FlightRecorder.suspended(worker, job.id(), attempt, backoff);
    }
  }

  /** Whether an outcome must be made for {@link #ended}, though nobody tracks the job. */
  boolean watchEnds() {
    return listened || (FLIGHT_RECORDER && FlightRecorder.recordsEnds());
  }

  /**
   * A job ended by its handler. Its submitter, if it tracks the job, is told by this very thread.
   */
  void ended(Job<?> job, Outcome outcome) {
    tellEnd(outcome);
    if (job instanceof TrackedJob<?> tracked) {
      tracked.outcome().complete(outcome);
    }
  }

  /**
   * A job ended while no handler had it. That is the doing of a producer, a canceller, a stop or
   * the timekeeper, none of which may be held up by what depends on the outcome.
   */
  void endedAside(Job<?> job, Outcome outcome) {
    tellEnd(outcome);
    if (job instanceof TrackedJob<?> tracked) {
      dispatcher.run(() -> tracked.outcome().complete(outcome));
    }
  }

  private void tellEnd(Outcome outcome) {
    if (listened) {
      dispatcher.emit(new WorkerEvent.Ended(outcome));
    }
    if (FLIGHT_RECORDER) {
      FlightRecorder.ended(worker, outcome);
    }
  }

  void stateChanged(WorkerState state) {
    if (listened) {
      dispatcher.emit(new WorkerEvent.StateChanged(state));
    }
    if (FLIGHT_RECORDER) {
      FlightRecorder.stateChanged(worker, state);
    }
  }

  /** Runs foreign code on the dispatcher's thread. */
  void runAside(Runnable action) {
    dispatcher.run(action);
  }

  long eventsDropped() {
    return dispatcher.dropped();
  }

  void close() {
    dispatcher.close();
  }
}
