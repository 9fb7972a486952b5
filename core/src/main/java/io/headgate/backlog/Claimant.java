package io.headgate.backlog;

/**
 * One who asks a backlog for jobs, one at a time. A backlog calls these methods outside its lock,
 * from any thread; none of them may block.
 */
public interface Claimant {

  /** A job may be ready: call {@link Backlog#claim} once. Called once for each time it was idle. */
  void wake();

  /** There is nothing to do any more: the claimant is forgotten and must not ask again. */
  void dismiss();

  /** The job that this claimant holds was cancelled by its id: tell its handler to stop. */
  void cancelClaimed();
}
