package io.headgate.benchmarks.measure;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What every study is given.
 *
 * @param root the root of the repository
 * @param quick small doses: to see that everything works, not to learn figures
 * @param minutes how long a soak lasts
 * @param docs whether the page, its plots and its raw files are written too
 * @param trial starts the measured processes
 * @param progress takes lines for whoever waits
 */
public record Setting(
    Path root, boolean quick, int minutes, boolean docs, Trial trial, Consumer<String> progress) {

  /** Where results are written, below the root. */
  public static final String RESULTS = "benchmarks/results";

  /** Where raw files and plots go that the page shows, below the root. */
  public static final String SHOWN = "docs/benchmarks";

  /** One of the two, by the dose. */
  public <T> T dose(T whenQuick, T otherwise) {
    return quick ? whenQuick : otherwise;
  }
}
