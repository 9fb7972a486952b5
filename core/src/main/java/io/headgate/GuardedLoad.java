package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Load;
import io.headgate.limit.LoadSource;
import io.headgate.limit.OverloadGuard;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A worker as its guard sees it, and what the guard makes of it. Thread-safe. */
final class GuardedLoad implements LoadSource {

  private final @Nullable OverloadGuard guard;
  private final Crew<?> crew;
  private final Backlog<?> backlog;

  GuardedLoad(@Nullable OverloadGuard guard, Crew<?> crew, Backlog<?> backlog) {
    this.guard = guard;
    this.crew = crew;
    this.backlog = backlog;
  }

  void begin() {
    if (guard != null) {
      guard.beginUse(this);
    }
  }

  void end() {
    if (guard != null) {
      guard.endUse(this);
    }
  }

  @Override
  public int runnableHandlers() {
    return crew.runnableHandlers();
  }

  @Override
  public Duration oldestWaiting() {
    return Duration.ofNanos(Math.max(0, backlog.load().oldestNanos()));
  }

  Overload overload(OptionalLong nanosSinceLastRefusal) {
    Load load = backlog.load();
    boolean tellsAge = load.oldestNanos() >= 0;
    return new Overload(
        guard == null ? Map.of() : guard.loads(),
        guard == null ? Optional.empty() : guard.refusedFrom(),
        load.isShedding(),
        tellsAge ? Optional.of(Duration.ofNanos(load.oldestNanos())) : Optional.empty(),
        nanosSinceLastRefusal.isPresent()
            ? Optional.of(Duration.ofNanos(nanosSinceLastRefusal.getAsLong()))
            : Optional.empty());
  }
}
