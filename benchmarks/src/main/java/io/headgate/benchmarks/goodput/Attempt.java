package io.headgate.benchmarks.goodput;

import io.headgate.Criticality;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt of a call. All is done under the lock of the loop, but for reading the constants. */
final class Attempt {
  final long number;
  final long offered;
  final long deadline;
  final Criticality criticality;
  private @Nullable Consumer<Boolean> whenEnded;

  Attempt(
      long number,
      long offered,
      long deadline,
      Criticality criticality,
      Consumer<Boolean> whenEnded) {
    this.number = number;
    this.offered = offered;
    this.deadline = deadline;
    this.criticality = criticality;
    this.whenEnded = whenEnded;
  }

  /** Only the first end counts: an answer after the client has given up reaches nobody. */
  void end(boolean answered) {
    Consumer<Boolean> listener = whenEnded;
    whenEnded = null;
    if (listener != null) {
      listener.accept(answered);
    }
  }
}
