package io.headgate.cli.sim;

import io.headgate.Criticality;
import io.headgate.cli.DurationOption;
import io.headgate.cli.UsageException;
import io.headgate.simulator.ServiceTime;
import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads a file, and refuses it in one line that names the key, the value, the rule, the cure. */
final class SetupFile {
  private static final Map<String, ServiceTime> TIMES =
      Map.of(
          "constant", ServiceTime.CONSTANT,
          "exponential", ServiceTime.EXPONENTIAL,
          "heavy-tailed", ServiceTime.HEAVY_TAILED);
  private static final Map<String, Setup.WhenFull> POLICIES =
      Map.of(
          "refuse", Setup.WhenFull.REFUSE,
          "shed", Setup.WhenFull.SHED_LEAST_CRITICAL,
          "grow", Setup.WhenFull.GROW);
  private static final Map<Key, Criticality> CLASSES =
      Map.of(
          Key.CRITICAL_PLUS, Criticality.CRITICAL_PLUS,
          Key.CRITICAL, Criticality.CRITICAL,
          Key.SHEDDABLE_PLUS, Criticality.SHEDDABLE_PLUS,
          Key.SHEDDABLE, Criticality.SHEDDABLE);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final double MAX_PER_SECOND = 1e9;
  private static final int MAX_LOADS = 20;

  private final String name;
  private final TomlParseResult toml;

  private SetupFile(String name, TomlParseResult toml) {
    this.name = name;
    this.toml = toml;
  }

  /**
   * Reads it.
   *
   * @param name of the file, for messages
   */
  static Plan parse(String name, String text) throws SetupException {
    TomlParseResult toml = Toml.parse(text);
    if (toml.hasErrors()) {
      TomlParseError error = toml.errors().getFirst();
      throw new SetupException(
          "%s:%d: not TOML: %s".formatted(name, error.position().line(), error.getMessage()));
    }
    SetupFile file = new SetupFile(name, toml);
    file.refuseUnknown();
    return file.plan();
  }

  private void refuseUnknown() throws SetupException {
    List<Map.Entry<List<String>, Object>> entries = new ArrayList<>(toml.entryPathSet(true));
    entries.sort(Comparator.comparingInt(entry -> line(entry.getKey())));
    for (Map.Entry<List<String>, Object> entry : entries) {
      String path = String.join(".", entry.getKey());
      boolean isTable = false;
      boolean isKey = false;
      for (Key key : Key.values()) {
        isTable |= key.table().equals(path);
        isKey |= key.path().equals(path);
      }
      if (isTable && !(entry.getValue() instanceof TomlTable)) {
        throw wrong(entry.getKey(), "it is a table; write [" + path + "] and its keys below");
      }
      if (!isTable && !isKey) {
        throw new SetupException(
            "%s:%d: %s: no such key; the nearest is %s"
                .formatted(name, line(entry.getKey()), path, Key.nearest(path)));
      }
    }
  }

  // ---- what it all comes to ----

  private Plan plan() throws SetupException {
    Map<Criticality, Double> mix = mix();
    Setup.Service service =
        new Setup.Service(
            choice(Key.TIME, TIMES, ServiceTime.EXPONENTIAL), duration(needed(Key.MEAN)));
    Setup.Server server = server(mix);
    Setup.Callers callers = callers();
    Duration duration = isGiven(Key.DURATION) ? duration(Key.DURATION) : Duration.ofMinutes(1);
    Optional<Setup.SlowDown> slowDown = slowDown(duration);
    double capacity = server.concurrency() * 1e9 / service.mean().toNanos();
    List<Double> loads = List.of();
    double rate = capacity;
    if (isGiven(Key.LOADS)) {
      forbid(Key.RATE, "arrivals.loads gives the rate already; leave one of the two out");
      loads = loads();
    } else if (isGiven(Key.RATE)) {
      rate = number(Key.RATE, 1e-3, MAX_PER_SECOND);
    } else {
      throw new SetupException(
          "%s: arrivals.rate is missing: %s; or give arrivals.loads"
              .formatted(name, Key.RATE.meaning()));
    }
    Key asked = loads.isEmpty() ? Key.RATE : Key.LOADS;
    double highest = loads.stream().mapToDouble(load -> load * capacity).max().orElse(rate);
    if (highest > MAX_PER_SECOND) {
      throw wrong(
          asked.parts(),
          "that is %.0f calls a second, and %.0f is the most;".formatted(highest, MAX_PER_SECOND)
              + " lower it or worker.concurrency, or raise service.mean");
    }
    double calls = highest * duration.toNanos() / 1e9 * callers.attempts();
    if (calls > Setup.MAX_CALLS) {
      throw wrong(
          asked.parts(),
          "that may be %.0f calls in one run, retries included, and %d is the most;"
                  .formatted(calls, Setup.MAX_CALLS)
              + " lower it, or the duration");
    }
    long seed = isGiven(Key.SEED) ? whole(Key.SEED, Long.MIN_VALUE, Long.MAX_VALUE) : 1;
    return new Plan(
        new Setup(
            loads.isEmpty() ? rate : loads.getFirst() * capacity,
            mix,
            service,
            server,
            callers,
            slowDown,
            seed,
            duration),
        loads);
  }

