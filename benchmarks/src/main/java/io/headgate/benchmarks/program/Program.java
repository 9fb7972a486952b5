package io.headgate.benchmarks.program;

import java.util.List;
import java.util.function.Function;

/**
 * A measurement that has a {@code main} of its own, which prints a table and fails by its exit
 * code.
 *
 * @param main the class, by name
 * @param what it measures
 * @param flags of its JVM
 * @param arguments for it, by whether the run is a quick one and by the folder for its files
 */
public record Program(
    String main, String what, List<String> flags, Function<Dose, List<String>> arguments) {

  /** The twin of the simulator in real time. */
  public static final List<Program> GOODPUT =
      List.of(
          new Program(
              "io.headgate.benchmarks.goodput.GoodputRuns",
              "Three scenarios in real time, and beside them in the simulator: an overload, a slow-down with"
                  + " clients that retry, and a flood of what matters least. Open loop; goodput counts answers in"
                  + " time. What must hold in both is checked.",
              List.of("-Xmx1g"),
              dose -> List.of(dose.folder() + "/goodput-runs.json", dose.quick() ? "3" : "6")),
          new Program(
              "io.headgate.benchmarks.goodput.SimulatorSpeed",
              "How fast the simulator plays a million calls, the start of its JVM included.",
              List.of(),
              dose -> List.of(dose.quick() ? "1" : "5")));

  /** The store beside a bare group commit. */
  public static final List<Program> DURABLE =
      List.of(
          new Program(
              "io.headgate.benchmarks.DurableThroughput",
              "SQLite with one fsync a transaction, 64 producers: `bare` is a plain group commit of JDBC inserts,"
                  + " `accept` the store, both in alternating rounds of one process; then end to end with 64 and with"
                  + " 4 workers. Targets: accept ≥ 40,000/s and ≥ 0.55 of bare; end to end ≥ 25,000/s and ≥ 8,000/s.",
              List.of("-Xmx2g", "--enable-native-access=ALL-UNNAMED"),
              dose -> List.of(dose.scratch(), dose.quick() ? "2" : "4", dose.quick() ? "2" : "5")),
          new Program(
              "io.headgate.benchmarks.durable.DurableRuns",
              "Where very many jobs wait, after a kill, and beside JobRunr.",
              List.of("-Xmx2g", "--enable-native-access=ALL-UNNAMED"),
              dose ->
                  List.of(
                      dose.folder() + "/durable-runs.json", dose.quick() ? "50000" : "1000000")));

  /**
   * How a program is run.
   *
   * @param folder for files that it leaves
   * @param scratch a folder that is deleted after it
   */
  public record Dose(boolean quick, String folder, String scratch) {}
}
