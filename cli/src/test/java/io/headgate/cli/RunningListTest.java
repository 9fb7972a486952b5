package io.headgate.cli;

import static io.headgate.cli.Progresses.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningListTest {
  private static Item item(long position, String... lines) {
    byte[][] bytes = new byte[lines.length][];
    for (int i = 0; i < lines.length; i++) {
      bytes[i] = lines[i].getBytes(StandardCharsets.UTF_8);
    }
    return Items.at(position, bytes);
  }

  private static Item running(Item item, int pid, long startNanos) {
    item.execution().started(pid, 0, startNanos);
    return item;
  }

  private static List<String> list(boolean showsBeginning, long now, Item... items) {
    return RunningList.of(List.of(items), item -> "id" + item.position(), showsBeginning, now);
  }

  @Test
  void theOldestComeFirstAndWhatDoesNotRunIsLeftOut() {
    Item ended = running(item(4, "d"), 14, 0);
    ended.execution().ended(new Ending.Exited(0), 1, 0);
    // A clock that runs over its end meanwhile.
    long start = Long.MAX_VALUE - 10 * SECOND;
    assertThat(
            list(
                true,
                start + 90 * SECOND,
                running(item(1, "a"), 11, start + 30 * SECOND),
                running(item(2, "b"), 12, start),
                item(3, "c"),
                ended))
        .containsExactly("id2, 1:30, pid 12: b", "id1, 1:00, pid 11: a");
  }

  @Test
  void aLineIsShownByItsBeginningWithoutControlCharacters() {
    assertThat(list(true, 0, running(item(1, "x\t\033[2Jy\u009bz"), 11, 0)))
        .containsExactly("id1, 0:00, pid 11: x??[2Jy?z");
    assertThat(list(true, 0, running(item(1, "\u00e4".repeat(60)), 11, 0)))
        .containsExactly("id1, 0:00, pid 11: " + "\u00e4".repeat(60));
    assertThat(list(true, 0, running(item(1, "\u00e4".repeat(1000)), 11, 0)))
        .containsExactly("id1, 0:00, pid 11: " + "\u00e4".repeat(60) + "...");
    assertThat(list(true, 0, running(item(1, "a", "b", "c"), 11, 0)))
        .containsExactly("id1, 0:00, pid 11: a (and 2 more)");
    assertThat(list(false, 0, running(item(1, "a"), 11, 0))).containsExactly("id1, 0:00, pid 11");
  }
}
