package io.headgate.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Says which commands run, a line for each, those that have run longest first. */
final class RunningList {
  private static final int BEGINNING = 60;

  private RunningList() {}

  /**
   * The list.
   *
   * @param open items that have no end yet
   * @param id gives the id of an item
   * @param showsBeginning whether the lines show how the input begins; its id may say that already
   */
  static List<String> of(
      List<Item> open, Function<Item, String> id, boolean showsBeginning, long nowNanos) {
    List<Item> running = new ArrayList<>();
    for (Item item : open) {
      if (item.execution().pid() != 0 && item.execution().ending() == null) {
        running.add(item);
      }
    }
    running.sort(
        Comparator.comparingLong((Item item) -> nowNanos - item.execution().startNanos())
            .reversed()
            .thenComparingLong(Item::position));
    List<String> list = new ArrayList<>();
    for (Item item : running) {
      list.add(
          id.apply(item)
              + ", "
              + StatusText.time(nowNanos - item.execution().startNanos())
              + ", pid "
              + item.execution().pid()
              + (showsBeginning ? ": " + beginning(item) : ""));
    }
    return list;
  }

  private static String beginning(Item item) {
    byte[] bytes = item.lines().get(0).bytes();
    int most = Math.min(bytes.length, BEGINNING * 4);
    StringBuilder text = new StringBuilder();
    new String(bytes, 0, most, StandardCharsets.UTF_8)
        .codePoints()
        .limit(BEGINNING)
        .forEach(c -> text.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    boolean whole =
        most == bytes.length
            && text.codePointCount(0, text.length())
                == new String(bytes, StandardCharsets.UTF_8).codePoints().count();
    int more = item.lines().size() - 1;
    return text + (whole ? "" : "...") + (more > 0 ? " (and " + more + " more)" : "");
  }
}
