package io.headgate.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes items of lines, so many lines each; the last may have fewer. A line that is too long is an
 * item of its own, in its place. One thread.
 */
final class ItemReader {
  private final LineReader lines;
  private final int perItem;

  // A line that was too long, read while an item was being made.
  private @Nullable Item tooLong;
  private long positions;

  ItemReader(LineReader lines, int perItem) {
    this.lines = lines;
    this.perItem = perItem;
  }

  /**
   * The next item; {@code null} at the end of the input and after the reader was stopped. Lines of
   * an item that a stop left incomplete count as not read.
   *
   * @throws IOException if the input cannot be read
   */
  @Nullable Item next() throws IOException {
    Item waiting = tooLong;
    if (waiting != null) {
      tooLong = null;
      return waiting;
    }
    List<Line> some = new ArrayList<>(Math.min(perItem, 64));
    long position = 0;
    while (some.size() < perItem) {
      Line line = lines.next();
      if (line == null) {
        break;
      }
      if (position == 0 || line.isCut()) {
        positions++;
      }
      if (!line.isCut()) {
        position = position == 0 ? positions : position;
        some.add(line);
      } else if (some.isEmpty()) {
        return new Item(positions, List.of(line));
      } else {
        // Only one is kept back: the item goes out now, shorter than the others.
        tooLong = new Item(positions, List.of(line));
        break;
      }
    }
    if (some.isEmpty() || (some.size() < perItem && tooLong == null && !lines.endReached())) {
      return null;
    }
    return new Item(position, some);
  }

  /** The item that was read but not given out, if there is one. */
  @Nullable Item heldBack() {
    return tooLong;
  }

  /** Items given out so far, with the one that is kept back. */
  long positions() {
    return positions;
  }
}
