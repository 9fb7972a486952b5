package io.headgate.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options that users of xargs and GNU parallel know and this command has not, with the cure. */
final class ForeignOption {
  private static final String ALWAYS = "it is always so here; leave it out";
  private static final String LINES = "lines of output are passed on whole as they come";
  private static final String NO_SHELL_FLAG =
      "the words after -- are the command; for a shell: -- sh -c '... \"$1\"' _ {}";

  // Few are ever looked up, and only after all of our own.
  private static final Map<String, String> CURES =
      Map.ofEntries(
          Map.entry("-r", ALWAYS + ": without input nothing runs"),
          Map.entry("--no-run-if-empty", ALWAYS + ": without input nothing runs"),
          Map.entry("-L", "use -n, which counts lines"),
          Map.entry("-l", "use -n, which counts lines"),
          Map.entry("--max-lines", "use -n, which counts lines"),
          Map.entry("-N", "use -n; each {} that is a word of its own becomes N words"),
          Map.entry("--max-replace-args", "use -n"),
          Map.entry("-i", "use -I TOKEN, or {} in the command"),
          Map.entry("--replace", "use -I TOKEN, or {} in the command"),
          Map.entry("-s", "use -n to say how many lines a command gets"),
          Map.entry("--max-chars", "use -n to say how many lines a command gets"),
          Map.entry("-x", "a command that is too long fails, and the others go on; leave it out"),
          Map.entry("--exit", "a command that is too long fails, and the others go on"),
          Map.entry("-X", "use -n to say how many lines a command gets"),
          Map.entry("-m", "use -n to say how many lines a command gets"),
          Map.entry("--xargs", "use -n to say how many lines a command gets"),
          Map.entry("-E", "end the input before it: sed '/^END$/Q' | headgate run ..."),
          Map.entry("-e", "end the input before it: sed '/^END$/Q' | headgate run ..."),
          Map.entry("--eof", "end the input before it: sed '/^END$/Q' | headgate run ..."),
          Map.entry("-t", "use --dry-run to see the commands, or --joblog to keep them"),
          Map.entry("--verbose", "use --dry-run to see the commands, or --joblog to keep them"),
          Map.entry("-v", "use --dry-run to see the commands, or --joblog to keep them"),
          Map.entry("-p", "use --dry-run to see the commands first"),
          Map.entry("--interactive", "use --dry-run to see the commands first"),
          Map.entry("-o", "a command's standard input is /dev/null; redirect it in a shell"),
          Map.entry("--open-tty", "a command's standard input is /dev/null"),
          Map.entry("--process-slot-var", "there is no number of a slot; {#} is the position"),
          Map.entry("--show-limits", "see headgate help run"),
          Map.entry("-u", LINES),
          Map.entry("--ungroup", LINES),
          Map.entry("--lb", LINES),
          Map.entry("--line-buffer", LINES),
          Map.entry("--group", LINES + "; use -k for output in the order of the input"),
          Map.entry("--tagstring", "use --tag"),
          Map.entry("--eta", "use --bar, and --total N where the input is no regular file"),
          Map.entry("--load", "use -j, or --jobs-file to change it under way"),
          Map.entry("--memfree", "use -j, or --jobs-file to change it under way"),
          Map.entry("--noswap", "use -j, or --jobs-file to change it under way"),
          Map.entry("--pipe", "lines are arguments here, not input of the command"),
          Map.entry("--pipepart", "lines are arguments here, not input of the command"),
          Map.entry("--shuf", "shuffle the input: shuf FILE | headgate run ..."),
          Map.entry("--colsep", "split the line in a shell: -- sh -c '...' _ {}"),
          Map.entry("-C", "split the line in a shell: -- sh -c '...' _ {}"),
          Map.entry("--header", "drop it from the input: tail -n +2 FILE | headgate run ..."),
          Map.entry("--rpl", "change the line in a shell: -- sh -c '...' _ {}"),
          Map.entry("-q", NO_SHELL_FLAG),
          Map.entry("--quote", NO_SHELL_FLAG),
          Map.entry("--term-seq", "a command is told by TERM, and killed after half of --cleanup"),
          Map.entry("--sshlogin", "commands run on this machine"),
          Map.entry("-S", "commands run on this machine"),
          Map.entry("--semaphore", "one run bounds its own commands alone"),
          Map.entry("--halt-on-error", "use --halt soon,fail=N or --halt now,fail=N"),
          Map.entry("--dryrun", "use --dry-run"),
          Map.entry("--link", "there is one input; join its lines before: paste A B | ..."),
          Map.entry("--xapply", "there is one input; join its lines before: paste A B | ..."),
          Map.entry("--nice", "lower it in the command: -- nice -n 10 COMMAND"),
          Map.entry("--workdir", "change it in a shell: -- sh -c 'cd DIR && ... \"$1\"' _ {}"),
          Map.entry("--wd", "change it in a shell: -- sh -c 'cd DIR && ... \"$1\"' _ {}"),
          Map.entry("--plus", "change the line in a shell: -- sh -c '...' _ {}"),
          Map.entry("--trim", "change the line in a shell: -- sh -c '...' _ {}"),
          Map.entry("--will-cite", "there is nothing to silence; leave it out"),
          Map.entry(":::", "give the input on standard input, or with -a FILE"),
          Map.entry("::::", "give the input on standard input, or with -a FILE"));

  private ForeignOption() {}

  /** What to use in the place of an option, or {@code null} if nobody knows it. */
  static @Nullable String cure(String option) {
    return CURES.get(option);
  }
}