  private Setup.Server server(Map<Criticality, Double> mix) throws SetupException {
    int concurrency = (int) whole(needed(Key.CONCURRENCY), 1, 100_000);
    Setup.WhenFull whenFull = choice(Key.WHEN_FULL, POLICIES, Setup.WhenFull.REFUSE);
    if (whenFull == Setup.WhenFull.GROW) {
      forbid(Key.CAPACITY, "a queue that grows has no capacity; leave it out");
      forbid(Key.QUEUE_DELAY, "a queue that grows has none; leave it out");
      return new Setup.Server(concurrency, 0, whenFull, Optional.empty());
    }
    if (whenFull == Setup.WhenFull.SHED_LEAST_CRITICAL && mix.size() < 2) {
      throw wrong(
          Key.WHEN_FULL.parts(), "all calls are of one class; give two in [mix], or leave it out");
    }
    int capacity = (int) whole(needed(Key.CAPACITY), 0, 10_000_000);
    Optional<Duration> queueDelay =
        isGiven(Key.QUEUE_DELAY) ? Optional.of(duration(Key.QUEUE_DELAY)) : Optional.empty();
    return new Setup.Server(concurrency, capacity, whenFull, queueDelay);
  }

  private Setup.Callers callers() throws SetupException {
    Duration timeout = duration(needed(Key.TIMEOUT));
    int attempts = isGiven(Key.ATTEMPTS) ? (int) whole(Key.ATTEMPTS, 1, 100) : 1;
    if (attempts == 1) {
      for (Key key : List.of(Key.DEADLINE, Key.BACKOFF, Key.RETRY_BUDGET)) {
        forbid(key, "clients.attempts is 1, so there are no retries; raise it, or leave this out");
      }
      return new Setup.Callers(timeout, timeout, 1, Duration.ZERO, Optional.empty());
    }
    Duration all = timeout.multipliedBy(attempts);
    Duration deadline = all.compareTo(LONGEST) < 0 ? all : LONGEST.minusNanos(1);
    if (isGiven(Key.DEADLINE)) {
      deadline = duration(Key.DEADLINE);
      if (deadline.compareTo(timeout) < 0) {
        throw wrong(
            Key.DEADLINE.parts(), "it is below clients.timeout, that of one attempt; raise it");
      }
    }
    Duration backoff = isGiven(Key.BACKOFF) ? durationOrZero(Key.BACKOFF) : Duration.ofMillis(100);
    Optional<Integer> budget =
        isGiven(Key.RETRY_BUDGET)
            ? Optional.of((int) whole(Key.RETRY_BUDGET, 1, 100))
            : Optional.empty();
    return new Setup.Callers(timeout, deadline, attempts, backoff, budget);
  }

  private Map<Criticality, Double> mix() throws SetupException {
    Map<Criticality, Double> parts = new EnumMap<>(Criticality.class);
    double sum = 0;
    for (Map.Entry<Key, Criticality> entry : CLASSES.entrySet()) {
      double part = isGiven(entry.getKey()) ? number(entry.getKey(), 0, 1e9) : 0;
      if (part > 0) {
        parts.put(entry.getValue(), part);
        sum += part;
      }
    }
    if (parts.isEmpty()) {
      if (toml.contains(List.of("mix"))) {
        throw new SetupException(
            "%s:%d: mix: no part is above zero; give one, or leave [mix] out"
                .formatted(name, line(List.of("mix"))));
      }
      return Map.of(Criticality.CRITICAL, 1.0);
    }
    double all = sum;
    parts.replaceAll((criticality, part) -> part / all);
    return parts;
  }

