package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Load;
import io.headgate.backlog.Tally;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * An {@link Account} and its {@link AccountModel}, to which the same events go: at the end of every
 * critical section all that can be seen of them must be equal, and what must always hold must hold.
 */
abstract class AccountBesideModel {

  private static final int LOG = 40;

  /** A claimant of the test, which does nothing by itself. */
  static final class Hand implements Claimant {
    /** What it holds, or null. */
    Entry<String> entry;

    boolean idle;
    boolean woken;

    /** Holds nothing and is not idle: it must ask. */
    boolean free() {
      return entry == null && !idle && !woken;
    }

    @Override
    public void wake() {}

    @Override
    public void dismiss() {}

    @Override
    public void cancelClaimed() {}
  }

  final Random random;
  final Account<String> account;
  final AccountModel model;
  final long capacityBytes;
  private final boolean tellsAge;
  final List<Hand> hands = new ArrayList<>();
  private final Deque<String> log = new ArrayDeque<>();
  long now;

  /** Whether the section under way took a claimant back, for which nobody is woken at once. */
  boolean declined;

  /**
   * @param startInterval the interval of the start rate in the settings; zero where there is none
   */
  AccountBesideModel(Random random, Backlog.Settings settings, long startInterval) {
    this.random = random;
    account = new Account<>(settings);
    model = new AccountModel(settings, startInterval);
    capacityBytes = settings.capacityBytes();
    tellsAge = settings.discipline().tellsAge() || settings.discipline().queueDelay() != null;
    log(settings.toString());
  }

  final void section(String event) {
    log("t=" + now + " " + event);
    model.ended.clear();
    model.lookingAgain.clear();
    model.emptied = false;
    model.startAwaited = false;
    declined = false;
  }

  final String latestEvents() {
    return "after\n  " + String.join("\n  ", log) + "\n";
  }

  private void log(String line) {
    log.addLast(line);
    if (log.size() > LOG) {
      log.removeFirst();
    }
  }

  final void conclude() {
    Effects<String> effects = account.conclude();
    assertThat(endedBy(effects)).as("ended unstarted").isEqualTo(model.ended);
    assertThat(effects.producers()).as("look again").isEqualTo(model.lookingAgain);
    assertThat(effects.producer()).as("woken producer").isSameAs(model.wakeProducer());
    dismiss(effects.dismissed() == null ? List.of() : effects.dismissed());
    Hand woken = (Hand) effects.claimant();
    if (woken != null) {
      assertThat(woken.idle).as("woken was idle").isTrue();
      assertThat(hands.stream().noneMatch(h -> h.woken)).as("one on its way").isTrue();
      assertThat(model.hasReady() && model.mayClaim()).as("work for it").isTrue();
      woken.idle = false;
      woken.woken = true;
    }
    boolean idle = model.emptied && model.unfinished() == 0;
    assertThat(effects.idle()).as("became idle").isEqualTo(idle);
    assertThat(effects.startAwaited()).as("a start is awaited").isEqualTo(model.startAwaited);
    if (model.startAwaited) {
      assertThat(effects.nextStartAt()).as("when it is free").isEqualTo(model.awaitedAt);
    }
    assertThat(effects.pending()).as("pending").isEqualTo(isPending(effects));
    effects.clear();
    check();
  }

  private static List<Outcome> endedBy(Effects<String> effects) {
    return effects.ended() == null
        ? List.of()
        : effects.ended().stream().map(end -> end.outcome()).toList();
  }

  private static boolean isPending(Effects<String> effects) {
    return effects.idle()
        || effects.startAwaited()
        || effects.producer() != null
        || !effects.producers().isEmpty()
        || effects.claimant() != null
        || effects.ended() != null
        || effects.dismissed() != null;
  }

  private void dismiss(List<Claimant> dismissed) {
    for (Claimant claimant : dismissed) {
      assertThat(((Hand) claimant).idle).as("only the idle are dismissed").isTrue();
      assertThat(hands.remove(claimant)).as("dismissed once").isTrue();
    }
    boolean tooMany = model.closed || hands.size() > model.concurrency;
    if (tooMany) {
      assertThat(hands.stream().noneMatch(h -> h.idle)).as("an idle one too many stays").isTrue();
    } else if (!dismissed.isEmpty() && !model.closed) {
      assertThat(hands).as("claimants left").hasSize(model.concurrency);
    }
  }

  final void check() {
    List<Outcome> kept = Arrays.stream(account.kept()).map(Ledger::outcomeOf).toList();
    Tally tally = account.tally(kept);
    assertThat(tally).isEqualTo(model.tally());
    assertThat(tally.accepted()).as("equation").isEqualTo(tally.ended() + tally.unfinished());
    assertThat(tally.waitingBytes() + tally.runningBytes()).isBetween(0L, capacityBytes);
    assertThat(account.unfinished()).isEqualTo(model.unfinished());
    assertThat(AccountInsides.ids(account)).as("ids").isEqualTo(model.unfinished() + model.kept());
    for (Entry<?> entry : AccountInsides.pooled(account)) {
      assertThat(
              entry.job == null
                  && entry.claimant == null
                  && entry.previous == null
                  && entry.suspension == null)
          .as("a pooled entry is empty")
          .isTrue();
    }
    assertThat(account.abandoned()).isEqualTo(model.abandoned());
    Load load = account.load(now);
    assertThat(load.isShedding()).as("shedding").isEqualTo(model.isShedding());
    assertThat(load.ended()).isEqualTo(tally.ended());
    assertThat(load.unfinished()).isEqualTo(tally.unfinished());
    assertThat(load.oldestNanos()).as("oldest").isEqualTo(tellsAge ? model.oldest(now) : -1);
    for (int i = 0; i < 14; i += 5) {
      String id = "job" + (i + random.nextInt(5));
      assertThat(account.outcome(id).orElse(null)).isEqualTo(model.outcomeOrNull(id));
    }
    checkWakeUps();
  }

  private void checkWakeUps() {
    boolean producerAwake = model.producers.stream().anyMatch(p -> p.woken);
    if (model.admitting && !producerAwake) {
      assertThat(model.producers.stream().anyMatch(p -> model.fits(p.bytes)))
          .as("a producer sleeps that fits, and nobody is under way")
          .isFalse();
    }
    if (!model.admitting) {
      assertThat(model.producers.stream().allMatch(p -> p.woken)).as("all are told").isTrue();
    }
    boolean claimantAwake = hands.stream().anyMatch(h -> h.woken);
    boolean claimantIdle = hands.stream().anyMatch(h -> h.idle);
    if (!declined && !claimantAwake && claimantIdle && model.mayClaim()) {
      assertThat(model.hasReady())
          .as("work lies, a claimant is idle, nobody is on its way")
          .isFalse();
    }
  }
}
