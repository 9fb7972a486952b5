package io.headgate.cli;

import java.io.File;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a program as posix_spawnp will, so that a wrong name is told before any input is taken.
 * The kernel has the last word: it may still refuse what is found here.
 */
final class ProgramLookup {
  private static final String DEFAULT_PATH = "/bin:/usr/bin";

  private ProgramLookup() {}

  /**
   * Looks for a program.
   *
   * @param name its name; one with a slash is not looked for in the path
   * @param path directories divided by colons, or {@code null} for the system's default
   * @return {@link ExitCode#OK}, {@link ExitCode#CANNOT_RUN} or {@link ExitCode#NOT_FOUND}
   */
  static int find(String name, @Nullable String path) {
    if (name.indexOf('/') >= 0) {
      return judge(new File(name));
    }
    int best = ExitCode.NOT_FOUND;
    for (String directory : (path == null ? DEFAULT_PATH : path).split(":", -1)) {
      int found = judge(new File(directory.isEmpty() ? "." : directory, name));
      if (found == ExitCode.OK) {
        return found;
      }
      best = Math.min(best, found);
    }
    return best;
  }

  private static int judge(File file) {
    if (!file.exists()) {
      return ExitCode.NOT_FOUND;
    }
    return file.canExecute() && !file.isDirectory() ? ExitCode.OK : ExitCode.CANNOT_RUN;
  }
}
