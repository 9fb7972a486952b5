package io.headgate.evidence;

import io.headgate.evidence.Contracts.Contract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The text of docs/evidence.md, and what is wrong with it. */
final class Page {
  private final Contracts contracts;

  /** Number, then title of the test, then titles of the classes that run it. */
  private final Map<String, Map<String, SortedSet<String>>> evidence = new TreeMap<>();

  Page(Contracts contracts, List<TaggedTest> tests) {
    this.contracts = contracts;
    for (TaggedTest test : tests) {
      for (String tag : test.tags()) {
        if (Contracts.isNumber(tag)) {
          evidence
              .computeIfAbsent(tag, number -> new TreeMap<>())
              .computeIfAbsent(test.title(), title -> new TreeSet<>())
              .add(test.runnerTitle());
        }
      }
    }
  }

  /** One line for each number that is unknown, or that must have a test and has none. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (String number : evidence.keySet()) {
      if (contracts.find(number).isEmpty()) {
        faults.add(
            "%s is no contract, but tags %s"
                .formatted(number, String.join(", ", evidence.get(number).keySet())));
      }
    }
    for (Contract contract : contracts.all()) {
      if (!contract.isOpen()
          && isMissing(contract)
          && !contracts.pending().contains(contract.number())) {
        faults.add("no test names %s: %s".formatted(contract.number(), contract.statement()));
      }
    }
    for (String number : contracts.pending()) {
      if (contracts.find(number).filter(contract -> !contract.isOpen()).isEmpty()) {
        faults.add("%s is pending, but is no contract of the part core".formatted(number));
      }
    }
    return faults;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("# Evidence\n\n");
    text.append("Which tests name which [contract](contracts.md). Written by ");
    text.append("`./verify --evidence`; the build fails when\n");
    text.append("this page is out of date, or when a contract that is due has no test.\n");
    for (Contract contract : contracts.all()) {
      if (!isMissing(contract)) {
        text.append("\n## ").append(contract.number()).append("\n\n");
        text.append(contract.statement()).append("\n\n");
        evidence
            .get(contract.number())
            .forEach((test, runners) -> text.append(line(test, runners)).append('\n'));
      }
    }
    text.append("\n## Without a test yet\n\n");
    contracts.all().stream()
        .filter(this::isMissing)
        .collect(Collectors.groupingBy(Contract::part, TreeMap::new, Collectors.toList()))
        .forEach((part, missing) -> text.append(missingLine(part, missing)));
    return text.toString();
  }

  private boolean isMissing(Contract contract) {
    return !evidence.containsKey(contract.number());
  }

  private static String line(String test, SortedSet<String> runners) {
    boolean runsItself = runners.size() == 1 && test.startsWith(runners.first() + ".");
    return "- `%s`%s".formatted(test, runsItself ? "" : " in " + String.join(", ", runners));
  }

  private static String missingLine(String part, List<Contract> missing) {
    return "- %s: %s\n"
        .formatted(part, missing.stream().map(Contract::number).collect(Collectors.joining(" ")));
  }
}
