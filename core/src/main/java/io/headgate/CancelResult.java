package io.headgate;

/** What {@link Worker#cancel} found. */
public enum CancelResult {
  /** The job was waiting; it has ended as unstarted. */
  UNSTARTED,
  /** The job is running and was told to stop; how it ends is the handler's answer. */
  SIGNALLED,
  /** The job has an outcome: it had one already, or was between two attempts and failed by this. */
  ENDED,
  /** No such id is waiting, running or remembered. A producer that waits has submitted nothing. */
  UNKNOWN
}
