package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Discipline;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.limit.QueueDelay;
import io.headgate.limit.RateLimit;
import io.headgate.testing.ManualTicker;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One random history of an {@link Account} beside its {@link AccountModel}: events of every kind,
 * in an order and with settings that the seed decides.
 */
final class AccountHistory extends AccountBesideModel {

  private static final int[] HISTORIES = {0, 1, 3, Worker.UNBOUNDED};

  /** A producer of the test: what it submits, and its place in the line. */
  private record Caller(Job<String> job, long bytes, long submitted, ProducerLine.Waiter waiter) {}

  private final Map<Thread, Caller> callers = new HashMap<>();
  private final Set<Long> tokens = new HashSet<>();

  AccountHistory(long seed) {
    this(new Random(seed));
  }

  private AccountHistory(Random random) {
    this(
        random,
        random.nextInt(4) == 0 ? Long.MAX_VALUE - random.nextInt(60) : random.nextInt(100),
        random.nextBoolean() ? 0 : 1 + random.nextInt(5));
  }

  private AccountHistory(Random random, long start, long startInterval) {
    super(random, settings(random, start, startInterval), startInterval);
    now = start;
  }

  private static Backlog.Settings settings(Random random, long start, long startInterval) {
    RateLimit rate =
        startInterval == 0
            ? null
            : RateLimit.of(1, Duration.ofNanos(startInterval))
                .ticker(ManualTicker.startingAt(start))
                .build();
    long capacityBytes = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(12);
    return new Backlog.Settings(
        1 + random.nextInt(4),
        random.nextInt(6),
        capacityBytes,
        random.nextInt(4),
        random.nextBoolean() ? capacityBytes : random.nextInt(8),
        HISTORIES[random.nextInt(HISTORIES.length)],
        new Discipline(rate, delay(random), random.nextBoolean()),
        Ticker.system());
  }

  private static QueueDelay delay(Random random) {
    return random.nextInt(3) > 0
        ? null
        : QueueDelay.target(Duration.ofNanos(1 + random.nextInt(5)))
            .interval(Duration.ofNanos(1 + random.nextInt(8)))
            .floorOneIn(4 + random.nextInt(3));
  }

  /** Plays {@code steps} events, then lets everything that was woken act, then ends all jobs. */
  void play(int steps) {
    try {
      for (int i = 0; i < steps; i++) {
        event(random.nextInt(100));
      }
      settleDown();
      endAll();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(latestEvents() + e.getMessage(), e);
    }
  }

  private void event(int dice) {
    now += random.nextInt(3) == 0 ? random.nextInt(4) : 0;
    if (dice < 34) {
      submit();
    } else if (dice < 46) {
      producerActs();
    } else if (dice < 60) {
      claimantAsks();
    } else if (dice < 70) {
      claimantSettles();
    } else if (dice < 74) {
      wakeDue();
    } else if (dice < 80) {
      cancel(id());
    } else if (dice < 85) {
      enrol();
    } else if (dice < 89) {
      boolean pause = !model.paused && random.nextBoolean();
      section("pause " + pause);
      account.pause(pause, now);
      model.pause(pause, now);
      conclude();
    } else if (dice < 96) {
      resize();
    } else if (dice == 96 && random.nextInt(4) == 0) {
      stopAdmission();
    } else if (dice == 97 && random.nextInt(6) == 0) {
      section("discard");
      account.discardWaiting(Outcome.Unstarted.Cause.DRAINED);
      model.discardWaiting(Outcome.Unstarted.Cause.DRAINED);
      conclude();
    } else if (dice == 98 && random.nextInt(8) == 0) {
      dismissClaimants();
    } else if (dice == 98 && random.nextInt(8) == 0) {
      stopRetries();
    } else if (dice == 99) {
      decline();
    }
  }

  // ---- producers ----

  private String id() {
    return "job" + random.nextInt(14);
  }

  private Job<String> job() {
    Criticality[] all = Criticality.values();
    Job<String> job = Job.of(id(), "payload").criticality(all[random.nextInt(all.length)]);
    long delay = random.nextInt(6) > 0 ? 0 : random.nextInt(10);
    job = job.delay(Duration.ofNanos(delay));
    if (random.nextInt(3) > 0) {
      return job;
    }
    // Jobs that are over at the same instant end in no particular order; let there be none.
    long ttl = (delay > 0 ? delay + 1 : 0) + random.nextInt(12);
    while (expiresAlready(now + ttl)) {
      ttl++;
    }
    return job.timeToLive(Duration.ofNanos(ttl));
  }

  private boolean expiresAlready(long at) {
    return Stream.concat(model.waiting.stream(), model.suspended.stream())
            .anyMatch(w -> w.job().hasTimeToLive() && w.expiresAt() == at)
        || callers.values().stream()
            .anyMatch(c -> c.job.hasTimeToLive() && c.submitted + c.job.timeToLiveNanos() == at);
  }

