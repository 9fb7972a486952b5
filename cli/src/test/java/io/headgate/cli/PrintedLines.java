package io.headgate.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps what is printed, of both streams in one. Safe for all threads. */
final class PrintedLines implements LineSink {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public boolean write(Output.Stream stream, byte[] lines, int length, Pause pause) {
    bytes.write(lines, 0, length);
    return true;
  }

  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
