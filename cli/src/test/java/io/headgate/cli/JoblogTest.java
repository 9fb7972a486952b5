package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Reason;
import io.headgate.cli.Earlier.Decision;
import io.headgate.cli.RunOptions.Resume;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CASE-25")
class JoblogTest {
  private static final Fate COMPLETED = new Fate(Fate.Kind.COMPLETED, "");
  private static final Fate FAILED = new Fate(Fate.Kind.FAILED, "ExitStatus");
  private static final Fate DRAINED = new Fate(Fate.Kind.UNSTARTED, "drained");

  private static final CommandTemplate ECHO = new CommandTemplate(List.of(bytes("echo")));

  @TempDir Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Item item(long position, String line) {
    return Items.at(position, bytes(line));
  }

  private Path file() {
    return directory.resolve("log");
  }

  private Joblog open(Resume resume) throws UsageException, IOException {
    return Joblog.open(file().toString(), resume);
  }

  private void write(Object... itemsAndFates) throws UsageException, IOException {
    try (Joblog log = open(Files.exists(file()) ? Resume.UNFINISHED : Resume.NO)) {
      for (int i = 0; i < itemsAndFates.length; i += 2) {
        Item item = (Item) itemsAndFates[i];
        log.append(item, (Fate) itemsAndFates[i + 1], ECHO, ItemIds.ofPosition(item));
      }
    }
  }

  private Decision decide(Resume resume, Item item) throws UsageException, IOException {
    try (Joblog log = open(resume)) {
      return log.recorded().decide(item);
    }
  }

  @Test
  void aRowTellsHowTheCommandRan() throws Exception {
    Item item = item(3, "a b");
    item.execution().started(42, 1_700_000_000_123L, 5_000_000_000L);
    item.execution().ended(new Ending.Exited(7), 7_500_000_000L, 99);
    write(item, FAILED);
    assertThat(Files.readString(file()).lines().skip(1))
        .containsExactly(
            "3\t:\t1700000000.123\t     2.500\t0\t99\t7\t0\techo 'a b'\tfailed(ExitStatus)\t3-"
                + ItemIds.hash(item.hash())
                + "\t"
                + ItemIds.hash(item.hash()));
  }

