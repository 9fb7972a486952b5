package io.headgate.cli;

import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * The line below all output on a terminal. It is taken away while others write, and comes back.
 * Everything under the lock of the {@link Output}.
 *
 * <p>It is made of a carriage return, the sequence that erases to the end of the line, and text: no
 * mode of the terminal is changed, so there is none to restore when the process is killed.
 */
final class StatusLine {
  /** Writes to the terminal. */
  interface Sink {
    void write(byte[] bytes, Pause pause);
  }

  /** What the output of the commands does to the line. */
  enum Neighbour {
    /** It goes to a terminal too: the line comes back right after it. */
    TERMINAL,
    /** It may reach the terminal through another program, a little later. */
    PIPE,
    /** It goes elsewhere. */
    FILE
  }

  private static final String CLEAR = "\r\033[K";

  private final BooleanSupplier isOurs;
  private final Neighbour neighbour;
  private String text = "";
  private boolean shown;
  private boolean ended;

  /**
   * @param isOurs whether the terminal is ours to draw on just now
   * @param neighbour where standard output goes
   */
  StatusLine(BooleanSupplier isOurs, Neighbour neighbour) {
    this.isOurs = isOurs;
    this.neighbour = neighbour;
  }

  /** Shows another text. A terminal that takes nothing just now is not waited for. */
  void draw(String newText, Sink terminal) {
    text = newText;
    show(terminal);
  }

  /** Is taken away, for a write that comes now. */
  void giveWay(Output.Stream stream, Sink terminal, Pause pause) {
    if (shown && !(stream == Output.Stream.OUT && neighbour == Neighbour.FILE)) {
      clear(terminal, pause);
    }
  }

  /** Comes back after a write. */
  void comeBack(Output.Stream stream, Sink terminal) {
    if (!shown && (stream == Output.Stream.ERR || neighbour == Neighbour.TERMINAL)) {
      show(terminal);
    }
  }

  /** Is taken away, and never comes back. */
  void end(Sink terminal, Pause pause) {
    ended = true;
    if (shown) {
      clear(terminal, pause);
    }
  }

  private void show(Sink terminal) {
    if (ended || text.isEmpty() || !isOurs.getAsBoolean()) {
      return;
    }
    shown = true;
    terminal.write((CLEAR + text).getBytes(StandardCharsets.US_ASCII), Output.AT_ONCE);
  }

  private void clear(Sink terminal, Pause pause) {
    shown = false;
    // After Ctrl-Z and bg the line that the cursor is on belongs to the shell.
    if (isOurs.getAsBoolean()) {
      terminal.write(CLEAR.getBytes(StandardCharsets.US_ASCII), pause);
    }
  }
}
