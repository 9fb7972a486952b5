package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What shells offer for the beginning of a command line. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionTest {
  // Calls the function as bash does, with = as a word of its own.
  private static final String ASK_BASH =
      """
      . ./script
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _headgate
      printf '%s\\n' "${COMPREPLY[@]}"
      """;

  // A terminal of its own, in which every match is printed as zsh adds it.
  private static final String ZSH_SET_UP =
      """
      autoload -Uz compinit
      compinit -D -u
      source ./script
      unset zle_bracketed_paste
      bindkey '^I' complete-word
      compadd() {
        if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
          local -a matches
          builtin compadd -A matches "$@"
          local match
          for match in $matches; do print -r -- $'\\n'"MATCH:$match"; done
        fi
        builtin compadd "$@"
      }
      tell_the_end() { print '\\nEND' }
      comppostfuncs=(tell_the_end)
      """;

  private static final String ASK_ZSH =
      """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'stty -echo; PROMPT=; source ./setup; print READY'
      while zpty -r shell line; do [[ $line == *READY* ]] && break; done
      zpty -w -n shell "$1"$'\\t'
      while zpty -r shell line; do
        [[ $line == *END* ]] && break
        [[ $line == *MATCH:* ]] && print -r -- ${${line##*MATCH:}%%$'\\r'*}
      done
      zpty -d shell
      """;

  @TempDir Path directory;
  private Peer peer;

  @BeforeEach
  void filesToChooseFrom() throws Exception {
    peer = Peer.in(directory);
    Files.createFile(Files.createDirectory(directory.resolve("some folder")).resolve("in it"));
    Files.createFile(directory.resolve("some.file"));
  }

  private List<String> bash(String... words) throws Exception {
    Files.writeString(directory.resolve("script"), Completion.bash(Syntax.commandLine()));
    Peer.Ended ended = peer.shell(List.of("bash", "--norc", "-c", ASK_BASH, "bash"), words);
    assertThat(ended.err()).isEmpty();
    return ended.out().lines().filter(line -> !line.isEmpty()).toList();
  }

  private List<String> zsh(String line) throws Exception {
    Files.writeString(directory.resolve("script"), Completion.zsh(Syntax.commandLine()));
    Files.writeString(directory.resolve("setup"), ZSH_SET_UP);
    Peer.Ended ended = peer.shell(List.of("zsh", "-f", "-c", ASK_ZSH, "zsh"), line);
    assertThat(ended.err()).isEmpty();
    return ended.out().lines().distinct().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "headgate ru|run",
        "headgate comp|completion",
        "headgate --v|--version",
        "headgate completion z|zsh",
        "headgate man r|run",
        "headgate sim --ex|--example",
        "headgate sim some.|some.file",
        "headgate run --store some.|some.file",
        "headgate run --uncertain re|rerun",
        "headgate doctor some.|some.file",
        "headgate jobs some.|some.file",
        "headgate jobs --state he|held",
        "headgate decide some.|some.file",
        "headgate decide db 1-x rer|rerun",
        "headgate run --when|--when-full",
        "headgate run --when-full re|refuse",
        "headgate run --when-full = sh|shed-oldest",
        "headgate run --halt so|soon,fail=1",
        "headgate run -k --id l|line",
        "headgate run -a some.|some.file",
        "headgate run --results some|some folder",
        "headgate run -- mkfi|mkfifo",
        "headgate run -j 4 -- cat some.|some.file",
        "headgate run -- ./some.|./some.file",
        "headgate run -- cat --when|''",
        "headgate run -j 1|''"
      })
  void bashCompletesWhatComesNext(String words, String match) throws Exception {
    assertThat(bash(words.split(" ", -1))).isEqualTo(match.isEmpty() ? List.of() : List.of(match));
  }

  @Test
  void bashOffersAllThereIs() throws Exception {
    assertThat(bash("headgate", ""))
        .contains("run", "sim", "jobs", "decide", "doctor", "completion", "man", "help", "--help");
    assertThat(bash("headgate", "run", "--when-full", "=")).hasSize(3);
    List<String> options = bash("headgate", "run", "");
    for (RunOption option : RunOption.values()) {
      assertThat(options).containsAll(option.names());
    }
    assertThat(options).contains("--", "--help");
  }

  @Test
  void zshCompletesWhatComesNext() throws Exception {
    assertThat(zsh("headgate "))
        .containsExactly("run", "sim", "jobs", "decide", "doctor", "completion", "man", "help");
    assertThat(zsh("headgate completion ")).containsExactly("bash", "zsh");
    assertThat(zsh("headgate run --when-full "))
        .containsExactlyInAnyOrder("wait", "refuse", "shed-oldest");
    assertThat(zsh("headgate run --when-full=re")).containsExactly("refuse");
    assertThat(zsh("headgate run -a some.")).containsExactly("some.file");
    assertThat(zsh("headgate sim some.")).containsExactly("some.file");
    assertThat(zsh("headgate doctor some.")).containsExactly("some.file");
    assertThat(zsh("headgate decide some.file 1-x rer")).containsExactly("rerun");
    assertThat(zsh("headgate jobs --state=he")).containsExactly("held");
    assertThat(zsh("headgate run --res"))
        .containsExactlyInAnyOrder("--results", "--resume", "--resume-failed", "--restart");
    assertThat(zsh("headgate run -j4 -- mkfi")).containsExactly("mkfifo");
    assertThat(zsh("headgate run -- cat some.")).containsExactly("some.file");
  }

  @Test
  void theCommandPrintsTheScripts() throws Exception {
    for (String shell : List.of("bash", "zsh")) {
      try (HeadgateProcess process = HeadgateProcess.in(directory).start("completion", shell)) {
        assertThat(process.exitCode()).isZero();
        assertThat(process.out())
            .isEqualTo(
                shell.equals("bash")
                    ? Completion.bash(Syntax.commandLine())
                    : Completion.zsh(Syntax.commandLine()));
      }
      Peer.Ended check = peer.shell(List.of(shell, "-n"), "headgate.out");
      assertThat(check.code()).as(check.err()).isZero();
    }
    try (HeadgateProcess process = HeadgateProcess.in(directory).start("completion", "fish")) {
      assertThat(process.exitCode()).isEqualTo(64);
      assertThat(process.err())
          .isEqualTo("headgate completion: fish: no such shell here; there are: bash, zsh\n");
    }
  }
}
