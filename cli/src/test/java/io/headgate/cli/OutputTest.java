package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutputTest {
  private final List<String> broken = Collections.synchronizedList(new ArrayList<>());

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private boolean write(Output output, String text) {
    byte[] bytes = bytes(text);
    return output.write(Output.Stream.OUT, bytes, bytes.length, Pauses.NO_HURRY);
  }

  private static int open(String file) {
    return new Posix().open(Arena.global().allocateFrom(file), Posix.O_WRONLY);
  }

  @Test
  void writesOfManyThreadsNeverMix() throws Exception {
    try (Pipe pipe = new Pipe()) {
      Output output = new Output(broken::add, pipe.writeEnd(), pipe.writeEnd());
      CompletableFuture<byte[]> all = Beside.supply(pipe::readAll);
      List<Thread> writers = new ArrayList<>();
      for (char c = 'a'; c < 'e'; c++) {
        String line = Character.toString(c).repeat(10_000) + "\n";
        Thread writer =
            new Thread(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    assertThat(write(output, line)).isTrue();
                  }
                });
        writers.add(writer);
        writer.start();
      }
      for (Thread writer : writers) {
        writer.join();
      }
      pipe.closeWriteEnd();
      List<String> lines =
          new String(all.get(10, TimeUnit.SECONDS), StandardCharsets.UTF_8).lines().toList();
      assertThat(lines).hasSize(200);
      assertThat(lines).allSatisfy(line -> assertThat(line).hasSize(10_000).matches("(.)\\1*"));
    }
  }

  @Test
  void aFullDeviceIsNoticedOnceAndEndsTheStream() {
    int full = open("/dev/full");
    Output output = new Output(broken::add, full, full);
    assertThat(write(output, "lost\n")).isFalse();
    assertThat(write(output, "lost too\n")).isFalse();
    assertThat(broken)
        .containsExactly("standard output cannot be written: No space left on device");
    new Posix().close(full);
  }

  @Test
  void aPipeWithoutAReaderIsNoticed() {
    try (Pipe pipe = new Pipe()) {
      Output output = new Output(broken::add, pipe.writeEnd(), pipe.writeEnd());
      pipe.closeReadEnd();
      assertThat(write(output, "lost\n")).isFalse();
      assertThat(broken).containsExactly("standard output cannot be written: Broken pipe");
    }
  }

  /** A pause that ends when it is told so. */
  private static final class Told implements Pause {
    private final AtomicBoolean over = new AtomicBoolean();
    private final CountDownLatch attended = new CountDownLatch(1);
    private final WakeUp wakeUp = new WakeUp(new Posix());

    @Override
    public boolean attend() {
      attended.countDown();
      return !over.get();
    }

    @Override
    public void woken() {
      wakeUp.drain(new Posix());
    }

    @Override
    public int millisUntilDue() {
      return -1;
    }

    @Override
    public int wakeFd() {
      return wakeUp.fd();
    }
  }

  @Test
  void aWriterThatNobodyReadsAttendsToItsJob() throws Exception {
    try (Pipe pipe = new Pipe()) {
      pipe.fill();
      Output output = new Output(broken::add, pipe.writeEnd(), pipe.writeEnd());
      Told pause = new Told();
      CompletableFuture<Boolean> writing =
          Beside.supply(() -> output.write(Output.Stream.OUT, bytes("never read\n"), 11, pause));
      pause.wakeUp.wake();
      assertThat(pause.attended.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(writing).isNotDone();
      pause.over.set(true);
      pause.wakeUp.wake();
      assertThat(writing.get(10, TimeUnit.SECONDS)).isFalse();
      assertThat(broken).hasSize(1);
    }
  }

  @Test
  void aWriterThatWaitsForAnotherAttendsToItsJobWhenInterrupted() throws Exception {
    try (Pipe pipe = new Pipe()) {
      pipe.fill();
      Output output = new Output(broken::add, pipe.writeEnd(), pipe.writeEnd());
      Told holder = new Told();
      CompletableFuture<Boolean> holding =
          Beside.supply(() -> output.write(Output.Stream.OUT, bytes("holds\n"), 6, holder));
      holder.wakeUp.wake();
      assertThat(holder.attended.await(10, TimeUnit.SECONDS)).isTrue();
      Told waiter = new Told();
      waiter.over.set(true);
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      Thread waiting =
          new Thread(
              () -> answer.complete(output.write(Output.Stream.ERR, bytes("x\n"), 2, waiter)));
      waiting.start();
      waiting.interrupt();
      assertThat(answer.get(10, TimeUnit.SECONDS)).isFalse();
      holder.over.set(true);
      holder.wakeUp.wake();
      assertThat(holding.get(10, TimeUnit.SECONDS)).isFalse();
    }
  }

  @Test
  void aSlowReaderGetsEverything() throws Exception {
    try (Pipe pipe = new Pipe()) {
      Output output = new Output(broken::add, pipe.writeEnd(), pipe.writeEnd());
      String text = "0123456789abcde\n".repeat(40_000);
      CompletableFuture<Boolean> writing = Beside.supply(() -> write(output, text));
      CompletableFuture<byte[]> reading = Beside.supply(pipe::readAll);
      assertThat(writing.get(10, TimeUnit.SECONDS)).isTrue();
      pipe.closeWriteEnd();
      assertThat(reading.get(10, TimeUnit.SECONDS)).isEqualTo(bytes(text));
      assertThat(broken).isEmpty();
    }
  }

  @Test
  void aComplaintGoesToStandardErrorAsOneLine() {
    try (Pipe out = new Pipe();
        Pipe err = new Pipe()) {
      Output output = new Output(broken::add, out.writeEnd(), err.writeEnd());
      output.complain("headgate: something is wrong");
      out.closeWriteEnd();
      err.closeWriteEnd();
      assertThat(out.readAll()).isEmpty();
      assertThat(err.readAll()).isEqualTo(bytes("headgate: something is wrong\n"));
    }
  }

  @Test
  void aComplaintThatCannotBeWrittenIsDropped() {
    int full = open("/dev/full");
    Output output = new Output(broken::add, full, full);
    output.complain("nobody hears");
    assertThat(broken).isEmpty();
    new Posix().close(full);
  }
}
