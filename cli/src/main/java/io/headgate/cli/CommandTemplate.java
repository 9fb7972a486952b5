package io.headgate.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A command whose words may hold {@code {}}, which stands for a line of the input.
 *
 * <p>Every {@code {}} of every word, the command's name included, is replaced by the exact bytes of
 * the line; if there is none, the line becomes a last argument. No shell sees the line. Immutable.
 */
final class CommandTemplate {
  private final List<List<byte[]>> words;
  private final List<byte[]> whole;
  private final boolean fixedName;

  /**
   * @param command the words, the first of which names the program; not empty
   */
  CommandTemplate(List<byte[]> command) {
    words = new ArrayList<>(command.size() + 1);
    boolean found = false;
    for (byte[] word : command) {
      List<byte[]> pieces = split(word);
      words.add(pieces);
      found |= pieces.size() > 1;
    }
    fixedName = words.get(0).size() == 1;
    if (!found) {
      words.add(List.of(new byte[0], new byte[0]));
    }
    whole = List.copyOf(command);
  }

  private static List<byte[]> split(byte[] word) {
    List<byte[]> pieces = new ArrayList<>(1);
    int from = 0;
    for (int i = 0; i + 1 < word.length; i++) {
      if (word[i] == '{' && word[i + 1] == '}') {
        pieces.add(Arrays.copyOfRange(word, from, i));
        from = i + 2;
        i++;
      }
    }
    pieces.add(Arrays.copyOfRange(word, from, word.length));
    return pieces;
  }

  /** How many words a command of this template has. */
  int size() {
    return words.size();
  }

  /**
   * The parts of a word between its placeholders; one part means that it has none, and is always
   * the same.
   */
  List<byte[]> pieces(int word) {
    return words.get(word);
  }

  /** Whether every line runs the same program. */
  boolean hasFixedName() {
    return fixedName;
  }

  /** The program's name as it was given. */
  byte[] name() {
    return whole.get(0);
  }
}
