package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrderTest {
  @TempDir Path folder;
  private final PrintedLines printed = new PrintedLines();
  private final List<String> claims = Collections.synchronizedList(new ArrayList<>());
  private final List<String> lost = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger wakes = new AtomicInteger();

  private final Order.Claims pauses =
      new Order.Claims() {
        @Override
        public void pause() {
          claims.add("pause");
        }

        @Override
        public void resume() {
          claims.add("resume");
        }
      };

  private Order order(int mostHeld) {
    Order order = new Order(printed, () -> SpillFile.in(folder), pauses, mostHeld, lost::add);
    order.start();
    return order;
  }

  private static Item item(long position) {
    return Items.at(position, new byte[0]);
  }

  private static void begin(Order order, int count) {
    for (int position = 1; position <= count; position++) {
      order.begun(item(position));
    }
  }

  private LineSink open(Order order, long position) {
    return order.open(item(position), wakes::incrementAndGet);
  }

  private static void write(LineSink sink, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(sink.write(Output.Stream.OUT, bytes, bytes.length, Pauses.NO_HURRY)).isTrue();
  }

  private void runs(Order order, long position, String text) {
    LineSink sink = open(order, position);
    write(sink, text);
    sink.end(Pauses.NO_HURRY);
  }

  private void awaitPrinted(String text) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(() -> assertThat(printed.text()).isEqualTo(text));
  }

  @Test
  void theFirstWritesThroughAndTheOthersWait() {
    Order order = order(10);
    begin(order, 3);
    LineSink first = open(order, 1);
    runs(order, 3, "three\n");
    LineSink second = open(order, 2);
    write(second, "two\n");
    write(first, "one\n");
    assertThat(printed.text()).isEqualTo("one\n");
    first.end(Pauses.NO_HURRY);
    // It runs on: its own thread prints what it held, and is woken for it.
    assertThat(wakes).hasPositiveValue();
    second.proceed(Pauses.NO_HURRY);
    assertThat(printed.text()).isEqualTo("one\ntwo\n");
    write(second, "two more\n");
    assertThat(printed.text()).isEqualTo("one\ntwo\ntwo more\n");
    second.end(Pauses.NO_HURRY);
    order.close();
    assertThat(printed.text()).isEqualTo("one\ntwo\ntwo more\nthree\n");
    assertThat(order.held()).isZero();
  }

  @Test
  void oneWithoutACommandMakesRoom() {
    Order order = order(10);
    begin(order, 5);
    runs(order, 5, "five\n");
    runs(order, 3, "three\n");
    order.ended(item(1), Fate.refused(Reason.TOO_LARGE));
    order.ended(item(2), new Fate(Fate.Kind.UNSTARTED, "shed"));
    awaitPrinted("three\n");
    order.ended(item(4), new Fate(Fate.Kind.FAILED, "NotStarted"));
    order.close();
    assertThat(printed.text()).isEqualTo("three\nfive\n");
  }

  @Test
  void theEndOfAnItemWhoseCommandHasEndedChangesNothing() {
    Order order = order(10);
    begin(order, 2);
    runs(order, 2, "two\n");
    order.ended(item(2), new Fate(Fate.Kind.COMPLETED, ""));
    assertThat(order.held()).isEqualTo(1);
    runs(order, 1, "one\n");
    order.ended(item(1), new Fate(Fate.Kind.COMPLETED, ""));
    order.close();
    assertThat(printed.text()).isEqualTo("one\ntwo\n");
  }

  @Test
  void claimingPausesAboveWhatMayBeHeldAndGoesOnBelow() {
    Order order = order(2);
    begin(order, 6);
    LineSink first = open(order, 1);
    runs(order, 2, "two\n");
    runs(order, 3, "three\n");
    assertThat(claims).isEmpty();
    runs(order, 4, "four\n");
    assertThat(claims).containsExactly("pause");
    runs(order, 5, "five\n");
    assertThat(order.held()).isEqualTo(4);
    assertThat(claims).containsExactly("pause");
    first.end(Pauses.NO_HURRY);
    awaitPrinted("two\nthree\nfour\nfive\n");
    await().atMost(Duration.ofSeconds(20)).until(() -> order.held() == 0);
    assertThat(claims).containsExactly("pause", "resume");
  }

  @Test
  void aResultWithoutOutputIsNotHeld() {
    Order order = order(0);
    begin(order, 3);
    open(order, 2).end(Pauses.NO_HURRY);
    order.ended(item(3), Fate.refused(Reason.FULL));
    assertThat(order.held()).isZero();
    assertThat(claims).isEmpty();
  }

  @Test
  void aCommandThatIsStuckGivesWhatItHeldAndHoldsBackNobody() {
    Order order = order(10);
    begin(order, 4);
    LineSink stuckFirst = open(order, 1);
    write(stuckFirst, "one\n");
    LineSink stuckSecond = open(order, 2);
    write(stuckSecond, "two\n");
    runs(order, 3, "three\n");
    LineSink neverOpened = open(order, 9);
    order.hurry();
    for (int position = 1; position <= 4; position++) {
      order.ended(item(position), Fate.UNFINISHED);
    }
    order.close();
    assertThat(printed.text()).isEqualTo("one\ntwo\nthree\n");
    // Whatever a stuck one writes now comes too late.
    for (LineSink late : List.of(stuckFirst, stuckSecond, neverOpened)) {
      assertThat(late.write(Output.Stream.OUT, new byte[] {'\n'}, 1, Pauses.NO_HURRY)).isFalse();
    }
  }

  /** A pause of a command that was told to stop. */
  private static final class ToldToStop implements Pause {
    @Override
    public boolean attend() {
      return true;
    }

    @Override
    public boolean isHurried() {
      return true;
    }

    @Override
    public void woken() {}

    @Override
    public int millisUntilDue() {
      return 0;
    }

    @Override
    public int wakeFd() {
      return -1;
    }
  }

  @Test
  void aCommandThatWasToldToStopLeavesWhatItHeldToThePrinter() {
    Order order = order(10);
    begin(order, 2);
    LineSink second = open(order, 2);
    write(second, "before\n");
    open(order, 1).end(Pauses.NO_HURRY);
    byte[] last = "after\n".getBytes(StandardCharsets.UTF_8);
    assertThat(second.write(Output.Stream.OUT, last, last.length, new ToldToStop())).isTrue();
    assertThat(printed.text()).isEmpty();
    second.end(new ToldToStop());
    order.close();
    assertThat(printed.text()).isEqualTo("before\nafter\n");
  }

  @Test
  void aCommandThatHasEndedDoesNotWaitForAReaderOfWhatItHeld() throws Exception {
    try (Pipe pipe = new Pipe()) {
      int filled = pipe.fill();
      Output output = new Output(lost::add, pipe.writeEnd(), pipe.writeEnd());
      Order order = new Order(output, () -> SpillFile.in(folder), pauses, 10, lost::add);
      order.start();
      begin(order, 2);
      LineSink second = open(order, 2);
      write(second, "two\n");
      open(order, 1).end(Pauses.NO_HURRY);
      // Its turn has come, and nobody reads.
      second.end(Pauses.NO_HURRY);
      assertThat(order.held()).isEqualTo(1);
      CompletableFuture<byte[]> reading = Beside.supply(pipe::readAll);
      order.close();
      pipe.closeWriteEnd();
      String text = new String(reading.get(20, TimeUnit.SECONDS), StandardCharsets.UTF_8);
      assertThat(text).hasSize(filled + 4).endsWith("two\n");
      assertThat(lost).isEmpty();
    }
  }

  @Test
  void whatCannotBeHeldIsToldOnceAndTheCommandWritesNoMore() {
    Order order =
        new Order(printed, () -> SpillFile.in(folder.resolve("none")), pauses, 10, lost::add);
    order.start();
    begin(order, 3);
    byte[] large = ("x".repeat(2 * Hold.MEMORY_BYTES) + "\n").getBytes(StandardCharsets.UTF_8);
    for (int position = 2; position <= 3; position++) {
      LineSink sink = open(order, position);
      write(sink, "begins\n");
      assertThat(sink.write(Output.Stream.OUT, large, large.length, Pauses.NO_HURRY)).isFalse();
      sink.end(Pauses.NO_HURRY);
    }
    assertThat(lost)
        .containsExactly(
            "output cannot be held for --keep-order: "
                + folder.resolve("none")
                + ": No such file or directory");
    open(order, 1).end(Pauses.NO_HURRY);
    order.close();
    assertThat(printed.text()).isEqualTo("begins\nbegins\n");
  }

  @Test
  void afterAStopAReaderThatDoesNotReadIsNotWaitedFor() throws Exception {
    List<String> broken = Collections.synchronizedList(new ArrayList<>());
    try (Pipe pipe = new Pipe()) {
      pipe.fill();
      Output output = new Output(broken::add, pipe.writeEnd(), pipe.writeEnd());
      Order order = new Order(output, () -> SpillFile.in(folder), pauses, 10, lost::add);
      order.start();
      begin(order, 2);
      runs(order, 2, "two\n");
      open(order, 1).end(Pauses.NO_HURRY);
      CompletableFuture<Boolean> closed =
          Beside.supply(
              () -> {
                order.close();
                return true;
              });
      order.hurry();
      assertThat(closed.get(20, TimeUnit.SECONDS)).isTrue();
      assertThat(broken)
          .containsExactly("standard output cannot be written: nobody read it until the stop");
    }
  }
}