  private void submit() {
    Job<String> job = job();
    long bytes =
        random.nextInt(8) == 0
            ? Math.min(capacityBytes, 12)
            : Math.min(capacityBytes, random.nextInt(4));
    WhenFull.Kind[] kinds = WhenFull.Kind.values();
    WhenFull.Kind kind = kinds[random.nextInt(kinds.length)];
    section(
        "submit "
            + job
            + " ttl "
            + job.timeToLive()
            + " delay "
            + job.delay()
            + " bytes "
            + bytes
            + " "
            + kind);
    Admission answer = admit(job, bytes, now, kind);
    if (kind == WhenFull.Kind.WAIT && isFull(answer)) {
      Thread thread = new Thread(() -> {});
      ProducerLine.Waiter waiter = account.join(thread, bytes);
      assertThat(waiter != null).as("joined").isEqualTo(model.join(thread, bytes));
      if (waiter != null) {
        callers.put(thread, new Caller(job, bytes, now, waiter));
      }
    }
    conclude();
  }

  private Admission admit(Job<String> job, long bytes, long submitted, WhenFull.Kind kind) {
    assertThat(account.refusal(job, submitted, now, Reason.OVERLOADED))
        .as("refused by somebody else")
        .isEqualTo(model.refusal(job, submitted, now, Reason.OVERLOADED));
    if (!job.hasTimeToLive() && kind == WhenFull.Kind.REFUSE) {
      checkRacyAnswer(job, bytes);
    }
    Admission answer = account.admit(job, bytes, submitted, now, kind);
    assertThat(answer).isEqualTo(model.admit(job, bytes, submitted, now, kind));
    return answer;
  }

  /** What is told without the lock is what would be told with it. */
  private void checkRacyAnswer(Job<String> job, long bytes) {
    Admission racy = account.refuseRacily(job, bytes);
    if (racy != null) {
      Admission exact = account.admit(job, bytes, now, now, WhenFull.Kind.REFUSE);
      assertThat(racy).as("racy answer").isEqualTo(exact);
    }
  }

  private static boolean isFull(Admission answer) {
    return answer.equals(Admission.refused(Reason.FULL))
        || answer.equals(Admission.refused(Reason.FULL_BYTES));
  }

  /** A producer in the line, woken or at the end of its patience, decides or gives up. */
  private void producerActs() {
    if (!model.producers.isEmpty()) {
      act(model.producers.get(random.nextInt(model.producers.size())), random.nextInt(4) == 0);
    }
  }

  private void act(ModelProducer producer, boolean interrupted) {
    Caller caller = callers.get(producer.thread);
    section("producer of " + caller.job + (interrupted ? " is interrupted" : " decides"));
    if (!interrupted) {
      Admission answer = admit(caller.job, caller.bytes, caller.submitted, WhenFull.Kind.WAIT);
      if (isFull(answer) && random.nextInt(3) > 0) {
        account.sleepAgain(caller.waiter);
        producer.woken = false;
        conclude();
        return;
      }
    }
    account.leave(caller.waiter);
    model.producers.remove(producer);
    callers.remove(producer.thread);
    conclude();
  }

  // ---- claimants ----

  private void enrol() {
    if (hands.size() < model.concurrency + 1) {
      Hand hand = new Hand();
      section("enrol");
      hands.add(hand);
      account.enrol(hand);
      hand.idle = true;
      conclude();
    }
  }

  private void claimantAsks() {
    List<Hand> asking = hands.stream().filter(h -> h.woken || h.free()).toList();
    if (!asking.isEmpty()) {
      Hand hand = asking.get(random.nextInt(asking.size()));
      section("claim");
      claim(hand);
      conclude();
    }
  }

  private void claim(Hand hand) {
    boolean allowed = hands.size() <= model.concurrency;
    hand.entry = account.claim(hand, now);
    model.look(now);
    hand.woken = false;
    Accepted expected = allowed ? model.claimFirst(now) : null;
    if (expected == null) {
      assertThat(hand.entry).as("claim").isNull();
      hand.idle = true;
    } else {
      assertThat(hand.entry).as("claim of " + expected).isNotNull();
      assertThat(hand.entry.job()).as("first in, first out").isSameAs(expected.job());
      assertThat(tokens.add(hand.entry.token())).as("a token of its own").isTrue();
      assertThat(hand.entry.attempt()).isEqualTo(expected.attempts());
      assertThat(hand.entry.suspension()).isSameAs(expected.suspension());
      assertThat(account.claimantOf(expected.job().id())).isSameAs(hand);
    }
  }

  private void claimantSettles() {
    List<Hand> holding = hands.stream().filter(h -> h.entry != null).toList();
    if (holding.isEmpty()) {
      return;
    }
    Hand hand = holding.get(random.nextInt(holding.size()));
    if (random.nextInt(5) < 2 && suspends(hand)) {
      return;
    }
    Settlement settlement =
        switch (random.nextInt(5)) {
          case 0 -> new Settlement.Failed(new JobError("Boom", "text", false, false));
          case 1 -> new Settlement.Interrupted(false);
          case 2 -> new Settlement.Interrupted(true);
          default -> Settlement.completed();
        };
    boolean andClaim = random.nextBoolean();
    section("settle " + hand.entry.job() + " " + settlement + (andClaim ? " and claim" : ""));
    settle(hand, settlement);
    if (andClaim) {
      claim(hand);
    }
    conclude();
  }

