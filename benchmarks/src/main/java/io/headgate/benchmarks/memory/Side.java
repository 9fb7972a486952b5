package io.headgate.benchmarks.memory;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.LiveHeap;
import io.headgate.benchmarks.measure.ObjectGraph;
import io.headgate.benchmarks.measure.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The two workers of the side-by-side: what each measures, and how a trial of it is started. */
enum Side {
  /** The worker of this tree. */
  JAVA(List.of("graph", "live", "peak", "allocatedProducer", "allocatedWorker")) {
    @Override
    Answers trial(Setting setting, Case wanted) throws IOException {
      List<String> flags = new ArrayList<>(JVM);
      flags.addAll(ObjectGraph.FLAGS);
      return setting
          .trial()
          .java(MemoryTrial.class, flags, wanted.width(), wanted.cap(), wanted.history());
    }
  },
  /** The same worker in Python, written from the contracts. */
  PYTHON(List.of("current", "peak")) {
    @Override
    Answers trial(Setting setting, Case wanted) throws IOException {
      return setting
          .trial()
          .process(
              List.of(
                  "python3",
                  "-B",
                  setting.root().resolve("benchmarks/python/trial.py").toString(),
                  Integer.toString(wanted.width()),
                  Integer.toString(wanted.cap()),
                  Integer.toString(wanted.history())));
    }
  };

  static final List<String> JVM =
      Stream.concat(Stream.of("-Xms64m", "-Xmx64m"), LiveHeap.FLAGS.stream()).toList();

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> figures;

  Side(List<String> figures) {
    this.figures = figures;
  }

  /** In bytes. */
  List<String> figures() {
    return figures;
  }

  abstract Answers trial(Setting setting, Case wanted) throws IOException;
}