  private Optional<Setup.SlowDown> slowDown(Duration duration) throws SetupException {
    if (!toml.contains(List.of(Key.SLOW_AT.table()))) {
      return Optional.empty();
    }
    Duration at = durationOrZero(needed(Key.SLOW_AT));
    Duration lasts = duration(needed(Key.SLOW_FOR));
    if (at.plus(lasts).compareTo(duration) >= 0) {
      throw wrong(
          Key.SLOW_FOR.parts(),
          "it ends after %s, and the run after %s; shorten it, or raise the duration"
              .formatted(Amounts.time(at.plus(lasts)), Amounts.time(duration)));
    }
    return Optional.of(new Setup.SlowDown(at, lasts, number(needed(Key.SLOW_TIMES), 1e-3, 1e6)));
  }

  private List<Double> loads() throws SetupException {
    Object value = value(Key.LOADS);
    if (!(value instanceof TomlArray array) || array.isEmpty() || array.size() > MAX_LOADS) {
      throw wrong(
          Key.LOADS.parts(), "give a list of 1 to %d numbers, as [0.5, 1, 2]".formatted(MAX_LOADS));
    }
    List<Double> loads = new ArrayList<>();
    for (Object element : array.toList()) {
      double load = element instanceof Number number ? number.doubleValue() : 0;
      if (!(load >= 1e-3 && load <= 1000)) {
        throw wrong(Key.LOADS.parts(), "each must be a number from 0.001 to 1000");
      }
      loads.add(load);
    }
    return loads;
  }

  // ---- values ----

  private boolean isGiven(Key key) {
    return toml.contains(key.parts());
  }

  private @Nullable Object value(Key key) {
    return toml.get(key.parts());
  }

  private Key needed(Key key) throws SetupException {
    if (!isGiven(key)) {
      throw new SetupException(
          "%s: %s is missing: %s; headgate sim --example shows a whole file"
              .formatted(name, key.path(), key.meaning()));
    }
    return key;
  }

  private void forbid(Key key, String why) throws SetupException {
    if (isGiven(key)) {
      throw wrong(key.parts(), why);
    }
  }

  private long whole(Key key, long least, long most) throws SetupException {
    if (!(value(key) instanceof Long number)) {
      throw wrong(key, "give a whole number");
    }
    if (number < least || number > most) {
      throw wrong(key, "must be from %d to %d".formatted(least, most));
    }
    return number;
  }

  private double number(Key key, double least, double most) throws SetupException {
    if (!(value(key) instanceof Number number)) {
      throw wrong(key, "give a number");
    }
    if (!(number.doubleValue() >= least && number.doubleValue() <= most)) {
      throw wrong(
          key, "must be from %s to %s".formatted(Amounts.number(least), Amounts.number(most)));
    }
    return number.doubleValue();
  }

  private Duration duration(Key key) throws SetupException {
    Duration duration = durationOrZero(key);
    if (duration.isZero()) {
      throw wrong(key, "must be above zero");
    }
    return duration;
  }

  private Duration durationOrZero(Key key) throws SetupException {
    if (!(value(key) instanceof String text)) {
      throw wrong(key, "give a text with a number and a unit, like \"500ms\", \"30s\" or \"5m\"");
    }
    Duration duration;
    try {
      duration = DurationOption.parse(key.path() + " =", text);
    } catch (UsageException e) {
      throw new SetupException("%s:%d: %s".formatted(name, line(key.parts()), e.line()));
    }
    if (duration.compareTo(LONGEST) >= 0) {
      throw wrong(key, "must be below a day");
    }
    return duration;
  }

  private <T> T choice(Key key, Map<String, T> choices, T usual) throws SetupException {
    if (!isGiven(key)) {
      return usual;
    }
    T chosen = value(key) instanceof String text ? choices.get(text) : null;
    if (chosen == null) {
      throw wrong(
          key, "must be one of " + String.join(", ", choices.keySet().stream().sorted().toList()));
    }
    return chosen;
  }

  // ---- messages ----

  private SetupException wrong(Key key, String rule) {
    return wrong(key.parts(), rule + "; it is " + key.meaning());
  }

  private SetupException wrong(List<String> path, String why) {
    return new SetupException(
        "%s:%d: %s = %s: %s"
            .formatted(name, line(path), String.join(".", path), shown(toml.get(path)), why));
  }

  private int line(List<String> path) {
    TomlPosition position = toml.inputPositionOf(path);
    return position == null ? 1 : position.line();
  }

  private static String shown(@Nullable Object value) {
    String text =
        switch (value) {
          case String string -> '"' + string + '"';
          case TomlArray array -> array.toList().stream().map(SetupFile::shown).toList().toString();
          case TomlTable _ -> "a table";
          case null -> "nothing";
          default -> value.toString();
        };
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }
}
