package io.headgate.cli;

import java.util.ArrayList;
import java.util.List;

/** Items for tests. */
final class Items {
  private Items() {}

  /** The first item of an input, with these lines. */
  static Item of(byte[]... lines) {
    return at(1, lines);
  }

  /** An item with these lines; the first line's number is the position. */
  static Item at(long position, byte[]... lines) {
    List<Line> list = new ArrayList<>();
    for (byte[] line : lines) {
      long hash = ContentHash.finish(ContentHash.add(ContentHash.EMPTY, line, 0, line.length));
      list.add(new Line(position + list.size(), line, line.length, hash));
    }
    return new Item(position, list);
  }
}
