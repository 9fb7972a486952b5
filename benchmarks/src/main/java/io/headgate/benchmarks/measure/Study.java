package io.headgate.benchmarks.measure;

/** One sub-command of {@code ./bench}. */
@FunctionalInterface
public interface Study {

  /** Measures. Takes minutes; everything it starts has ended when it returns. */
  Findings run(Setting setting) throws Exception;
}
