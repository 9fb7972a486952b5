package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Tally;
import io.headgate.time.Ticker;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The backlog in memory is linearizable to the obvious model: admission (its path without the lock
 * too), claim, settlement, cancel, stop, and what can be asked. It claims nothing about wake-ups
 * and calls that wait (the controlled schedules do), nor about time to live.
 *
 * <p>Many short scenarios rather than few long ones: verifying those takes most of the time, and
 * the races lie between two calls.
 */
@Tag("A1")
@Tag("B1")
@Tag("L1")
@Tag("L3")
@Param(name = "id", gen = IntGen.class, conf = "1:3")
public final class MemoryBacklogLincheck {

  /** Three ids are one more than fit, and two more than are remembered. */
  private static final Backlog.Settings SETTINGS =
      new Backlog.Settings(1, 1, Long.MAX_VALUE, 0, 0, 1, Ticker.system());

  /** Whoever finds the lock taken pauses in a loop, which is long but no livelock. */
  private static final int LOOP_BOUND = 1_000;

  /** A claimant that asks unwoken. It holds its claim over several operations, on one thread. */
  private static final class Hand implements Claimant {
    private Claim<String> held;

    @Override
    public void wake() {}

    @Override
    public void dismiss() {}

    @Override
    public void cancelClaimed() {}
  }

  private static final class Deaf implements BacklogListener<String> {
    @Override
    public void unstarted(Job<String> job, Outcome.Unstarted outcome) {}

    @Override
    public void failed(Job<String> job, Outcome.Failed outcome) {}

    @Override
    public void idle() {}
  }

  private final Backlog<String> backlog = new MemoryBacklog<>(SETTINGS, new Deaf());
  private final Hand left = new Hand();
  private final Hand right = new Hand();

  /** Begins with a job and a refusal, which opens the path without the lock. */
  public MemoryBacklogLincheck() {
    admit(1);
    admit(1);
  }

  @Operation
  public String admit(@Param(name = "id") int id) {
    return describe(backlog.admit(job(id), 0, 0, WhenFull.Kind.REFUSE));
  }

  @Operation
  public String admitShedding(@Param(name = "id") int id) {
    return describe(backlog.admit(job(id), 0, 0, WhenFull.Kind.SHED_OLDEST));
  }

  @Operation(nonParallelGroup = "left")
  public String leftClaims() {
    return claim(left);
  }

  @Operation(nonParallelGroup = "left")
  public String leftSettles() {
    if (left.held == null) {
      return "holds none";
    }
    backlog.settle(left.held, Settlement.completed());
    left.held = null;
    return "settled";
  }

  @Operation(nonParallelGroup = "right")
  public String rightClaims() {
    return claim(right);
  }

  @Operation(nonParallelGroup = "right")
  public String rightSettlesAndClaims() {
    if (right.held == null) {
      return "holds none";
    }
    right.held = backlog.settleAndClaim(right.held, Settlement.completed(), right);
    return describe(right.held);
  }

  private String claim(Hand hand) {
    if (hand.held != null) {
      return "holds one";
    }
    hand.held = backlog.claim(hand);
    return describe(hand.held);
  }

  @Operation
  public String cancel(@Param(name = "id") int id) {
    return backlog.cancel(Integer.toString(id)).name();
  }

  @Operation
  public String outcome(@Param(name = "id") int id) {
    return describe(backlog.outcome(Integer.toString(id)).orElse(null));
  }

  @Operation
  public String tally() {
    return describe(backlog.tally());
  }

  /** Once at most, for little happens after it. */
  @Operation(runOnce = true)
  public void stopAdmission() {
    backlog.stopAdmission();
  }

  private static Job<String> job(int id) {
    return Job.of(Integer.toString(id), "");
  }

  private static String describe(Admission admission) {
    return admission instanceof Admission.Refused refused ? refused.reason().name() : "accepted";
  }

  private static String describe(Claim<String> claim) {
    return claim == null ? "none" : claim.job().id();
  }

  private static String describe(Outcome outcome) {
    return outcome == null ? "none" : outcome.getClass().getSimpleName();
  }

  private static String describe(Tally tally) {
    return tally.accepted()
        + " = completed "
        + tally.completed()
        + " + unstarted "
        + tally.unstarted()
        + " + waiting "
        + tally.waiting()
        + " + running "
        + tally.running();
  }

  @Test
  void isLinearizableUnderModelledSchedules() {
    new ModelCheckingOptions()
        .loopBound(LOOP_BOUND)
        .iterations(80)
        .invocationsPerIteration(40)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(1)
        .sequentialSpecification(Sequential.class)
        .check(getClass());
  }

  @Test
  void isLinearizableUnderStress() {
    new StressOptions()
        .iterations(40)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .sequentialSpecification(Sequential.class)
        .check(getClass());
  }

  /** The same operations on the model. */
  public static final class Sequential {
    private final AccountModel model = new AccountModel(SETTINGS, 0);
    private String left;
    private String right;

    /** Begins as the backlog does. */
    public Sequential() {
      admit(1);
      admit(1);
    }

    public String admit(int id) {
      return describe(model.admit(job(id), 0, 0, 0, WhenFull.Kind.REFUSE));
    }

    public String admitShedding(int id) {
      return describe(model.admit(job(id), 0, 0, 0, WhenFull.Kind.SHED_OLDEST));
    }

    public String leftClaims() {
      if (left != null) {
        return "holds one";
      }
      left = first();
      return left == null ? "none" : left;
    }

    public String leftSettles() {
      if (left == null) {
        return "holds none";
      }
      model.settle(left, Settlement.completed());
      left = null;
      return "settled";
    }

    public String rightClaims() {
      if (right != null) {
        return "holds one";
      }
      right = first();
      return right == null ? "none" : right;
    }

    public String rightSettlesAndClaims() {
      if (right == null) {
        return "holds none";
      }
      model.settle(right, Settlement.completed());
      right = first();
      return right == null ? "none" : right;
    }

    private String first() {
      Accepted first = model.claimFirst(0);
      return first == null ? null : first.job().id();
    }

    public String cancel(int id) {
      return model.cancel(Integer.toString(id)).name();
    }

    public String outcome(int id) {
      return describe(model.outcomeOrNull(Integer.toString(id)));
    }

    public String tally() {
      return describe(model.tally());
    }

    public void stopAdmission() {
      model.admitting = false;
    }
  }
}
