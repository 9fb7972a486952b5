package io.headgate.cli;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Has a signal answered on a thread of its own. Signals that come while an answer is given are
 * answered by one more. Before {@link #attach} there is nothing to tell, and none is given.
 */
final class Inquiry {
  private final AtomicInteger asked = new AtomicInteger();
  private volatile @Nullable Runnable answer;

  /** Notes the arrival of a signal; never blocks. */
  void signal() {
    if (asked.getAndIncrement() == 0) {
      Thread.ofPlatform().daemon().name("headgate-inquiry").start(this::answerAll);
    }
  }

  /** Gives what answers from now on. */
  void attach(Runnable theAnswer) {
    answer = theAnswer;
  }

  private void answerAll() {
    int known;
    do {
      known = asked.get();
      Runnable now = answer;
      if (now != null) {
        now.run();
      }
    } while (!asked.compareAndSet(known, 0));
  }
}
