package io.headgate.cli;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a word of a command may hold in the place of a line, with the meaning of GNU parallel. */
enum Placeholder {
  /** The line. */
  LINE("{}") {
    @Override
    byte[] of(Item item, byte[] line) {
      return line;
    }
  },

  /** The line without the extension of its last part. */
  WITHOUT_EXTENSION("{.}") {
    @Override
    byte[] of(Item item, byte[] line) {
      return withoutExtension(line);
    }
  },

  /** What follows the last slash of the line. */
  BASE_NAME("{/}") {
    @Override
    byte[] of(Item item, byte[] line) {
      return baseName(line);
    }
  },

  /** What precedes the last slash of the line; {@code .} where it has none. */
  DIRECTORY("{//}") {
    @Override
    byte[] of(Item item, byte[] line) {
      return directory(line);
    }
  },

  /** The last part of the line, without its extension. */
  BASE_NAME_WITHOUT_EXTENSION("{/.}") {
    @Override
    byte[] of(Item item, byte[] line) {
      return withoutExtension(baseName(line));
    }
  },

  /** The position of the item. It does not stand for the line. */
  POSITION("{#}") {
    @Override
    byte[] of(Item item, byte[] line) {
      return Long.toString(item.position()).getBytes(StandardCharsets.US_ASCII);
    }
  };

  private final String token;

  Placeholder(String token) {
    this.token = token;
  }

  /** The bytes that stand for it in a word. */
  byte[] token() {
    return token.getBytes(StandardCharsets.US_ASCII);
  }

  /** What it becomes for a line of an item. */
  abstract byte[] of(Item item, byte[] line);

  private static int lastSlash(byte[] line) {
    int at = line.length - 1;
    while (at >= 0 && line[at] != '/') {
      at--;
    }
    return at;
  }

  private static byte[] baseName(byte[] line) {
    return Arrays.copyOfRange(line, lastSlash(line) + 1, line.length);
  }

  private static byte[] withoutExtension(byte[] line) {
    for (int at = line.length - 1; at >= 0 && line[at] != '/'; at--) {
      if (line[at] == '.') {
        // A dot at the very end begins an empty extension, as for GNU parallel.
        return Arrays.copyOf(line, at);
      }
    }
    return line;
  }

  private static byte[] directory(byte[] line) {
    int end = line.length;
    while (end > 1 && line[end - 1] == '/') {
      end--;
    }
    int slash = lastSlash(Arrays.copyOf(line, end));
    if (slash < 0) {
      return new byte[] {'.'};
    }
    while (slash > 0 && line[slash - 1] == '/') {
      slash--;
    }
    return Arrays.copyOf(line, Math.max(slash, 1));
  }
}
