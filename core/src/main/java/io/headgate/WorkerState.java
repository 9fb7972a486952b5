package io.headgate;

/** The life of a worker. It only moves forward. */
public enum WorkerState {
  /** Admission is open. */
  OPEN,
  /** Admission has stopped; accepted jobs go on to be started and finished. */
  DRAINING,
  /** What waited was given up, what runs was told to stop and is awaited. */
  CANCELLING,
  /** The stop is over and its report is final. */
  STOPPED
}
