package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of xargs and GNU parallel that are not ours are refused with what to use instead. */
class ForeignOptionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-r|-r: not known here; it is always so here",
        "-0r|-r: not known here; it is always so here",
        "--no-run-if-empty|without input nothing runs",
        "-L1|-L: not known here; use -n, which counts lines",
        "-L 1|use -n, which counts lines",
        "--max-lines=1|use -n, which counts lines",
        "-N2|use -n",
        "-i|use -I TOKEN",
        "--replace=%|use -I TOKEN",
        "-s 100|use -n",
        "-x|leave it out",
        "-X|use -n",
        "-m|use -n",
        "-E END|sed '/^END$/Q'",
        "-t|use --dry-run to see the commands, or --joblog",
        "-p|use --dry-run",
        "-o|redirect it in a shell",
        "--process-slot-var=S|{#} is the position",
        "-u|lines of output are passed on whole",
        "--lb|lines of output are passed on whole",
        "--line-buffer|lines of output are passed on whole",
        "--group|use -k",
        "--tagstring x|use --tag",
        "--eta|use --bar",
        "--load 80%|use -j, or --jobs-file",
        "--pipe|lines are arguments here",
        "--colsep ,|split the line in a shell",
        "--shuf|shuf FILE",
        "-q|for a shell: -- sh -c",
        "-S host|commands run on this machine",
        "--will-cite|leave it out",
        "--halt-on-error 2|use --halt",
        "--dryrun|use --dry-run",
        "--link|one input",
        "--nice 10|-- nice",
        "--workdir d|in a shell",
        "--plus|change the line in a shell",
        "::: a|give the input on standard input, or with -a FILE",
        ":::: f|give the input on standard input, or with -a FILE",
        "--frob|unknown option; see: headgate run --help",
        "echo|the command and its arguments come after --"
      })
  void aForeignOptionIsRefusedWithTheWordToUse(String words, String message) {
    assertThatThrownBy(() -> RunSyntax.parse((words + " -- true").split(" ")))
        .isInstanceOfSatisfying(UsageException.class, e -> assertThat(e.line()).contains(message));
  }

  @Test
  void noOptionOfOursIsForeign() {
    for (RunOption option : RunOption.values()) {
      assertThat(option.names()).allSatisfy(name -> assertThat(ForeignOption.cure(name)).isNull());
    }
  }
}
