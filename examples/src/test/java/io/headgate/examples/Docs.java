package io.headgate.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The repository's pages and sources, as tests read them. */
final class Docs {

  /** The root, seen from the folder of this module, where the build runs its tests. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private Docs() {}

  static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve(name));
  }

  /** The blocks of {@code page} that are fenced as {@code language}. */
  static List<String> blocks(String page, String language) {
    return Pattern.compile("^```" + language + "\\R(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(page)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** The text with every run of white space as one blank: lines may be broken anywhere. */
  static String flat(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  static List<Path> sources(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
