package io.headgate.benchmarks.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class EngineTest {

  private static final int JOBS = 5_000;
  private static final Engine.Shape SHAPE = new Engine.Shape(2, 64);

  @ParameterizedTest
  @EnumSource(EngineKind.class)
  void runsEachJobOnce(EngineKind kind) throws Exception {
    AtomicIntegerArray runs = new AtomicIntegerArray(JOBS);
    Engine engine = kind.start(SHAPE, work -> runs.incrementAndGet(work.index()));
    for (Work work : Work.pool(JOBS)) {
      engine.submit(work);
    }
    engine.finish(JOBS);
    for (int i = 0; i < JOBS; i++) {
      assertThat(runs.get(i)).as("job %s", i).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource(value = EngineKind.class, mode = EnumSource.Mode.EXCLUDE, names = "VIRTUAL_SEMAPHORE")
  void noticesAJobThatIsMissing(EngineKind kind) throws Exception {
    Engine engine = kind.start(SHAPE, work -> {});
    for (Work work : Work.pool(10)) {
      engine.submit(work);
    }
    assertThatThrownBy(() -> engine.finish(11)).isInstanceOf(IllegalStateException.class);
  }
}
