package io.headgate.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tests have in common that hold the children of the real command at a gate. After each test
 * no child that told its id may be left.
 */
abstract class GatedProcess {
  @TempDir Path directory;
  Gate gate;

  @BeforeEach
  void makeGate() throws Exception {
    gate = new Gate(directory);
  }

  @AfterEach
  void noChildIsLeft() throws IOException {
    Groups.awaitGone(Groups.ids(gate.ids()));
    gate.close();
  }

  final HeadgateProcess.Setup headgate() {
    return HeadgateProcess.in(directory);
  }
}