  /** Suspends what a claimant holds; whether that was allowed. */
  private boolean suspends(Hand hand) {
    Entry<String> entry = hand.entry;
    String id = entry.job().id();
    JobError error = new JobError("Boom", "attempt " + entry.attempt(), false, false);
    long until = now + random.nextInt(8);
    long deadline = random.nextInt(3) > 0 ? now + Long.MAX_VALUE / 2 : until + random.nextInt(6);
    Suspension suspension = new Suspension(until, deadline, error, random.nextInt(3));
    section("suspend " + id + " until " + until + ", at most until " + deadline);
    RetryCut cut = account.suspend(entry, suspension);
    assertThat(cut).isEqualTo(model.suspend(id, suspension));
    if (cut == RetryCut.NONE) {
      hand.entry = null;
      assertThat(entry.claimant).as("nobody holds it").isNull();
      if (random.nextBoolean()) {
        claim(hand);
      }
    }
    conclude();
    return cut == RetryCut.NONE;
  }

  private void wakeDue() {
    section("wake the due");
    assertThat(account.wakeDue(now)).isEqualTo(model.wakeDue(now));
    conclude();
  }

  private void stopRetries() {
    section("stop retries");
    account.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    model.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    conclude();
  }

  private void settle(Hand hand, Settlement settlement) {
    Entry<String> entry = hand.entry;
    String id = entry.job().id();
    hand.entry = null;
    account.settle(entry, settlement, Ledger.kept(settlement.outcome(id, entry.attempt())));
    model.settle(id, settlement);
    assertThat(entry.job).as("job of a free entry").isNull();
    assertThat(entry.claimant).as("claimant of a free entry").isNull();
  }

  private void decline() {
    hands.stream()
        .filter(hand -> hand.woken && !model.closed && hands.size() <= model.concurrency)
        .findFirst()
        .ifPresent(
            hand -> {
              section("decline");
              account.decline(hand);
              hand.woken = false;
              hand.idle = true;
              // Nobody is woken for it at once, or one that never can come would spin.
              declined = true;
              check();
            });
  }

  // ---- the rest ----

  private void cancel(String id) {
    section("cancel " + id);
    assertThat(account.cancel(id)).isEqualTo(model.cancel(id));
    conclude();
  }

  private void resize() {
    int concurrency = 1 + random.nextInt(4);
    int capacity = random.nextInt(6);
    section("resize to " + concurrency + " + " + capacity);
    account.resize(concurrency, capacity);
    model.concurrency = concurrency;
    model.capacity = capacity;
    conclude();
  }

  private void stopAdmission() {
    section("stopAdmission");
    List<Thread> asleep =
        model.producers.stream().filter(p -> !p.woken).map(p -> p.thread).toList();
    assertThat(account.stopAdmission()).as("woken by the stop").isEqualTo(asleep);
    model.stopAdmission();
    conclude();
  }

  private void dismissClaimants() {
    section("dismissClaimants");
    account.dismissClaimants();
    model.claiming = false;
    model.closed = true;
    conclude();
  }

  /** All that was woken acts, until nobody is under way any more; then nobody sleeps in vain. */
  private void settleDown() {
    for (int rounds = 0; anybodyWoken(); rounds++) {
      assertThat(rounds).as("wake-ups that never end").isLessThan(1_000);
      List<ModelProducer> woken = model.producers.stream().filter(p -> p.woken).toList();
      woken.forEach(producer -> act(producer, false));
      List<Hand> asking = hands.stream().filter(h -> h.woken).toList();
      for (Hand hand : asking) {
        section("claim at the end");
        claim(hand);
        conclude();
      }
    }
  }

  private boolean anybodyWoken() {
    return model.producers.stream().anyMatch(p -> p.woken) || hands.stream().anyMatch(h -> h.woken);
  }

  /** A stop: afterwards nothing is unfinished, nobody waits, and no claimant is left. */
  private void endAll() {
    stopAdmission();
    settleDown();
    stopRetries();
    settleDown();
    section("discard at the end");
    account.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    model.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    conclude();
    dismissClaimants();
    for (Hand hand : List.copyOf(hands)) {
      if (hand.entry != null || hand.free()) {
        section("last settle");
        if (hand.entry != null) {
          settle(hand, new Settlement.Interrupted(true));
        }
        claim(hand);
        conclude();
      }
    }
    settleDown();
    assertThat(account.unfinished()).isZero();
    assertThat(model.producers).as("producers left").isEmpty();
    assertThat(hands).as("claimants left").isEmpty();
  }
}
