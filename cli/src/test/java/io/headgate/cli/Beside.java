package io.headgate.cli;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs what may block on a thread of its own; the common pool has too few. */
final class Beside {
  private Beside() {}

  static <T> CompletableFuture<T> supply(Supplier<T> supplier) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                future.complete(supplier.get());
              } catch (Throwable t) {
                future.completeExceptionally(t);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return future;
  }

  static CompletableFuture<Void> run(Runnable runnable) {
    return supply(
        () -> {
          runnable.run();
          return null;
        });
  }
}
