package io.headgate.cli.sim;

import io.headgate.Criticality;
import io.headgate.simulator.Figures;
import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** What the command prints for people. */
final class SimText {
  private static final int WIDTH = 100;

  private final StringBuilder text = new StringBuilder(1 << 12);

  private SimText() {}

  static String of(Plan plan, List<SimCommand.Run> runs, Advice advice) {
    SimText text = new SimText();
    Setup base = plan.base();
    text.heading("As it is: " + settings(base));
    text.table(runs, false, base);
    text.line("");
    text.heading("What to set");
    text.little(plan, advice);
    text.capacity(base, advice);
    text.whenFull(base, advice);
    text.queueDelay(base, advice);
    text.retries(base, advice);
    if (!advice.warnings().isEmpty()) {
      text.line("");
      text.heading("Warnings");
      advice.warnings().forEach(warning -> text.wrapped("- ", "  ", warning));
    }
    if (!advice.suggested().equals(base)) {
      text.line("");
      text.heading("With what is to be set: " + settings(advice.suggested()));
      text.table(runs, true, base);
    }
    return text.text.toString();
  }

  private static String settings(Setup setup) {
    StringJoiner words = new StringJoiner(", ");
    Setup.Server server = setup.server();
    words.add("concurrency " + server.concurrency());
    words.add(
        server.whenFull() == Setup.WhenFull.GROW
            ? "a queue that grows"
            : "capacity " + server.capacity());
    if (server.whenFull() == Setup.WhenFull.SHED_LEAST_CRITICAL) {
      words.add("shed");
    }
    server.queueDelay().ifPresent(target -> words.add("queue delay " + Amounts.time(target)));
    if (setup.callers().attempts() > 1) {
      words.add(
          setup.callers().attempts()
              + " attempts, "
              + setup
                  .callers()
                  .retryPercent()
                  .map(percent -> "retry budget " + percent + " %")
                  .orElse("no retry budget"));
    }
    return words.toString();
  }

  // ---- the tables ----

  private void table(List<SimCommand.Run> runs, boolean suggested, Setup base) {
    boolean slows = base.slowDown().isPresent();
    line(
        "  %-8s %9s %9s %9s %9s %8s %7s %7s%s"
            .formatted(
                "load",
                "offered/s",
                "goodput/s",
                "wait p50",
                "wait p99",
                "refused",
                "shed",
                "amplif.",
                slows ? "  recovery" : ""));
    for (SimCommand.Run run : runs) {
      if (run.suggested() == suggested) {
        Figures figures = run.figures();
        line(
            String.format(
                Locale.ROOT,
                "  %-8s %9s %9s %9s %9s %8s %7s %7.2f%s",
                run.row().load(),
                Amounts.number(figures.offered()),
                Amounts.number(figures.goodput()),
                time(figures.waitP50()),
                time(figures.waitP99()),
                percent(figures.refused()),
                percent(figures.shed()),
                figures.amplification(),
                slows ? "%10s".formatted(recovery(figures)) : ""));
      }
    }
    if (base.mix().size() > 1) {
      line("");
      line("  answered in time, by criticality");
      for (SimCommand.Run run : runs) {
        if (run.suggested() == suggested) {
          line("  %-8s %s".formatted(run.row().load(), classes(run.figures().answered())));
        }
      }
    }
  }

  private static String classes(Map<Criticality, Double> answered) {
    StringJoiner words = new StringJoiner("   ");
    answered.forEach((criticality, share) -> words.add(criticality + " " + percent(share)));
    return words.toString();
  }

  private static String recovery(Figures figures) {
    return figures.recovery().map(Amounts::time).orElse("never");
  }

