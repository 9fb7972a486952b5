package io.headgate.benchmarks.core;

/**
 * One way of running jobs, as the benchmarks drive it: a blocking submit, and a body that every
 * engine calls once for each job.
 */
public interface Engine {

  /** The outcomes that an engine with a history remembers. */
  int HISTORY = 100;

  /** Submits one job, waiting for room. */
  void submit(Work work) throws Exception;

  /**
   * Stops.
   *
   * @param submitted how many jobs it was given
   * @throws IllegalStateException unless it ran every one of them
   */
  void finish(long submitted) throws Exception;

  /** What a job does. */
  @FunctionalInterface
  interface Body {
    /** Called by the engine's own thread. */
    void run(Work work);
  }

  /**
   * The room that an engine is built with.
   *
   * @param workers jobs that run at once
   * @param capacity jobs that wait
   */
  record Shape(int workers, int capacity) {}
}
