package io.headgate.cli;

import java.util.List;

/**
 * What one job of a run is about: one line of the input, or with {@code -n} several.
 *
 * <p>Immutable but for the {@link Execution}, which the thread that runs the command fills.
 */
final class Item {
  private final long position;
  private final List<Line> lines;
  private final long length;
  private final long hash;
  private final Execution execution = new Execution();

  /**
   * @param position its place among the items of the input, from 1
   * @param lines its lines, at least one; a line that was cut is alone
   */
  Item(long position, List<Line> lines) {
    this.position = position;
    this.lines = lines;
    long sum = 0;
    long state = ContentHash.EMPTY;
    for (Line line : lines) {
      sum += line.length();
      state = ContentHash.add(state, line.hash());
    }
    length = sum;
    hash = lines.size() == 1 ? lines.get(0).hash() : ContentHash.finish(state);
  }

  long position() {
    return position;
  }

  List<Line> lines() {
    return lines;
  }

  /** The bytes of all its lines. */
  long length() {
    return length;
  }

  /** The content hash of all its lines. */
  long hash() {
    return hash;
  }

  /** Whether it is a line that was too long to be kept. */
  boolean isCut() {
    return lines.get(0).isCut();
  }

  /** The line that a complaint names. */
  long firstLine() {
    return lines.get(0).number();
  }

  /** How the command ran, once it did. */
  Execution execution() {
    return execution;
  }
}
