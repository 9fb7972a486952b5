package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The argument vector of a command in native memory, filled anew for each line. Words without a
 * placeholder are written once. One thread at a time.
 */
final class Arguments {
  private static final long FIRST_BYTES = 512;

  private final CommandTemplate template;
  private final MemorySegment vector;
  // Left to the collector: it grows seldom, and closing shared memory stops all threads. Its
  // address
  // is used only while this object is in use.
  private MemorySegment text = Arena.ofAuto().allocate(FIRST_BYTES);

  Arguments(CommandTemplate template) {
    this.template = template;
    Arena arena = Arena.global();
    vector = arena.allocate(JAVA_LONG, template.size() + 1L);
    for (int i = 0; i < template.size(); i++) {
      List<byte[]> pieces = template.pieces(i);
      if (pieces.size() == 1) {
        byte[] word = pieces.get(0);
        MemorySegment fixed = arena.allocate(word.length + 1L);
        MemorySegment.copy(word, 0, fixed, JAVA_BYTE, 0, word.length);
        vector.setAtIndex(JAVA_LONG, i, fixed.address());
      }
    }
  }

  /** Writes the words for a line, without a zero byte in it, and answers the vector's address. */
  long fill(byte[] line) {
    long needed = 0;
    for (int i = 0; i < template.size(); i++) {
      needed += length(template.pieces(i), line);
    }
    if (needed > text.byteSize()) {
      text = Arena.ofAuto().allocate(Math.max(needed, 2 * text.byteSize()));
    }
    long at = 0;
    for (int i = 0; i < template.size(); i++) {
      List<byte[]> pieces = template.pieces(i);
      if (pieces.size() > 1) {
        vector.setAtIndex(JAVA_LONG, i, text.address() + at);
        at = write(pieces, line, at);
      }
    }
    return vector.address();
  }

  /** The address of the program's name in the last filled vector. */
  long name() {
    return vector.getAtIndex(JAVA_LONG, 0);
  }

  private static long length(List<byte[]> pieces, byte[] line) {
    if (pieces.size() == 1) {
      return 0;
    }
    long length = (long) line.length * (pieces.size() - 1) + 1;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    return length;
  }

  private long write(List<byte[]> pieces, byte[] line, long from) {
    long at = copy(pieces.get(0), from);
    for (int i = 1; i < pieces.size(); i++) {
      at = copy(line, at);
      at = copy(pieces.get(i), at);
    }
    text.set(JAVA_BYTE, at, (byte) 0);
    return at + 1;
  }

  private long copy(byte[] bytes, long at) {
    MemorySegment.copy(bytes, 0, text, JAVA_BYTE, at, bytes.length);
    return at + bytes.length;
  }
}
