package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.jdbc.Model.Step;
import io.headgate.jdbc.ModelState.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goes through every state that two nodes and two jobs can reach, and holds each to the equation.
 * It is about the table, not about the code: the code is held to the table by the other tests.
 */
class StateMachineTest {

  /** Tokens tell claims apart; beyond this many of one job nothing new can happen. */
  private static final int MAX_TOKENS = 3;

  private static final Pattern ROW =
      Pattern.compile("^\\| ([a-z()]+) \\| ([a-z, ]+) \\| ([a-z()]+) \\|", Pattern.MULTILINE);

  @ParameterizedTest
  @EnumSource(Uncertain.class)
  @Tag("K3")
  @Tag("K4")
  @Tag("K6")
  @Tag("K8")
  @Tag("CASE-47")
  void everyReachableStateKeepsTheEquation(Uncertain policy) {
    assertThat(explore(policy, new TreeSet<>())).isGreaterThan(1_000);
  }

  @Test
  @Tag("K8")
  void theTableOfTheDocsHoldsExactlyTheTransitionsOfTheModel() throws IOException {
    Set<String> modelled = new TreeSet<>();
    for (Uncertain policy : Uncertain.values()) {
      explore(policy, modelled);
    }
    Set<String> written = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("../docs/internals/state-machines.md")));
    while (row.find()) {
      written.add(row.group(1) + " -- " + row.group(2) + " -> " + row.group(3));
    }
    written.remove("from -- event -> to");
    assertThat(written).isEqualTo(modelled);
  }

  private static int explore(Uncertain policy, Set<String> transitions) {
    Model model = new Model(policy);
    Set<String> seen = new HashSet<>();
    ArrayDeque<ModelState> open = new ArrayDeque<>();
    open.add(new ModelState());
    while (!open.isEmpty()) {
      ModelState now = open.poll();
      for (Step step : model.next(now)) {
        check(now, step);
        if (step.from() != step.to()) {
          transitions.add(name(step.from()) + " -- " + step.event() + " -> " + name(step.to()));
        }
        ModelState after = step.after();
        boolean within = after.token[0] <= MAX_TOKENS && after.token[1] <= MAX_TOKENS;
        if (within && seen.add(after.key())) {
          open.add(after);
        }
      }
    }
    return seen.size();
  }

  private static String name(Place place) {
    return place == Place.NONE ? "(none)" : place.name().toLowerCase(Locale.ROOT);
  }

  /** Plain conditions: there are millions of them, and describing one costs more than deciding. */
  private static void check(ModelState before, Step step) {
    ModelState after = step.after();
    int sum = 0;
    for (Place place : Place.values()) {
      if (place != Place.NONE) {
        hold(after.counter(place) == after.count(place), "the counter is true", step);
        sum += after.counter(place);
      }
    }
    hold(sum == after.accepted, "accepted = outcomes + unfinished", step);
    hold(after.unfinished() <= Model.ROOM, "unfinished within its bound", step);
    for (int node = 0; node < ModelState.NODES; node++) {
      hold(after.runningOn(node) <= Model.CONCURRENCY, "running within its bound", step);
    }
    for (int job = 0; job < ModelState.JOBS; job++) {
      Place was = before.place[job];
      Place is = after.place[job];
      int starts = after.starts[job];
      hold(starts >= 0 && starts <= Model.MAX_STARTS, "starts without an end are few", step);
      hold(!was.isOutcome() || is == was, "an outcome is for good", step);
      hold(was == Place.NONE || is != Place.NONE, "no accepted job is lost", step);
      hold(is != Place.RUNNING || holders(after, job) == 1, "one node holds the token", step);
    }
  }

  private static int holders(ModelState state, int job) {
    int holders = 0;
    for (int node = 0; node < ModelState.NODES; node++) {
      holders += state.believed[node][job] == state.token[job] ? 1 : 0;
    }
    return holders;
  }

  private static void hold(boolean condition, String what, Step step) {
    if (!condition) {
      throw new AssertionError(
          "not so: "
              + what
              + ", after "
              + step.event()
              + " of job "
              + step.job()
              + " gave "
              + step.after().key());
    }
  }
}
