package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The waiting jobs beside a list and a sorted map. */
class WaitingJobsTest {

  private static final String SEED = "headgate.waitingjobs.seed";

  private final WaitingJobs<String> jobs = new WaitingJobs<>();
  private long sequence;

  private Entry<String> add(Criticality criticality, long bytes) {
    return add(Job.of("job-" + sequence, "payload").criticality(criticality), bytes, 0);
  }

  private Entry<String> add(Job<String> job, long bytes, long expiresAt) {
    Entry<String> entry = new Entry<>();
    entry.job = job;
    entry.bytes = bytes;
    entry.dueAt = expiresAt;
    entry.sequence = sequence++;
    jobs.add(entry);
    return entry;
  }

  @Test
  void theOldestOfAllClassesIsTheOneAdmittedFirst() {
    Entry<String> first = add(Criticality.SHEDDABLE, 0);
    Entry<String> second = add(Criticality.CRITICAL_PLUS, 0);
    Entry<String> third = add(Criticality.SHEDDABLE, 0);
    assertThat(jobs.oldest()).isSameAs(first);
    jobs.remove(first);
    assertThat(jobs.oldest()).isSameAs(second);
    jobs.remove(second);
    assertThat(jobs.oldest()).isSameAs(third);
    jobs.remove(third);
    assertThat(jobs.oldest()).isNull();
  }

  @Test
  @Tag("A4")
  void victimsAreNeverMoreCriticalThanAsked() {
    add(Criticality.CRITICAL_PLUS, 0);
    Entry<String> critical = add(Criticality.CRITICAL, 0);
    Entry<String> sheddable = add(Criticality.SHEDDABLE, 0);
    assertThat(jobs.oldestFrom(Criticality.CRITICAL.level)).isSameAs(critical);
    assertThat(jobs.oldestFrom(Criticality.SHEDDABLE_PLUS.level)).isSameAs(sheddable);
    assertThat(jobs.leastCriticalBelow(Criticality.CRITICAL_PLUS.level)).isSameAs(sheddable);
    assertThat(jobs.leastCriticalBelow(Criticality.SHEDDABLE.level)).isNull();
  }

  @Test
  void equalsAListAndASortedMapThroughRandomAddsAndRemovals() {
    long seed = Long.getLong(SEED, new Random().nextLong());
    Random random = new Random(seed);
    // Readings that wrap: only differences mean anything.
    long origin = Long.MAX_VALUE - 400;
    Criticality[] classes = Criticality.values();
    List<Entry<String>> list = new ArrayList<>();
    NavigableMap<Long, Entry<String>> timed = new TreeMap<>();
    for (int step = 0; step < 8_000; step++) {
      boolean growing = step / 500 % 2 == 0;
      if (list.isEmpty() || random.nextInt(10) < (growing ? 7 : 3)) {
        Criticality criticality = classes[random.nextInt(classes.length)];
        Job<String> job = Job.of("job-" + sequence, "payload").criticality(criticality);
        long after = random.nextInt(1_000);
        boolean withTimeToLive = random.nextInt(3) > 0 && !timed.containsKey(after);
        Entry<String> entry =
            withTimeToLive
                ? add(job.timeToLive(Duration.ofNanos(1)), random.nextInt(5), origin + after)
                : add(job, random.nextInt(5), 0);
        list.add(entry);
        if (withTimeToLive) {
          timed.put(after, entry);
        }
      } else {
        Entry<String> entry = list.remove(random.nextInt(list.size()));
        jobs.remove(entry);
        timed.values().remove(entry);
        assertThat(entry.heapIndex).isEqualTo(Entry.NOT_TIMED);
        assertThat(entry.previous).isNull();
        assertThat(entry.next).isNull();
      }
      check(list, timed, "step " + step + " with -D" + SEED + "=" + seed);
    }
  }

  private void check(
      List<Entry<String>> list, NavigableMap<Long, Entry<String>> timed, String description) {
    assertThat(jobs.count()).as(description).isEqualTo(list.size());
    assertThat(jobs.bytes()).as(description).isEqualTo(bytes(list));
    Entry<String> firstToExpire = timed.isEmpty() ? null : timed.firstEntry().getValue();
    assertThat(jobs.firstToExpire()).as(description).isSameAs(firstToExpire);
    assertThat(jobs.oldest()).as(description).isSameAs(first(list));
    for (int level = 0; level < Criticality.COUNT; level++) {
      int from = level;
      List<Entry<String>> eligible = list.stream().filter(e -> level(e) >= from).toList();
      assertThat(jobs.countFrom(level)).as(description).isEqualTo(eligible.size());
      assertThat(jobs.bytesFrom(level)).as(description).isEqualTo(bytes(eligible));
      assertThat(jobs.oldestFrom(level)).as(description).isSameAs(first(eligible));
      Entry<String> least =
          list.stream()
              .filter(e -> level(e) > from)
              .min(
                  Comparator.comparingInt((Entry<String> e) -> -level(e))
                      .thenComparingLong(e -> e.sequence))
              .orElse(null);
      assertThat(jobs.leastCriticalBelow(level)).as(description).isSameAs(least);
    }
  }

  private static int level(Entry<String> entry) {
    return entry.job().criticality().level;
  }

  private static long bytes(List<Entry<String>> entries) {
    return entries.stream().mapToLong(entry -> entry.bytes).sum();
  }

  private static Entry<String> first(List<Entry<String>> entries) {
    return entries.stream().min(Comparator.comparingLong(entry -> entry.sequence)).orElse(null);
  }
}
