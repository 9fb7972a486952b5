package io.headgate.cli;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes the report, and notices when it cannot. */
final class ReportFile {
  private ReportFile() {}

  /**
   * Finds out early whether the report can be written. A file that does not exist is made; what is
   * there is left as it is. A pipe or a device is not touched: opening it may wait or do something.
   *
   * @throws IOException if it cannot
   */
  static void probe(String name) throws IOException {
    File file = new File(name);
    if (!file.exists() || file.isFile() || file.isDirectory()) {
      new FileOutputStream(file, true).close();
    }
  }

  /**
   * Replaces the file's content.
   *
   * @throws IOException if not all of it could be written
   */
  static void write(String name, String json) throws IOException {
    try (FileOutputStream file = new FileOutputStream(name)) {
      file.write((json + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
