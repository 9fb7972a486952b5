package io.headgate.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes the words of a command as a line that a shell reads back as the same words: plain where it
 * can, else in quotes; words with control characters as bash, zsh and ksh read them, in {@code
 * $'...'}. The line has no newline, tab or other control character in it.
 */
final class ShellWords {
  private static final String PLAIN = "%+,-./:=@_";

  private ShellWords() {}

  static byte[] quote(List<byte[]> words) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(64);
    for (byte[] word : words) {
      if (line.size() > 0) {
        line.write(' ');
      }
      quote(word, line);
    }
    return line.toByteArray();
  }

  private static void quote(byte[] word, ByteArrayOutputStream line) {
    boolean plain = word.length > 0;
    boolean control = false;
    for (byte b : word) {
      plain &= isPlain(b);
      control |= isControl(b);
    }
    if (plain) {
      line.writeBytes(word);
    } else if (control) {
      quoteControl(word, line);
    } else {
      line.write('\'');
      for (byte b : word) {
        if (b == '\'') {
          line.writeBytes("'\\''".getBytes(StandardCharsets.US_ASCII));
        } else {
          line.write(b);
        }
      }
      line.write('\'');
    }
  }

  private static void quoteControl(byte[] word, ByteArrayOutputStream line) {
    line.write('$');
    line.write('\'');
    for (byte b : word) {
      if (b == '\n') {
        line.write('\\');
        line.write('n');
      } else if (b == '\t') {
        line.write('\\');
        line.write('t');
      } else if (isControl(b)) {
        line.write('\\');
        line.write('x');
        line.writeBytes(HexFormat.of().toHexDigits(b).getBytes(StandardCharsets.US_ASCII));
      } else {
        if (b == '\'' || b == '\\') {
          line.write('\\');
        }
        line.write(b);
      }
    }
    line.write('\'');
  }

  private static boolean isPlain(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || PLAIN.indexOf(b) >= 0;
  }

  private static boolean isControl(byte b) {
    return (b >= 0 && b < 0x20) || b == 0x7f;
  }
}
