package io.headgate.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command whose words may hold {@linkplain Placeholder placeholders} for the input.
 *
 * <p>Every placeholder of every word, the command's name included, is replaced by exact bytes; if
 * there is none, the line becomes a last argument. A word that is nothing but a placeholder for the
 * line becomes one word for each line of an item. No shell sees the line. Immutable.
 */
final class CommandTemplate {
  static final String LINE_TOKEN = "{}";

  /**
   * A piece of a word: fixed bytes, or a placeholder.
   *
   * @param bytes the fixed bytes; empty for a placeholder
   * @param placeholder what is replaced, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Piece(byte[] bytes, @Nullable Placeholder placeholder) {
    private static Piece fixed(byte[] bytes) {
      return new Piece(bytes, null);
    }

    private static Piece of(Placeholder placeholder) {
      return new Piece(new byte[0], placeholder);
    }
  }

  private final List<List<Piece>> words;
  private final byte[] name;

  /** A command whose line is told by {@code {}}. */
  CommandTemplate(List<byte[]> command) {
    this(command, LINE_TOKEN);
  }

  /**
   * @param command the words, the first of which names the program; not empty
   * @param lineToken what stands for the line in the place of {@code {}}
   */
  CommandTemplate(List<byte[]> command, String lineToken) {
    byte[] token = lineToken.getBytes(StandardCharsets.UTF_8);
    words = new ArrayList<>(command.size() + 1);
    boolean found = false;
    for (byte[] word : command) {
      List<Piece> pieces = split(word, token);
      words.add(pieces);
      found |= !isFixed(pieces);
    }
    if (!found) {
      words.add(List.of(Piece.of(Placeholder.LINE)));
    }
    name = command.get(0);
  }

  private static List<Piece> split(byte[] word, byte[] lineToken) {
    List<Piece> pieces = new ArrayList<>(1);
    int from = 0;
    int at = 0;
    while (at < word.length) {
      Placeholder placeholder = at(word, at, lineToken);
      if (placeholder == null) {
        at++;
        continue;
      }
      if (at > from) {
        pieces.add(Piece.fixed(Arrays.copyOfRange(word, from, at)));
      }
      pieces.add(Piece.of(placeholder));
      at += placeholder == Placeholder.LINE ? lineToken.length : placeholder.token().length;
      from = at;
    }
    if (pieces.isEmpty() || from < word.length) {
      pieces.add(Piece.fixed(Arrays.copyOfRange(word, from, word.length)));
    }
    return pieces;
  }

  private static @Nullable Placeholder at(byte[] word, int at, byte[] lineToken) {
    for (Placeholder placeholder : Placeholder.values()) {
      byte[] token = placeholder == Placeholder.LINE ? lineToken : placeholder.token();
      if (Arrays.mismatch(
              word, at, Math.min(word.length, at + token.length), token, 0, token.length)
          < 0) {
        return placeholder;
      }
    }
    return null;
  }

  /** Whether a placeholder for the line is only a part of a word, so that one line alone fits. */
  static boolean mixesLineWithText(String word, String lineToken) {
    List<Piece> pieces =
        split(word.getBytes(StandardCharsets.UTF_8), lineToken.getBytes(StandardCharsets.UTF_8));
    return pieces.size() > 1 && pieces.stream().anyMatch(CommandTemplate::standsForLine);
  }

  private static boolean standsForLine(Piece piece) {
    return piece.placeholder() != null && piece.placeholder() != Placeholder.POSITION;
  }

  /** How many words the template has; a command may have more, for items of several lines. */
  int size() {
    return words.size();
  }

  /** The pieces of a word; at least one. */
  List<Piece> pieces(int word) {
    return words.get(word);
  }

  /** Whether a word is the same in every command. */
  boolean isFixed(int word) {
    return isFixed(words.get(word));
  }

  /** Whether a word becomes one word for each line of an item. */
  boolean isRepeated(int word) {
    List<Piece> pieces = words.get(word);
    return pieces.size() == 1 && standsForLine(pieces.get(0));
  }

  private static boolean isFixed(List<Piece> pieces) {
    return pieces.size() == 1 && pieces.get(0).placeholder() == null;
  }

  /** The words of the command for an item. */
  List<byte[]> words(Item item) {
    List<byte[]> result = new ArrayList<>(words.size() + item.lines().size());
    for (int i = 0; i < words.size(); i++) {
      int times = isRepeated(i) ? item.lines().size() : 1;
      for (int line = 0; line < times; line++) {
        result.add(word(i, item, item.lines().get(line).bytes()));
      }
    }
    return result;
  }

  private byte[] word(int index, Item item, byte[] line) {
    List<Piece> pieces = words.get(index);
    if (isFixed(pieces)) {
      return pieces.get(0).bytes();
    }
    byte[][] parts = new byte[pieces.size()][];
    int length = 0;
    for (int i = 0; i < parts.length; i++) {
      Placeholder placeholder = pieces.get(i).placeholder();
      parts[i] = placeholder == null ? pieces.get(i).bytes() : placeholder.of(item, line);
      length += parts[i].length;
    }
    byte[] word = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, word, at, part.length);
      at += part.length;
    }
    return word;
  }

  /** Whether every item runs the same program. */
  boolean hasFixedName() {
    return isFixed(0);
  }

  /** The program's name as it was given. */
  byte[] name() {
    return name;
  }
}
