package io.headgate.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbered contracts of docs/contracts.md, in its order.
 *
 * @param all every contract of the page
 * @param pending numbers of the part core that may still be without a test
 */
record Contracts(List<Contract> all, Set<String> pending) {
  private static final String NUMBER = "(?:[A-Z][1-9][0-9]*|CASE-[1-9][0-9]*)";
  private static final Pattern ROW =
      Pattern.compile("^\\| (" + NUMBER + ") \\| (.*) \\| ([a-z]+) \\|$", Pattern.MULTILINE);
  private static final Pattern PENDING =
      Pattern.compile("^Pending:((?:\\s+" + NUMBER + ")*)\\s*$", Pattern.MULTILINE);
  private static final Pattern TAG = Pattern.compile(NUMBER);

  /**
   * One row of the page.
   *
   * @param number for instance A3 or CASE-7
   * @param statement the contract in one line
   * @param part who builds it: core now, all others later
   */
  record Contract(String number, String statement, String part) {
    boolean isOpen() {
      return !part.equals("core");
    }
  }

  static Contracts read(Path page) throws IOException {
    return parse(Files.readString(page));
  }

  static Contracts parse(String text) {
    List<Contract> all = new ArrayList<>();
    Set<String> numbers = new TreeSet<>();
    Matcher row = ROW.matcher(text);
    while (row.find()) {
      all.add(new Contract(row.group(1), row.group(2), row.group(3)));
      if (!numbers.add(row.group(1))) {
        throw new IllegalArgumentException(
            "docs/contracts.md lists %s twice".formatted(row.group(1)));
      }
    }
    Matcher line = PENDING.matcher(text);
    if (all.isEmpty() || !line.find()) {
      throw new IllegalArgumentException(
          "docs/contracts.md has no row, or no line that begins with Pending:");
    }
    Set<String> pending = new TreeSet<>();
    Matcher number = TAG.matcher(line.group(1));
    while (number.find()) {
      pending.add(number.group());
    }
    return new Contracts(List.copyOf(all), Set.copyOf(pending));
  }

  /** Whether a tag has the form of a number, known or not. */
  static boolean isNumber(String tag) {
    return TAG.matcher(tag).matches();
  }

  Optional<Contract> find(String number) {
    return all.stream().filter(contract -> contract.number().equals(number)).findFirst();
  }
}
