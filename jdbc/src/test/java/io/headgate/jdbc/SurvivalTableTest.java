package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Holds the table of docs/durable-store.md to the tests: each cell names one that is there. */
class SurvivalTableTest {

  private static final int COLUMNS = 4;
  private static final Pattern NAME = Pattern.compile("`(\\w+)\\.(\\w+)`");

  private static List<String> rows() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../docs/durable-store.md"));
    int header = lines.indexOf("## What survives what");
    return lines.stream()
        .skip(header)
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .toList();
  }

  @Test
  @Tag("K1")
  void eachCellOfTheTableNamesATestThatIsThereAndIsOfK1() throws Exception {
    List<String> rows = rows();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(8);
    List<String> faults = new ArrayList<>();
    for (String row : rows) {
      List<String> cells = Arrays.asList(row.split("\\|", -1));
      assertThat(cells).as(row).hasSize(COLUMNS + 3);
      for (String cell : cells.subList(2, 2 + COLUMNS)) {
        List<MatchResult> names = NAME.matcher(cell).results().toList();
        if (names.isEmpty()) {
          faults.add("no test in: " + cell);
        }
        for (MatchResult name : names) {
          if (!isTestOfK1(name.group(1), name.group(2))) {
            faults.add("no such test with the tag K1: " + name.group());
          }
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  private static boolean isTestOfK1(String className, String methodName)
      throws ClassNotFoundException {
    Class<?> type = Class.forName("io.headgate.jdbc." + className);
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(methodName))
        .anyMatch(
            method ->
                AnnotationSupport.isAnnotated(method, Testable.class)
                    && (isTagged(method.getAnnotationsByType(Tag.class))
                        || isTagged(type, method)));
  }

  private static boolean isTagged(Class<?> type, Method method) {
    return method.getDeclaringClass() == type && isTagged(type.getAnnotationsByType(Tag.class));
  }

  private static boolean isTagged(Tag[] tags) {
    return Stream.of(tags).anyMatch(tag -> tag.value().equals("K1"));
  }
}
