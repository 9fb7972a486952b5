package io.headgate.benchmarks.durable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a durable store does where very many jobs wait, after a kill, and beside JobRunr: {@code
 * DurableRuns JSON [WAITING]}. Files lie beside the JSON while it runs. Prints a table; the exit
 * code is 1 where a target is missed.
 */
public final class DurableRuns {

  private DurableRuns() {}

  private interface Part {
    List<Result> run() throws Exception;
  }

  /** Runs all parts. */
  public static void main(String[] arguments) throws Exception {
    Path json = Path.of(arguments[0]).toAbsolutePath();
    int waiting = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000;
    Path folder = Files.createTempDirectory(json.getParent(), "durable");
    List<Result> results = new ArrayList<>();
    try {
      List<Part> parts =
          List.of(
              new RestartAfterKill(folder)::run,
              new ManyWaiting(folder, waiting)::run,
              new BesideJobRunr(folder)::run);
      for (Part part : parts) {
        for (Result result : part.run()) {
          System.out.println(result.line());
          results.add(result);
        }
      }
    } finally {
      delete(folder);
    }
    String lines = results.stream().map(Result::json).collect(Collectors.joining(",\n  "));
    Files.writeString(json, String.format(Locale.ROOT, "[%n  %s%n]%n", lines));
    // Threads of the peer may still be about.
    Runtime.getRuntime().halt(results.stream().allMatch(Result::holds) ? 0 : 1);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.toList()) {
        Files.deleteIfExists(each);
      }
    }
    Files.delete(folder);
  }
}
