package io.headgate.benchmarks.memory;

import java.util.List;

/**
 * The measurements that this study repeats, as they were published: median bytes traced by
 * tracemalloc after 1,000 failures with 100 outcomes kept, CPython 3.13.7, 64-bit Windows 11.
 *
 * @param current with the stopped worker and its report alive
 * @param peak the most at any time
 */
record Seed(int width, int cap, long current, long peak) {

  static final String ENVIRONMENT = "CPython 3.13.7, 64-bit Windows 11, another machine";

  static final List<Seed> TABLE =
      List.of(
          new Seed(4_096, Case.ALL, 468_626, 487_860),
          new Seed(4_096, 128, 71_826, 91_060),
          new Seed(4_096, 0, 54_926, 74_160),
          new Seed(128, 128, 71_826, 80_007));

  Case matching() {
    return new Case(width, cap, 100);
  }
}
