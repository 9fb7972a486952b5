package io.headgate.cli.sim;

import io.headgate.simulator.Setup;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file asks for.
 *
 * @param base the setup, with the rate of the file, or that of its first load
 * @param loads multiples of what the worker can serve; empty where the file has a rate
 */
record Plan(Setup base, List<Double> loads) {

  /** A run for each load, with what it is called. */
  List<Row> rows(Setup setup) {
    if (loads.isEmpty()) {
      double load = setup.perSecond() / base.capacityPerSecond();
      return List.of(new Row(Amounts.load(load), setup));
    }
    List<Row> rows = new ArrayList<>();
    for (double load : loads) {
      rows.add(new Row(Amounts.load(load), setup.withPerSecond(load * base.capacityPerSecond())));
    }
    return rows;
  }

  /** One run. */
  record Row(String load, Setup setup) {}
}
