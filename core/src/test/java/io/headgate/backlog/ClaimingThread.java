package io.headgate.backlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A thread that claims and completes jobs, and sleeps whenever it is idle. */
final class ClaimingThread implements Claimant {

  private final Backlog<String> backlog;
  private final Semaphore signals = new Semaphore(0);
  private volatile boolean dismissed;
  private Call<List<String>> loop;

  private ClaimingThread(Backlog<String> backlog) {
    this.backlog = backlog;
  }

  static ClaimingThread start(Backlog<String> backlog) {
    ClaimingThread thread = new ClaimingThread(backlog);
    thread.loop = Call.of(thread::run);
    backlog.enrol(thread);
    return thread;
  }

  private List<String> run() throws InterruptedException {
    List<String> done = new ArrayList<>();
    while (true) {
      signals.acquire();
      if (dismissed) {
        return done;
      }
      Claim<String> claim = backlog.claim(this);
      while (claim != null) {
        done.add(claim.job().id());
        claim = backlog.settleAndClaim(claim, Settlement.completed(), this);
      }
    }
  }

  /** Returns the ids that it has done, in order, once it was dismissed. */
  List<String> done() throws Exception {
    return loop.result();
  }

  @Override
  public void wake() {
    signals.release();
  }

  @Override
  public void dismiss() {
    dismissed = true;
    signals.release();
  }

  @Override
  public void cancelClaimed() {}
}
