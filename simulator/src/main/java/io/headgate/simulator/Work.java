package io.headgate.simulator;

import io.headgate.Criticality;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call: what is asked of a server, until when it is of use, and who hears how it went. */
final class Work {
  final long asked;
  final long deadline;
  final Criticality criticality;
  private @Nullable Consumer<@Nullable RuntimeException> whenEnded;

  Work(
      long asked,
      long deadline,
      Criticality criticality,
      Consumer<@Nullable RuntimeException> whenEnded) {
    this.asked = asked;
    this.deadline = deadline;
    this.criticality = criticality;
    this.whenEnded = whenEnded;
  }

  void done() {
    end(null);
  }

  void failed(RuntimeException failure) {
    end(failure);
  }

  /** Only the first end counts: an answer after the caller has given up reaches nobody. */
  private void end(@Nullable RuntimeException failure) {
    Consumer<@Nullable RuntimeException> listener = whenEnded;
    whenEnded = null;
    if (listener != null) {
      listener.accept(failure);
    }
  }
}
