package io.headgate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Run by the build after the tests of all modules, in a run of its own. */
final class EvidenceCheck {
  @Test
  void everyContractThatIsDueHasATestThatRan() throws IOException {
    assertThat(new Evidence(Path.of("..")).faults()).isEmpty();
  }
}
