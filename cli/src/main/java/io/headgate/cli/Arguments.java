package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The argument vector of a command in native memory, filled anew for each item. Words that are
 * always the same are written once. One thread at a time.
 */
final class Arguments {
  private static final long FIRST_BYTES = 512;

  private final CommandTemplate template;
  // The addresses of the words that are always the same.
  private final long[] fixed;
  // Both are left to the collector: they grow seldom, and closing shared memory stops all threads.
  // Their addresses are used only while this object is in use.
  private MemorySegment vector;
  private MemorySegment text = Arena.ofAuto().allocate(FIRST_BYTES);

  Arguments(CommandTemplate template) {
    this.template = template;
    Arena arena = Arena.global();
    fixed = new long[template.size()];
    for (int i = 0; i < fixed.length; i++) {
      if (template.isFixed(i)) {
        byte[] word = template.pieces(i).get(0).bytes();
        MemorySegment memory = arena.allocate(word.length + 1L);
        MemorySegment.copy(word, 0, memory, JAVA_BYTE, 0, word.length);
        fixed[i] = memory.address();
      }
    }
    vector = Arena.ofAuto().allocate(JAVA_LONG, fixed.length + 1L);
  }

  /** Writes the words for an item, without a zero byte in it, and answers the vector's address. */
  long fill(Item item) {
    List<byte[]> words = template.words(item);
    makeRoom(words);
    boolean sameCount = words.size() == fixed.length;
    long at = 0;
    int index = 0;
    for (byte[] word : words) {
      if (sameCount && fixed[index] != 0) {
        vector.setAtIndex(JAVA_LONG, index, fixed[index]);
      } else {
        vector.setAtIndex(JAVA_LONG, index, text.address() + at);
        MemorySegment.copy(word, 0, text, JAVA_BYTE, at, word.length);
        text.set(JAVA_BYTE, at + word.length, (byte) 0);
        at += word.length + 1;
      }
      index++;
    }
    vector.setAtIndex(JAVA_LONG, index, 0);
    return vector.address();
  }

  private void makeRoom(List<byte[]> words) {
    long bytes = 0;
    for (byte[] word : words) {
      bytes += word.length + 1L;
    }
    if (bytes > text.byteSize()) {
      text = Arena.ofAuto().allocate(Math.max(bytes, 2 * text.byteSize()));
    }
    long pointers = (words.size() + 1L) * JAVA_LONG.byteSize();
    if (pointers > vector.byteSize()) {
      vector = Arena.ofAuto().allocate(Math.max(pointers, 2 * vector.byteSize()), 8);
    }
  }

  /** The address of the program's name in the last filled vector. */
  long name() {
    return vector.getAtIndex(JAVA_LONG, 0);
  }
}
