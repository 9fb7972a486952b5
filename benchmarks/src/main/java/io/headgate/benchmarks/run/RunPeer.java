package io.headgate.benchmarks.run;

import io.headgate.benchmarks.measure.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What runs a command for every line, two at a time. */
enum RunPeer {
  HEADGATE("headgate run", "run", "-j2", "--"),
  XARGS("xargs", "-P2", "-n1"),
  PARALLEL("GNU parallel", "--will-cite", "-j2");

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> arguments;

  RunPeer(String title, String... arguments) {
    this.title = title;
    this.arguments = List.of(arguments);
  }

  String title() {
    return title;
  }

  String settings() {
    return String.join(" ", arguments);
  }

  private String program(Path root) {
    return switch (this) {
      case HEADGATE -> root.resolve("headgate").toString();
      case XARGS -> "xargs";
      case PARALLEL -> "parallel";
    };
  }

  /** The command that runs {@code child} for every line of its input. */
  List<String> command(Path root, String... child) {
    List<String> command = new ArrayList<>(List.of(program(root)));
    command.addAll(arguments);
    command.addAll(List.of(child));
    return command;
  }

  /** As it tells, or nothing if it is not there. */
  String version(Path root) {
    if (this == HEADGATE) {
      return "this tree";
    }
    String text = Trial.output(root, program(root), "--version");
    return text.lines().findFirst().orElse("");
  }
}
