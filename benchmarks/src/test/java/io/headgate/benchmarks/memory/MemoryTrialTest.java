package io.headgate.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Pinning;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Trial;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class MemoryTrialTest {

  private static final Setting SETTING =
      new Setting(Path.of(".."), true, 1, false, new Trial(new Pinning(List.of())), line -> {});

  @Test
  @Tag("M2")
  @Tag("M3")
  void trialTellsWhatIsKeptFromWhatWasUsedMeanwhileAndProvesItsWork() throws Exception {
    Case narrow = new Case(128, 128, 100);
    Case wide = new Case(4_096, 128, 100);
    Answers ofNarrow = Side.JAVA.trial(SETTING, narrow);
    Answers ofWide = Side.JAVA.trial(SETTING, wide);
    assertThat(narrow.faults(ofNarrow)).isEmpty();
    assertThat(wide.faults(ofWide)).isEmpty();
    assertThat(ofWide.whole("graph"))
        .as("what is kept does not depend on the source")
        .isEqualTo(ofNarrow.whole("graph"));
    assertThat(ofWide.whole("peak"))
        .as("what was used meanwhile does")
        .isGreaterThan(ofNarrow.whole("peak"));
    assertThat(ofWide.whole("allocatedWorker")).isGreaterThan(4_096L * Case.JOBS);
  }

  @Test
  @Tag("M3")
  void workerInPythonProvesTheSameWork() throws Exception {
    Case wanted = new Case(1_024, 0, 100);
    assertThat(wanted.faults(Side.PYTHON.trial(SETTING, wanted))).isEmpty();
  }

  @Test
  @Tag("M4")
  void pageStatesWhatTheFiguresDoNotCover() {
    Samples samples = new Samples();
    for (Side side : Side.values()) {
      for (Case wanted : MemoryStudy.cases()) {
        side.figures().forEach(figure -> samples.add(side + " " + wanted.name(), figure, 29_000));
      }
    }
    String page =
        new MemoryPage(samples, List.of(Side.values()), List.of("Java 0", "CPython 0"), 3)
            .text("nothing");
    assertThat(page)
        .contains("81 fresh processes")
        .contains("Not the resident size of a process")
        .contains("Not native memory")
        .contains("not throughput")
        .contains("does not isolate the cost of formatting an exception")
        .contains("| cap 0 | 29,000 | ≤ 14,000 | **missed** |");
  }
}
