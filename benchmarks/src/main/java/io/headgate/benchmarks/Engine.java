package io.headgate.benchmarks;

/**
 * One way of running jobs at W = 2 behind a room of Q = 1,024, as the benchmarks drive it: a
 * blocking submit in a closed loop. The job itself does nothing, so that only the machinery is
 * measured.
 */
interface Engine {

  int WORKERS = 2;
  int CAPACITY = 1_024;
  int HISTORY = 100;

  /** Submits one job, waiting for room. */
  void submit(String id) throws Exception;

  /** Stops, and throws unless every submitted job was done. */
  void finish() throws Exception;
}
