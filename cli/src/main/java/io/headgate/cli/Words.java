package io.headgate.cli;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of the words of a command line. */
final class Words {
  private Words() {}

  /**
   * The bytes of the last words of this process's command line.
   *
   * <p>Java has decoded them with the charset of the locale, which loses what that charset does not
   * know: in the POSIX locale everything but ASCII. Where the system shows the raw command line
   * (Linux), the bytes come from there.
   */
  static List<byte[]> bytesOf(List<String> words) {
    for (String word : words) {
      if (!isAscii(word)) {
        return rawOrEncoded(words);
      }
    }
    List<byte[]> bytes = new ArrayList<>(words.size());
    for (String word : words) {
      bytes.add(word.getBytes(StandardCharsets.US_ASCII));
    }
    return bytes;
  }

  private static boolean isAscii(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static List<byte[]> rawOrEncoded(List<String> words) {
    Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    List<byte[]> raw;
    try {
      raw = lastWords(Files.readAllBytes(Path.of("/proc/self/cmdline")), words.size());
    } catch (IOException e) {
      raw = List.of();
    }
    if (matches(raw, words, charset)) {
      return raw;
    }
    List<byte[]> encoded = new ArrayList<>(words.size());
    for (String word : words) {
      encoded.add(word.getBytes(charset));
    }
    return encoded;
  }

  /**
   * The last {@code count} of the words that each end with a zero byte; fewer if there are fewer.
   */
  static List<byte[]> lastWords(byte[] commandLine, int count) {
    List<byte[]> all = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] == 0) {
        all.add(Arrays.copyOfRange(commandLine, from, i));
        from = i + 1;
      }
    }
    return all.subList(Math.max(0, all.size() - count), all.size());
  }

  // Run inside another program (a test), the raw line is not ours.
  private static boolean matches(List<byte[]> raw, List<String> words, Charset charset) {
    if (raw.size() != words.size()) {
      return false;
    }
    for (int i = 0; i < raw.size(); i++) {
      if (!new String(raw.get(i), charset).equals(words.get(i))) {
        return false;
      }
    }
    return true;
  }
}
