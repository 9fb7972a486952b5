package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.cli.Output.Stream;
import io.headgate.cli.StatusLine.Neighbour;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatusLineTest {
  private static final String CLEAR = "\r\033[K";

  private final StringBuilder terminal = new StringBuilder();
  private boolean ours = true;

  private void sink(byte[] bytes, Pause pause) {
    terminal.append(new String(bytes, StandardCharsets.US_ASCII));
  }

  private StatusLine line(Neighbour neighbour) {
    return new StatusLine(() -> ours, neighbour);
  }

  private void write(StatusLine line, Stream stream, String text) {
    line.giveWay(stream, this::sink, Pauses.NO_HURRY);
    terminal.append(text);
    line.comeBack(stream, this::sink);
  }

  private String drawn() {
    String text = terminal.toString();
    terminal.setLength(0);
    return text;
  }

  @Test
  void itIsTakenAwayForEveryLineOnTheTerminalAndComesBack() {
    StatusLine line = line(Neighbour.TERMINAL);
    line.draw("50%", this::sink);
    write(line, Stream.OUT, "a\n");
    write(line, Stream.ERR, "b\n");
    line.end(this::sink, Pauses.NO_HURRY);
    assertThat(drawn())
        .isEqualTo(
            CLEAR + "50%" + CLEAR + "a\n" + CLEAR + "50%" + CLEAR + "b\n" + CLEAR + "50%" + CLEAR);
  }

  @Test
  void beforeItIsDrawnAndAfterItsEndNothingOfItIsWritten() {
    StatusLine line = line(Neighbour.TERMINAL);
    write(line, Stream.OUT, "a\n");
    line.end(this::sink, Pauses.NO_HURRY);
    line.draw("50%", this::sink);
    write(line, Stream.ERR, "b\n");
    assertThat(drawn()).isEqualTo("a\nb\n");
  }

  @Test
  void outputThatGoesToAFileLeavesItAlone() {
    StatusLine line = line(Neighbour.FILE);
    line.draw("50%", this::sink);
    write(line, Stream.OUT, "");
    assertThat(drawn()).isEqualTo(CLEAR + "50%");
    write(line, Stream.ERR, "b\n");
    assertThat(drawn()).isEqualTo(CLEAR + "b\n" + CLEAR + "50%");
  }

  @Test
  void outputThatComesOutOfAnotherProgramFindsRoomUntilTheNextDrawing() {
    StatusLine line = line(Neighbour.PIPE);
    line.draw("50%", this::sink);
    write(line, Stream.OUT, "");
    assertThat(drawn()).isEqualTo(CLEAR + "50%" + CLEAR);
    line.draw("51%", this::sink);
    assertThat(drawn()).isEqualTo(CLEAR + "51%");
  }

  @Test
  void inTheBackgroundTheTerminalBelongsToOthers() {
    StatusLine line = line(Neighbour.TERMINAL);
    line.draw("50%", this::sink);
    ours = false;
    drawn();
    write(line, Stream.OUT, "a\n");
    line.draw("51%", this::sink);
    assertThat(drawn()).isEqualTo("a\n");
    ours = true;
    line.draw("52%", this::sink);
    assertThat(drawn()).isEqualTo(CLEAR + "52%");
  }

  @Test
  void itStandsBelowTheLinesOfTheOutput() {
    try (Pipe pipe = new Pipe()) {
      Output output = new Output(broken -> {}, pipe.writeEnd(), pipe.writeEnd());
      output.setStatusLine(line(Neighbour.TERMINAL));
      output.drawStatus("50%");
      byte[] text = {'a', '\n'};
      output.write(Stream.OUT, text, text.length, Pauses.NO_HURRY);
      output.complain("b");
      output.endStatus();
      pipe.closeWriteEnd();
      assertThat(new String(pipe.readAll(), StandardCharsets.US_ASCII))
          .isEqualTo(
              CLEAR + "50%" + CLEAR + "a\n" + CLEAR + "50%" + CLEAR + "b\n" + CLEAR + "50%"
                  + CLEAR);
    }
  }

  @Test
  void aTerminalThatTakesNothingIsNotWaitedFor() throws Exception {
    try (Pipe pipe = new Pipe()) {
      pipe.fill();
      Output output = new Output(broken -> {}, pipe.writeEnd(), pipe.writeEnd());
      output.setStatusLine(line(Neighbour.TERMINAL));
      CompletableFuture<Void> all =
          Beside.run(
              () -> {
                output.drawStatus("50%");
                output.remark("nobody reads");
                output.endStatus();
              });
      all.get(20, TimeUnit.SECONDS);
    }
  }
}
