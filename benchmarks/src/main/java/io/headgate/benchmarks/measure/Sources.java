package io.headgate.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Tells whether two runs measured the same code, commits aside. */
final class Sources {

  private static final List<String> MEASURED =
      List.of(
          "core/src/main",
          "jdbc/src/main",
          "cli/src/main",
          "benchmarks/src/main",
          "benchmarks/python");
  private static final int DIGITS = 12;

  private Sources() {}

  /** Over names and contents, in the order of the names. */
  static String hash(Path root) throws IOException {
    MessageDigest digest = sha256();
    for (String part : MEASURED) {
      Path folder = root.resolve(part);
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          if (file.toString().endsWith(".pyc")) {
            continue;
          }
          digest.update(root.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
          digest.update(Files.readAllBytes(file));
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
