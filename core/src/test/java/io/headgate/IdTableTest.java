package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of ids beside a hash map, with ids that collide in every way. */
@Tag("H4")
class IdTableTest {

  private static final String SEED = "headgate.idtable.seed";

  private static Entry<String> entry(String id) {
    Entry<String> entry = new Entry<>();
    entry.job = Job.of(id, "payload");
    return entry;
  }

  /** Ids of which sixteen each share one hash code, and others that share none. */
  private static List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (String suffix : List.of("", "x", "yz")) {
      for (int i = 0; i < 16; i++) {
        StringBuilder id = new StringBuilder();
        for (int bit = 0; bit < 4; bit++) {
          id.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        ids.add(id + suffix);
      }
    }
    for (int i = 0; i < 60; i++) {
      ids.add("job-" + i);
    }
    return ids;
  }

  private static int add(IdTable table, String id, Object carrier) {
    table.makeRoom();
    return table.add(id, carrier);
  }

  @Test
  void equalsAHashMapThroughRandomAddsReplacementsAndRemovals() {
    long seed = Long.getLong(SEED, new Random().nextLong());
    Random random = new Random(seed);
    List<String> ids = ids();
    for (int round = 0; round < 60; round++) {
      IdTable table = new IdTable();
      Map<String, Object> map = new HashMap<>();
      Map<String, Integer> numbers = new HashMap<>();
      int crowd = 1 + random.nextInt(ids.size());
      for (int step = 0; step < 600; step++) {
        String id = ids.get(random.nextInt(crowd));
        Integer number = numbers.get(id);
        if (number == null) {
          Object carrier = random.nextInt(3) > 0 ? entry(id) : id;
          numbers.put(id, add(table, id, carrier));
          map.put(id, carrier);
        } else if (random.nextInt(3) == 0) {
          Object successor = new Outcome.Interrupted(id, 1);
          table.replace(number, successor);
          map.put(id, successor);
        } else {
          table.forget(number);
          numbers.remove(id);
          map.remove(id);
        }
        assertThat(table.size()).isEqualTo(map.size());
        assertThat(numbers.values()).as("with seed %d", seed).doesNotHaveDuplicates();
        for (String any : ids) {
          assertThat(table.find(any)).as("%s with seed %d", any, seed).isSameAs(map.get(any));
          assertThat(table.findRacily(any)).isEqualTo(map.containsKey(any));
        }
      }
    }
  }

  /** Or a table in which ids come and go for years would grow for years. */
  @Test
  @Tag("B4")
  void givesNoMoreNumbersThanThereWereIdsAtOnce() {
    IdTable table = new IdTable();
    Deque<Integer> present = new ArrayDeque<>();
    for (int i = 0; i < 5_000; i++) {
      if (present.size() == 20) {
        table.forget(present.removeFirst());
      }
      if (i % 500 == 499) {
        present.forEach(table::forget);
        present.clear();
      }
      int number = add(table, "job-" + i, "job-" + i);
      assertThat(number).isBetween(1, 20);
      present.addLast(number);
    }
  }

  @Test
  void showsEveryEntryOfAnUnfinishedJobOnceAndNothingElse() {
    IdTable table = new IdTable();
    Set<Entry<?>> expected = new HashSet<>();
    for (String id : ids()) {
      if (id.startsWith("job")) {
        add(table, id, id);
      } else {
        Entry<String> entry = entry(id);
        expected.add(entry);
        add(table, id, entry);
      }
    }
    List<Entry<?>> shown = new ArrayList<>();
    table.forEachEntry(shown::add);
    assertThat(shown).hasSameElementsAs(expected).hasSameSizeAs(expected);
  }

  @Test
  void anIdThatIsEqualButNotTheSameObjectIsFound() {
    IdTable table = new IdTable();
    Entry<String> entry = entry("an id");
    add(table, "an id", entry);
    assertThat(table.find(new String("an id".toCharArray()))).isSameAs(entry);
  }

  @Test
  void aNumberThatNoIdHasIsAnErrorAndChangesNothing() {
    IdTable table = new IdTable();
    int there = add(table, "there", "there");
    int gone = add(table, "gone", "gone");
    table.forget(gone);
    for (int number : new int[] {0, gone, gone + 1}) {
      assertThatThrownBy(() -> table.forget(number))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(String.valueOf(number));
      assertThatThrownBy(() -> table.carrier(number)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.find("there")).isEqualTo("there");
    assertThat(table.carrier(there)).isEqualTo("there");
  }

  /** Claims that it ends and does not throw; what it answers meanwhile means nothing. */
  @Test
  @Timeout(60)
  void aRacyReaderAlwaysEndsWhileIdsComeAndGo() throws InterruptedException {
    IdTable table = new IdTable();
    AtomicBoolean done = new AtomicBoolean();
    List<Throwable> thrown = new ArrayList<>();
    Thread reader =
        new Thread(
            () -> {
              while (!done.get()) {
                table.findRacily("never there");
                table.findRacily("job-1");
              }
            });
    reader.setUncaughtExceptionHandler((thread, e) -> thrown.add(e));
    reader.start();
    Random random = new Random(7);
    Entry<String> pooled = new Entry<>();
    for (int round = 0; round < 3_000; round++) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = random.nextInt(200); i > 0; i--) {
        String id = "job-" + round + "-" + i;
        numbers.add(add(table, id, i % 2 == 0 ? entry(id) : id));
      }
      pooled.job = Job.of("pooled-" + round, "payload");
      table.forget(add(table, "pooled-" + round, pooled));
      pooled.job = null;
      numbers.forEach(table::forget);
    }
    done.set(true);
    reader.join();
    assertThat(thrown).isEmpty();
    assertThat(table.size()).isZero();
  }

  @Test
  @Timeout(10)
  void aRacyReaderPassesOverEntriesThatAreBackInThePool() {
    IdTable table = new IdTable();
    List<Entry<String>> entries = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      entries.add(entry("job-" + i));
      add(table, "job-" + i, entries.get(i));
    }
    entries.forEach(entry -> entry.job = null);
    assertThat(table.findRacily("job-3")).isFalse();
  }

  @Test
  @Tag("B4")
  void predictsItsBuckets() {
    assertThat(IdTable.bucketsFor(0)).isEqualTo(16);
    assertThat(IdTable.bucketsFor(15)).isEqualTo(16);
    assertThat(IdTable.bucketsFor(16)).isEqualTo(32);
    assertThat(IdTable.bucketsFor(1L << 33)).isEqualTo(1L << 34);
  }
}
