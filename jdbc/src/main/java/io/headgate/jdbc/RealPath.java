package io.headgate.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The one path of a store's file, whatever links lead to it: its log and the note of its owner lie
 * beside the file, not beside a link. Two hard links to a file stay two files here.
 */
final class RealPath {

  private static final int MOST_LINKS = 40;

  private RealPath() {}

  /** The path without links, also of a file that is not there yet. Never throws. */
  static Path of(Path file) {
    Path path = file.toAbsolutePath();
    try {
      // A link to a file that is not there yet: SQLite makes it where the link leads.
      for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(path); i++) {
        path = path.resolveSibling(Files.readSymbolicLink(path));
      }
      Path name = path.getFileName();
      if (Files.exists(path) || name == null) {
        return path.toRealPath();
      }
      return path.resolveSibling("").toRealPath().resolve(name);
    } catch (IOException e) {
      return path; // whoever opens it says what is wrong with it
    }
  }
}
