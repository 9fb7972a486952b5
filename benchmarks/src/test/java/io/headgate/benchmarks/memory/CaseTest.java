package io.headgate.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.benchmarks.measure.Answers;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a trial says is not believed: what it leaves out must show. */
class CaseTest {

  private static final Case CAPPED = new Case(4_096, 128, 100);

  @Test
  @Tag("M1")
  void soundTrialHasNoFaults() {
    assertThat(CAPPED.faults(new Answers(sound()))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "processed, 999",
    "failed, 999",
    "accepted, 1001",
    "otherOutcomes, 1",
    "kept, 99",
    "omitted, 899",
    "keptChars, 12672",
    "keptTruncated, 99"
  })
  @Tag("M1")
  @Tag("M3")
  void wrongCountIsAFault(String name, String value) {
    Map<String, String> answers = sound();
    answers.put(name, value);
    assertThat(CAPPED.faults(new Answers(answers))).singleElement().asString().contains(name);
  }

  @Test
  @Tag("M3")
  void capThatSkipsTheWorkIsAFault() {
    Map<String, String> answers = sound();
    // As a trial would answer that built only what the cap keeps.
    answers.put("checksum", Message.checksum(Case.JOBS, 128));
    assertThat(CAPPED.faults(new Answers(answers))).singleElement().asString().contains("checksum");
    // And one that skipped a single job.
    answers.put("checksum", Message.checksum(Case.JOBS - 1, 4_096));
    assertThat(CAPPED.faults(new Answers(answers))).isNotEmpty();
  }

  @Test
  void messagesDifferInWhatACapKeeps() {
    assertThat(Message.of(1, 128)).hasSize(128).isNotEqualTo(Message.of(2, 128));
    assertThat(Message.of(7, 4_096)).hasSize(4_096).startsWith(Message.of(7, 128));
  }

  private static Map<String, String> sound() {
    Map<String, String> answers = new HashMap<>();
    answers.put("checksum", Message.checksum(Case.JOBS, 4_096));
    answers.put("processed", "1000");
    answers.put("accepted", "1000");
    answers.put("failed", "1000");
    answers.put("otherOutcomes", "0");
    answers.put("kept", "100");
    answers.put("omitted", "900");
    answers.put("keptChars", "12800");
    answers.put("keptTruncated", "100");
    return answers;
  }
}
