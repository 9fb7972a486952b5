package io.headgate.benchmarks.guard;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The retained bytes that were recorded; whoever changes them on purpose changes the file too. */
final class Baseline {

  static final String FILE = "benchmarks/retained.properties";

  private final Properties recorded = new Properties();

  Baseline(Path root) throws IOException {
    try (Reader reader = Files.newBufferedReader(root.resolve(FILE))) {
      recorded.load(reader);
    }
  }

  /**
   * What was recorded.
   *
   * @throws IllegalStateException if nothing was
   */
  double bytes(String name) {
    String value = recorded.getProperty(name);
    if (value == null) {
      throw new IllegalStateException(FILE + " has no " + name);
    }
    return Double.parseDouble(value);
  }
}
