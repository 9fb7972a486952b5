package io.headgate.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FindingsTest {

  private static final Machine MACHINE =
      new Machine("cpu", "CPUs 0,1", "none", "0 0 0", "1 GiB", "os", "jdk", "abc+", "123456");

  @Test
  void everyRowCarriesPeerSettingsMachineCommitAndSources() {
    Row row = Row.of("peer \"x\"", "1.0", "as documented").with("rate", Spread.of(1, 2, 3));
    String json = new Findings("Title", "", List.of(row, row)).json(MACHINE, "./bench core");
    for (String part :
        List.of(
            "\"subject\": \"peer \\\"x\\\"\"",
            "\"version\": \"1.0\"",
            "\"settings\": \"as documented\"",
            "\"median\": 2.0",
            "\"command\": \"./bench core\"",
            "\"commit\": \"abc+\"",
            "\"sources\": \"123456\"")) {
      assertThat(json.split(java.util.regex.Pattern.quote(part), -1)).as(part).hasSize(3);
    }
  }

  @Test
  void whatJsonHasNotIsTextOrRefused() {
    assertThat(Json.of(Map.of("x", 1.0 / 0))).contains("\"x\": \"Infinity\"");
    assertThatThrownBy(() -> Json.of(new Object())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rowWithTwoOfOneNameIsRefused() {
    assertThatThrownBy(() -> Row.of("a", "b", "c").with("version", 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tableRowNeedsACellForEachColumn() {
    Table table = Table.of("a", "b");
    assertThatThrownBy(() -> table.row(1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(table.row(1, "x|y").text()).isEqualTo("| a | b |\n|---|---|\n| 1 | x\\|y |\n");
  }
}
