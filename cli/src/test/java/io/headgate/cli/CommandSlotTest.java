package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandSlotTest {
  private static final long LONG_PATIENCE = Duration.ofMinutes(5).toNanos();

  @TempDir Path directory;
  private final Pipe out = new Pipe();
  private final Pipe err = new Pipe();
  private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
  private final SpawnGate gate = new SpawnGate();
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final CompletableFuture<byte[]> outBytes = Beside.supply(out::readAll);
  private final CompletableFuture<byte[]> errBytes = Beside.supply(err::readAll);

  @AfterEach
  void noChildIsLeft() {
    assertThat(gate.isEmpty()).isTrue();
    out.closeWriteEnd();
    err.closeWriteEnd();
  }

  private CommandSlot slot(boolean pidfd, long patience, String... words) {
    List<byte[]> command = new ArrayList<>();
    for (String word : words) {
      command.add(word.getBytes(StandardCharsets.UTF_8));
    }
    Output output = new Output(broken::add, out.writeEnd(), err.writeEnd());
    return new CommandSlot(
        new CommandTemplate(command),
        gate,
        (item, waker) -> new LineDelivery(output),
        patience,
        pidfd);
  }

  /** A slot for a script that finds the line in $0. */
  private CommandSlot shell(boolean pidfd, String script) {
    return slot(pidfd, LONG_PATIENCE, "sh", "-c", script);
  }

  private int start(CommandSlot slot, String line) {
    return slot.start(Items.of(line.getBytes(StandardCharsets.UTF_8)), cancelled::get);
  }

  private Ending run(CommandSlot slot, String line) {
    assertThat(start(slot, line)).isZero();
    return slot.await();
  }

  private String out() {
    out.closeWriteEnd();
    return new String(outBytes.join(), StandardCharsets.UTF_8);
  }

  private String err() {
    err.closeWriteEnd();
    return new String(errBytes.join(), StandardCharsets.UTF_8);
  }

  private Path ids() {
    return directory.resolve("ids");
  }

  /** Starts the command, and answers its future end. */
  private CompletableFuture<Ending> runBeside(CommandSlot slot, String line) {
    assertThat(start(slot, line)).isZero();
    return Beside.supply(slot::await);
  }

  private void cancel(CommandSlot slot) {
    cancelled.set(true);
    slot.waker().run();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passesBothOutputsAndTheStatusOn(boolean pidfd) {
    CommandSlot slot = shell(pidfd, "echo \"out $0\"; echo \"err $0\" >&2; exit $0");
    assertThat(run(slot, "7")).isEqualTo(new Ending.Exited(7));
    assertThat(slot.errorTail(100)).isEqualTo("err 7");
    assertThat(run(slot, "0")).isEqualTo(new Ending.Exited(0));
    assertThat(out()).isEqualTo("out 7\nout 0\n");
    assertThat(err()).isEqualTo("err 7\nerr 0\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tellsASignalFromAStatus(boolean pidfd) {
    assertThat(run(shell(pidfd, "kill -USR1 $$"), "x")).isEqualTo(new Ending.Killed(10));
  }

  @Test
  void anUnfinishedLastLineGetsItsEnd() {
    run(slot(true, LONG_PATIENCE, "printf", "no newline"), "x");
    assertThat(out()).isEqualTo("no newline\n");
  }

  @Test
  void manyOutputsComeInOrderAndWhole() {
    assertThat(run(shell(true, "seq 1 100000"), "x")).isEqualTo(new Ending.Exited(0));
    StringBuilder expected = new StringBuilder();
    for (int i = 1; i <= 100_000; i++) {
      expected.append(i).append('\n');
    }
    assertThat(out()).isEqualTo(expected.toString());
  }

  /** What a command without a shell writes, started with or without the close-from action. */
  private static List<String> spawned(boolean closeFrom, String command, String line) {
    Posix posix = new Posix();
    Spawner spawner = new Spawner(posix, closeFrom);
    Arguments arguments =
        new Arguments(new CommandTemplate(List.of(command.getBytes(StandardCharsets.UTF_8))));
    long vector = arguments.fill(Items.of(line.getBytes(StandardCharsets.UTF_8)));
    int pid = spawner.spawn(arguments.name(), vector);
    assertThat(pid).isPositive();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    MemorySegment buffer = Arena.global().allocate(4096);
    for (int n = posix.read(spawner.outFd(), buffer, 4096);
        n > 0;
        n = posix.read(spawner.outFd(), buffer, 4096)) {
      all.writeBytes(buffer.asSlice(0, n).toArray(ValueLayout.JAVA_BYTE));
    }
    posix.close(spawner.outFd());
    posix.close(spawner.errFd());
    assertThat(posix.waitFor(pid, Posix.WEXITED)).isEqualTo(new Ending.Exited(0));
    return all.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChildInheritsNothingButItsOutputs(boolean closeFrom) throws IOException {
    // Open and not close-on-exec, as some descriptors of the virtual machine are.
    try (FileInputStream leak = new FileInputStream("/dev/zero")) {
      assertThat(leak.getFD().valid()).isTrue();
      // The fourth is the folder that ls itself reads.
      assertThat(spawned(closeFrom, "ls", "/proc/self/fd")).containsExactly("0", "1", "2", "3");
    }
    assertThat(spawned(closeFrom, "readlink", "/proc/self/fd/0")).containsExactly("/dev/null");
  }

  @Test
  void aChildHasNoSignalBlockedOrIgnoredAndLeadsItsGroup() {
    List<String> status = spawned(true, "cat", "/proc/self/status");
    assertThat(status).anyMatch(line -> line.matches("SigBlk:\\s0+"));
    // The C library keeps two signals for itself, 32 and 33.
    assertThat(status).anyMatch(line -> line.matches("SigIgn:\\s0*(180000000)?"));
    String stat = spawned(true, "cat", "/proc/self/stat").get(0);
    String[] fields = stat.split(" ", -1);
    assertThat(fields[4]).isEqualTo(fields[0]);
  }

  @Test
  void theEnvironmentIsPassedOn() {
    run(shell(true, "echo \"$PATH\""), "x");
    assertThat(out()).isEqualTo(System.getenv("PATH") + "\n");
  }

  @Test
  void whatCannotBeStartedAnswersItsError() {
    assertThat(start(slot(true, LONG_PATIENCE, "no-such-command"), "x")).isEqualTo(-Posix.ENOENT);
    assertThat(start(slot(true, LONG_PATIENCE, "/etc"), "x")).isEqualTo(-Posix.EACCES);
    assertThat(start(slot(true, LONG_PATIENCE, "true"), "x".repeat(300_000)))
        .isEqualTo(-Posix.E2BIG);
    assertThat(new File("/proc/self/fd").list()).hasSizeLessThan(400);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("CASE-23")
  void aJobEndsWithItsLeaderAndItsGroupWithIt(boolean pidfd) {
    // The child of the child holds both pipes and would do so for ever.
    CommandSlot slot =
        shell(pidfd, "echo $$ >> " + ids() + "; tail -f /dev/null & echo started; exit 3");
    assertThat(run(slot, "x")).isEqualTo(new Ending.Exited(3));
    Groups.awaitGone(Groups.awaitIds(ids(), 1));
    assertThat(out()).isEqualTo("started\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("CASE-23")
  void aCancelReachesTheWholeGroup(boolean pidfd) throws Exception {
    CommandSlot slot =
        shell(pidfd, "tail -f /dev/null & tail -f /dev/null & echo $$ >> " + ids() + "; wait");
    CompletableFuture<Ending> end = runBeside(slot, "x");
    List<Integer> group = Groups.awaitIds(ids(), 1);
    assertThat(Groups.lives(group.get(0))).isTrue();
    cancel(slot);
    assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(new Ending.Killed(Posix.SIGTERM));
    assertThat(slot.wasTold()).isTrue();
    Groups.awaitGone(group);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChildThatIgnoresTermIsKilledAfterThePatience(boolean pidfd) throws Exception {
    CommandSlot slot =
        slot(
            pidfd,
            TimeUnit.MILLISECONDS.toNanos(100),
            "sh",
            "-c",
            "trap '' TERM; echo $$ >> " + ids() + "; tail -f /dev/null; tail -f /dev/null");
    CompletableFuture<Ending> end = runBeside(slot, "x");
    List<Integer> group = Groups.awaitIds(ids(), 1);
    cancel(slot);
    assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(new Ending.Killed(Posix.SIGKILL));
    Groups.awaitGone(group);
  }

  @Test
  void aChildThatEndsWellAfterBeingToldKeepsItsStatusAndItsLastWords() throws Exception {
    CommandSlot slot =
        shell(true, "trap 'echo tidied; exit 0' TERM; echo $$ >> " + ids() + "; sleep 1000 & wait");
    CompletableFuture<Ending> end = runBeside(slot, "x");
    Groups.awaitIds(ids(), 1);
    cancel(slot);
    assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(new Ending.Exited(0));
    assertThat(out()).isEqualTo("tidied\n");
  }

  @Test
  void aStoppedChildIsToldToo() throws Exception {
    CommandSlot slot = shell(true, "echo $$ >> " + ids() + "; kill -STOP $$");
    CompletableFuture<Ending> end = runBeside(slot, "x");
    Groups.awaitIds(ids(), 1);
    cancel(slot);
    assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(new Ending.Killed(Posix.SIGTERM));
  }

  @Test
  void aCancelThatCameFirstIsSeen() {
    CommandSlot slot = shell(true, "tail -f /dev/null");
    cancelled.set(true);
    assertThat(run(slot, "x")).isEqualTo(new Ending.Killed(Posix.SIGTERM));
  }

  @Test
  void aClosedGateStartsNothing() {
    gate.closeAndKill();
    assertThat(start(shell(true, "echo never"), "x")).isEqualTo(SpawnGate.CLOSED);
    assertThat(out()).isEmpty();
  }

  @Test
  void nobodyReadingTheOutputDoesNotKeepAJobFromBeingStopped() throws Exception {
    try (Pipe unread = new Pipe()) {
      unread.fill();
      Output output = new Output(broken::add, unread.writeEnd(), err.writeEnd());
      CommandTemplate template =
          new CommandTemplate(
              List.of(
                  "sh".getBytes(StandardCharsets.UTF_8),
                  "-c".getBytes(StandardCharsets.UTF_8),
                  ("trap '' TERM; echo $$ >> " + ids() + "; yes")
                      .getBytes(StandardCharsets.UTF_8)));
      CommandSlot slot =
          new CommandSlot(
              template,
              gate,
              (item, waker) -> new LineDelivery(output),
              TimeUnit.MILLISECONDS.toNanos(200));
      CompletableFuture<Ending> end = runBeside(slot, "x");
      List<Integer> group = Groups.awaitIds(ids(), 1);
      cancel(slot);
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(new Ending.Killed(Posix.SIGKILL));
      assertThat(broken).hasSize(1);
      Groups.awaitGone(group);
    }
  }
}
