package io.headgate.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A part of a page that a command writes, between two comments; all around it is left alone. */
public final class DocsSection {

  private final Path page;
  private final String begin;
  private final String end;

  /** The section of that name on a page. */
  public DocsSection(Path page, String name) {
    this.page = page;
    begin = "<!-- bench:" + name + " -->\n";
    end = "<!-- /bench:" + name + " -->\n";
  }

  /**
   * Writes the section anew.
   *
   * @throws IllegalStateException if the page has not exactly one such section
   */
  public void replace(String text) throws IOException {
    String old = Files.readString(page);
    int from = old.indexOf(begin);
    int to = old.indexOf(end);
    if (from < 0
        || to < from
        || old.indexOf(begin, from + 1) >= 0
        || old.indexOf(end, to + 1) >= 0) {
      throw new IllegalStateException(
          page + " must have one " + begin.strip() + " and after it one " + end.strip());
    }
    String kept = old.substring(0, from + begin.length());
    Files.writeString(page, kept + "\n" + text.strip() + "\n\n" + old.substring(to));
  }
}
