package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that survives its end, and remembers the first way in which it was ended. */
final class FakeProcess implements ProcessEnd {

  private final CompletableFuture<String> end = new CompletableFuture<>();

  @Override
  public void exit(int status) {
    end.complete("exit " + status);
  }

  @Override
  public void halt(int status) {
    end.complete("halt " + status);
  }

  String awaitEnd() throws Exception {
    return end.get(30, TimeUnit.SECONDS);
  }

  void assertAlive() {
    assertThat(end).isNotDone();
  }
}
