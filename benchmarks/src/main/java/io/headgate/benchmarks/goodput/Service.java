package io.headgate.benchmarks.goodput;

import io.headgate.simulator.Measures;
import io.headgate.simulator.Setup;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** What a call is worked on with: a thread that waits as long as a slow dependency takes. */
final class Service {
  private final Setup setup;
  private final EventLoop loop;
  private final Measures measures;
  private final SplittableRandom random;

  Service(Setup setup, EventLoop loop, Measures measures) {
    this.setup = setup;
    this.loop = loop;
    this.measures = measures;
    random = new SplittableRandom(setup.seed());
  }

  /** Works, in a thread of the server. */
  void work(Attempt attempt) throws InterruptedException {
    long[] nanos = new long[1];
    loop.run(
        () -> {
          measures.started(attempt.offered);
          double times = setup.service().time().draw(random) * slowness(loop.now());
          nanos[0] = (long) (times * setup.service().mean().toNanos());
        });
    TimeUnit.NANOSECONDS.sleep(nanos[0]);
    loop.run(() -> attempt.end(true));
  }

  private double slowness(long now) {
    return setup
        .slowDown()
        .filter(slow -> now >= slow.at().toNanos())
        .filter(slow -> now < slow.at().plus(slow.lasts()).toNanos())
        .map(Setup.SlowDown::times)
        .orElse(1.0);
  }
}
