package io.headgate.cli;

import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.JobContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts failures around a handler, and tells when there are so many. It is told before the handler
 * returns, so that the thread of the last failure claims nothing more.
 */
final class FailureLimit implements Handler<Item> {
  private static final Optional<Duration> NOTHING_LEFT = Optional.of(Duration.ZERO);

  private final Handler<Item> commands;
  private final int attempts;
  private final int most;
  private final Runnable reached;
  private final AtomicInteger failures = new AtomicInteger();

  /**
   * @param attempts how often a command is run; what fails before the last time is not counted
   * @param reached called once, by the thread of the last failure; must not block
   */
  FailureLimit(Handler<Item> commands, int attempts, int most, Runnable reached) {
    this.commands = commands;
    this.attempts = attempts;
    this.most = most;
    this.reached = reached;
  }

  @Override
  public void handle(Job<Item> job, JobContext context) throws Exception {
    try {
      commands.handle(job, context);
    } catch (CommandFailure e) {
      if (e instanceof NotStarted || context.attempt() >= attempts) {
        count();
      }
      throw e;
    } catch (InterruptedException e) {
      // Beyond its timeout a command is stopped as by a cancel, and its job fails.
      if (context.isCancelled()
          && context.remaining().equals(NOTHING_LEFT)
          && context.attempt() >= attempts) {
        count();
      }
      throw e;
    }
  }

  private void count() {
    if (failures.incrementAndGet() == most) {
      reached.run();
    }
  }
}