  @Test
  void aKilledCommandHasASignalAndOneThatNeverRanHasNoExitValue() throws Exception {
    Item killed = item(1, "a");
    killed.execution().started(42, 1, 1);
    killed.execution().ended(new Ending.Killed(9), 2, 0);
    write(killed, FAILED, item(2, "b"), DRAINED, item(3, "c"), Fate.refused(Reason.FULL));
    assertThat(Rows.read(file()))
        .extracting(Rows.Row::exitValue, Rows.Row::signal, Rows.Row::outcome)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 9, "failed(ExitStatus)"),
            org.assertj.core.groups.Tuple.tuple(-1, 0, "unstarted(drained)"),
            org.assertj.core.groups.Tuple.tuple(-1, 0, "refused(FULL)"));
  }

  @Test
  void whatTheInputHoldsNeverTearsARow() throws Exception {
    Item nasty = Items.of(bytes("tab\there\nnewline\r\u0007'quote\\"), bytes(""));
    write(nasty, COMPLETED);
    assertThat(Rows.read(file()).get(0).command())
        .isEqualTo("echo $'tab\\there\\nnewline\\x0d\\x07\\'quote\\\\' ''");
  }

  @Test
  void resumeSkipsWhatCompletedOrFailed() throws Exception {
    write(
        item(1, "a"),
        COMPLETED,
        item(2, "b"),
        FAILED,
        item(3, "c"),
        DRAINED,
        item(4, "d"),
        new Fate(Fate.Kind.INTERRUPTED, ""),
        item(5, "e"),
        Fate.UNFINISHED,
        item(6, "f"),
        Fate.refused(Reason.FULL));
    assertThat(decide(Resume.UNFINISHED, item(1, "a"))).isEqualTo(Decision.SKIP);
    assertThat(decide(Resume.UNFINISHED, item(2, "b"))).isEqualTo(Decision.SKIP_FAILED);
    for (Item open : List.of(item(3, "c"), item(4, "d"), item(5, "e"), item(6, "f"))) {
      assertThat(decide(Resume.UNFINISHED, open)).isEqualTo(Decision.RUN);
    }
    assertThat(decide(Resume.UNFINISHED, item(7, "new"))).isEqualTo(Decision.RUN);
  }

  @Test
  void resumeFailedRunsWhatFailedToo() throws Exception {
    write(item(1, "a"), COMPLETED, item(2, "b"), FAILED);
    assertThat(decide(Resume.FAILED_TOO, item(1, "a"))).isEqualTo(Decision.SKIP);
    assertThat(decide(Resume.FAILED_TOO, item(2, "b"))).isEqualTo(Decision.RUN);
    assertThat(decide(Resume.FAILED_TOO, item(3, "c"))).isEqualTo(Decision.RUN);
  }

  @Test
  void retryFailedRunsNothingElse() throws Exception {
    write(item(1, "a"), COMPLETED, item(2, "b"), FAILED, item(3, "c"), DRAINED);
    assertThat(decide(Resume.FAILED_ONLY, item(1, "a"))).isEqualTo(Decision.SKIP);
    assertThat(decide(Resume.FAILED_ONLY, item(2, "b"))).isEqualTo(Decision.RUN);
    assertThat(decide(Resume.FAILED_ONLY, item(3, "c"))).isEqualTo(Decision.SKIP_UNDONE);
    assertThat(decide(Resume.FAILED_ONLY, item(4, "d"))).isEqualTo(Decision.SKIP_UNDONE);
  }

  @Test
  void theLastRowOfAPositionCounts() throws Exception {
    write(
        item(1, "a"),
        FAILED,
        item(1, "a"),
        COMPLETED,
        item(2, "b"),
        COMPLETED,
        item(2, "b"),
        FAILED);
    assertThat(decide(Resume.FAILED_TOO, item(1, "a"))).isEqualTo(Decision.SKIP);
    assertThat(decide(Resume.FAILED_TOO, item(2, "b"))).isEqualTo(Decision.RUN);
  }

  @ParameterizedTest
  @EnumSource(
      value = Resume.class,
      names = {"UNFINISHED", "FAILED_TOO", "FAILED_ONLY"})
  void anotherLineInARecordedPlaceIsNeitherRunNorSkipped(Resume resume) throws Exception {
    write(item(1, "a"), COMPLETED, item(2, "b"), FAILED, item(3, "c"), DRAINED);
    for (long position = 1; position <= 3; position++) {
      assertThat(decide(resume, item(position, "changed"))).isEqualTo(Decision.DIFFERS);
    }
  }

  @Test
  void aDuplicateIsDoneByItsTwin() throws Exception {
    write(item(2, "a"), Fate.refused(Reason.DUPLICATE));
    assertThat(decide(Resume.UNFINISHED, item(2, "a"))).isEqualTo(Decision.SKIP);
  }

  @Test
  void aTornLastRowIsTakenAwayAndItsItemRunsAgain() throws Exception {
    write(item(1, "a"), COMPLETED);
    long whole = Files.size(file());
    Files.writeString(file(), "2\t:\t17000", StandardOpenOption.APPEND);
    try (Joblog log = open(Resume.UNFINISHED)) {
      assertThat(log.recorded().tornBytes()).isEqualTo(9);
      assertThat(log.recorded().decide(item(2, "b"))).isEqualTo(Decision.RUN);
      assertThat(Files.size(file())).isEqualTo(whole);
      log.append(item(2, "b"), COMPLETED, ECHO, "2-x");
    }
    assertThat(Rows.once(file())).containsOnlyKeys(1L, 2L);
  }

  @Test
  void aTornHeaderBeginsAnew() throws Exception {
    Files.writeString(file(), "Seq\tHo");
    try (Joblog log = open(Resume.UNFINISHED)) {
      log.append(item(1, "a"), COMPLETED, ECHO, "1-x");
    }
    assertThat(Rows.once(file())).containsOnlyKeys(1L);
  }

  @Test
  void positionsMayLieFarApartAndOutOfOrder() throws Exception {
    write(
        item(1_000_000_000_000L, "z"),
        COMPLETED,
        item(5_000, "b"),
        FAILED,
        item(1, "a"),
        COMPLETED);
    try (Joblog log = open(Resume.FAILED_TOO)) {
      Recorded recorded = log.recorded();
      assertThat(recorded.decide(item(1_000_000_000_000L, "z"))).isEqualTo(Decision.SKIP);
      assertThat(recorded.beyond(1)).isEqualTo(2);
      assertThat(recorded.beyond(5_000)).isEqualTo(1);
      assertThat(recorded.beyondToRun(1)).isEqualTo(1);
    }
    try (Joblog log = open(Resume.UNFINISHED)) {
      assertThat(log.recorded().beyondToRun(1)).isZero();
    }
  }

  @Test
  void rowsOfAnEarlierRunAreNeverOverwritten() throws Exception {
    write(item(1, "a"), COMPLETED);
    assertThatThrownBy(() -> open(Resume.NO))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("go on with --resume, or name another file");
  }

  @Test
  void anEmptyFileIsNoEarlierRun() throws Exception {
    Files.createFile(file());
    open(Resume.NO).close();
    assertThat(Rows.read(file())).isEmpty();
  }

  @Test
  void twoRunsCannotWriteOneFile() throws Exception {
    try (Joblog first = open(Resume.NO)) {
      assertThat(first.recorded().beyond(0)).isZero();
      assertThatThrownBy(() -> open(Resume.UNFINISHED))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("is being written by another run");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n",
        "root:x:0:0\n"
      })
  void aFileOfAnotherProgramIsLeftAlone(String content) throws Exception {
    Files.writeString(file(), content);
    assertThatThrownBy(() -> open(Resume.UNFINISHED))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("has not the columns of a joblog of headgate");
    assertThat(Files.readString(file())).isEqualTo(content);
  }

  @Test
  void aRowThatIsNoneIsTold() throws Exception {
    write(item(1, "a"), COMPLETED);
    Files.writeString(file(), "2\tnonsense\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> open(Resume.UNFINISHED))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("its line 3 is no row of a joblog");
  }

  @Test
  void failuresOfNoJoblogCannotBeRetried() {
    assertThatThrownBy(() -> open(Resume.FAILED_ONLY))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("there is no such joblog to take failures from");
  }

  @Test
  void linesThatDifferHaveDifferentIds() {
    assertThat(ItemIds.ofLines(Items.of(bytes("plain é")))).isEqualTo("plain é");
    assertThat(ItemIds.ofLines(Items.of(bytes("a\tb\\x09")))).isEqualTo("a\\x09b\\x5cx09");
    assertThat(ItemIds.ofLines(Items.of(bytes("a"), bytes("b")))).isEqualTo("a\\x0ab");
    assertThat(ItemIds.ofLines(Items.of(new byte[] {(byte) 0xC3, 'a'}))).isEqualTo("\\xc3a");
    assertThat(ItemIds.ofLines(Items.of(bytes("\u0085")))).isEqualTo("\\xc2\\x85");
    assertThat(ItemIds.ofLines(Items.of(bytes("")))).isEqualTo("\\x");
  }
}
