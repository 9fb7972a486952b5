package io.headgate.benchmarks.goodput;

import io.headgate.simulator.Figures;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.function.ToDoubleFunction;

/**
 * A sentence that is to hold in the simulator and in real time: a figure, of each by itself, that
 * never compares seconds of the one with seconds of the other.
 *
 * @param sentence what is claimed
 */
record Shape(String sentence, double simulated, double real, boolean holds) {

  /** Of a figure of one pair. */
  static Shape of(
      String sentence, Pair pair, ToDoubleFunction<Figures> figure, DoublePredicate rule) {
    double simulated = figure.applyAsDouble(pair.simulated());
    double real = figure.applyAsDouble(pair.real());
    return new Shape(sentence, simulated, real, rule.test(simulated) && rule.test(real));
  }

  /** Of the goodput of one pair as a part of that of another. */
  static Shape ofGoodput(String sentence, Pair pair, Pair beside, DoublePredicate rule) {
    double simulated = pair.simulated().goodput() / beside.simulated().goodput();
    double real = pair.real().goodput() / beside.real().goodput();
    return new Shape(sentence, simulated, real, rule.test(simulated) && rule.test(real));
  }

  String row() {
    return String.format(
        Locale.ROOT, "%-4s %-76s %9.3f %9.3f", holds ? "yes" : "NO", sentence, simulated, real);
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"sentence\":\"%s\",\"simulated\":%s,\"real\":%s,\"holds\":%s}",
        sentence,
        Double.isFinite(simulated) ? "%.4f".formatted(simulated) : "null",
        Double.isFinite(real) ? "%.4f".formatted(real) : "null",
        holds);
  }
}
