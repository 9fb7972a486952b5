package io.headgate.benchmarks.core;

/**
 * One job as the caller has it: made before anything is measured, so that no engine pays for it.
 *
 * @param index its place in the pool
 */
public record Work(String id, int index) {

  /** So many, with ids that differ. */
  public static Work[] pool(int size) {
    Work[] pool = new Work[size];
    for (int i = 0; i < size; i++) {
      pool[i] = new Work("job-" + i, i);
    }
    return pool;
  }
}
