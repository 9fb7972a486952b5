package io.headgate.benchmarks.goodput;

import io.headgate.Criticality;
import io.headgate.simulator.Figures;
import io.headgate.simulator.ServiceTime;
import io.headgate.simulator.Setup;
import io.headgate.simulator.Trial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How fast a million calls are simulated, start of the JVM and of the compiler not left out: each
 * run is a process of its own on two processors, and checks what it did.
 *
 * <p>{@code SimulatorSpeed [RUNS]}, 5 unless given.
 */
public final class SimulatorSpeed {
  private static final int CALLS = 1_000_000;
  private static final Duration TARGET = Duration.ofSeconds(5);

  private enum Case {
    DONE("a million calls, all worked on", 0.9, Setup.WhenFull.REFUSE, 0, 1),
    REFUSED("a million calls at 10 x, most refused", 10, Setup.WhenFull.REFUSE, 0, 1),
    CONTROLLED("the same under queue-delay control", 10, Setup.WhenFull.REFUSE, 50, 1),
    RETRIED(
        "a million attempts of an unbounded queue, most given up", 2, Setup.WhenFull.GROW, 0, 3);

    private final String what;
    private final double load;
    private final Setup.WhenFull whenFull;
    private final int targetMillis;
    private final int attempts;

    Case(String what, double load, Setup.WhenFull whenFull, int targetMillis, int attempts) {
      this.what = what;
      this.load = load;
      this.whenFull = whenFull;
      this.targetMillis = targetMillis;
      this.attempts = attempts;
    }

    Setup setup() {
      double perSecond = load * 1_000;
      // A little more, so that by chance it is not less than a million.
      long seconds = Math.round(Math.ceil(1.01 * CALLS / attempts / perSecond));
      Duration timeout = Duration.ofMillis(500);
      return new Setup(
          perSecond,
          Map.of(Criticality.CRITICAL, 1.0),
          new Setup.Service(ServiceTime.EXPONENTIAL, Duration.ofMillis(10)),
          new Setup.Server(
              10,
              targetMillis > 0 ? 10_000 : 50,
              whenFull,
              targetMillis > 0 ? Optional.of(Duration.ofMillis(targetMillis)) : Optional.empty()),
          new Setup.Callers(
              timeout, timeout.multipliedBy(attempts), attempts, Duration.ZERO, Optional.empty()),
          Optional.empty(),
          1,
          Duration.ofSeconds(seconds));
    }
  }

  private SimulatorSpeed() {}

  /** Runs all and prints a table; with the name of a case, runs that one in this process. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].matches("[A-Z]+")) {
      simulate(Case.valueOf(arguments[0]));
      System.out.println(
          ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos());
      return;
    }
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    System.out.printf(
        Locale.ROOT,
        "%-56s %8s %12s %8s %12s %9s %6s%n",
        "",
        "seconds",
        "range",
        "CPU s",
        "range",
        "calls/s",
        "target");
    for (Case each : Case.values()) {
      List<Double> seconds = new ArrayList<>();
      List<Double> cpu = new ArrayList<>();
      for (int run = 0; run < runs; run++) {
        long began = System.nanoTime();
        cpu.add(inProcess(each));
        seconds.add((System.nanoTime() - began) / 1e9);
      }
      double median = median(seconds);
      System.out.printf(
          Locale.ROOT,
          "%-56s %8.2f %12s %8.2f %12s %9.0f %6s%n",
          each.what,
          median,
          range(seconds),
          median(cpu),
          range(cpu),
          CALLS / median,
          seconds.stream().allMatch(it -> it <= TARGET.toSeconds()) ? "met" : "MISSED");
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static String range(List<Double> values) {
    return String.format(
        Locale.ROOT,
        "%.2f–%.2f",
        values.stream().mapToDouble(it -> it).min().orElse(0),
        values.stream().mapToDouble(it -> it).max().orElse(0));
  }

  /** Processor seconds of the whole process, which do not depend on what else the machine does. */
  private static double inProcess(Case each) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=2",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                SimulatorSpeed.class.getName(),
                each.name())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(each + " has failed: " + said);
    }
    return Long.parseLong(said.strip()) / 1e9;
  }

  private static void simulate(Case each) {
    Figures figures = Trial.run(each.setup());
    double answered = figures.goodput() / figures.offered();
    if (figures.simulated() < CALLS) {
      throw new IllegalStateException("only " + figures.simulated() + " calls were made");
    }
    if (each.attempts == 1 && Math.abs(answered + figures.refused() + figures.shed() - 1) > 0.01) {
      throw new IllegalStateException("the calls do not add up: " + figures);
    }
  }
}