  private static String time(Optional<Duration> time) {
    return time.map(Amounts::time).orElse("-");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  // ---- what to set ----

  private void little(Plan plan, Advice advice) {
    Setup base = plan.base();
    int places = base.server().concurrency();
    String service = Amounts.time(base.service().mean());
    entry("concurrency", "Little's law: calls worked on at once = rate × service time, L = λ × S");
    for (Advice.Busy busy : advice.busy()) {
      more(
          "%s: %s × %s = %s, of %d: %s"
              .formatted(
                  busy.row().load(),
                  Amounts.rate(busy.row().setup().perSecond()),
                  service,
                  Amounts.number(busy.calls()),
                  places,
                  Amounts.percent(busy.calls() / places)));
    }
    if (!plan.loads().isEmpty()) {
      more(
          "keep %d up to %s; beyond it give rate × %s / 0.8, so that a fifth is in reserve"
              .formatted(
                  places, Amounts.rate(Advice.FULL_ENOUGH * base.capacityPerSecond()), service));
    } else if (advice.concurrency() > places) {
      more(
          "set %d: %s / 0.8, so that a fifth is in reserve, if what it calls bears so many"
              .formatted(advice.concurrency(), Amounts.number(advice.busy().getFirst().calls())));
    } else {
      more("keep %d".formatted(places));
    }
  }

  private void capacity(Setup base, Advice advice) {
    Setup.Server server = base.server();
    String service = Amounts.time(base.service().mean());
    if (server.whenFull() == Setup.WhenFull.GROW) {
      entry("capacity", "the longest wait has no bound, because the queue has none");
    } else {
      entry(
          "capacity",
          "the longest wait of what is accepted is (Q/W + 1) × S = (%d/%d + 1) × %s = %s"
              .formatted(
                  server.capacity(),
                  server.concurrency(),
                  service,
                  Amounts.time(advice.longestWait())));
    }
    more(
        "half of the client's timeout is %s: Q = %d × (%s / %s − 1) = %d at most"
            .formatted(
                Amounts.time(advice.acceptableWait()),
                advice.concurrency(),
                Amounts.time(advice.acceptableWait()),
                service,
                advice.capacity()));
    boolean keeps =
        server.whenFull() != Setup.WhenFull.GROW && server.capacity() <= advice.capacity();
    more(keeps ? "keep " + server.capacity() : "set " + advice.capacity());
  }

  private void whenFull(Setup base, Advice advice) {
    Setup.WhenFull set = advice.suggested().server().whenFull();
    if (set == Setup.WhenFull.SHED_LEAST_CRITICAL && base.server().whenFull() != set) {
      entry(
          "when full",
          "set shed: more comes than can be served, and then the least critical should give way");
    }
  }

  private void queueDelay(Setup base, Advice advice) {
    Optional<Duration> target = base.server().queueDelay();
    entry(
        "queue delay",
        "if late work is worth nothing, a target of %s: a tenth of the client's timeout,"
            .formatted(Amounts.time(advice.queueDelay())));
    more("and not below (Q/4W + 1) × S, what a queue that is a quarter full makes one wait");
    target.ifPresent(
        given ->
            more(
                advice.suggested().server().queueDelay().equals(target)
                    ? "yours, %s, is above one service time and below the client's timeout: keep it"
                        .formatted(Amounts.time(given))
                    : "set it: yours is " + Amounts.time(given)));
  }

  private void retries(Setup base, Advice advice) {
    advice
        .retryPercent()
        .ifPresent(
            percent -> {
              entry(
                  "retries",
                  "a budget of %d %% makes %s times the load at most; without one %d attempts make %d"
                      .formatted(
                          percent,
                          Amounts.number(1 + percent / 100.0),
                          base.callers().attempts(),
                          base.callers().attempts()));
              more(base.callers().retryPercent().isPresent() ? "keep it" : "set it");
            });
  }

  // ---- lines ----

  private void heading(String words) {
    wrapped("", "", words);
  }

  private void entry(String head, String words) {
    wrapped("  %-12s ".formatted(head), " ".repeat(15), words);
  }

  private void more(String words) {
    wrapped(" ".repeat(17), " ".repeat(17), words);
  }

  private void wrapped(String first, String later, String words) {
    StringBuilder line = new StringBuilder(first);
    boolean begins = true;
    for (String word : words.split(" ", -1)) {
      if (!begins && line.length() + 1 + word.length() > WIDTH) {
        line(line.toString());
        line.setLength(0);
        line.append(later);
        begins = true;
      }
      line.append(begins ? "" : " ").append(word);
      begins = false;
    }
    line(line.toString());
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append('\n');
  }
}
