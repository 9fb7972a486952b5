package io.headgate.cli.sim;

import io.headgate.simulator.Figures;
import io.headgate.simulator.Trial;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command {@code headgate sim}. */
public final class SimCommand {
  private static final int MAX_FILE_BYTES = 1 << 20;

  private SimCommand() {}

  /** How it ended. */
  public enum Kind {
    /** The text is what is to be printed. */
    DONE,
    /** The text says in one line what is wrong with the words or the file. */
    WRONG,
    /** The text says in one line why the file cannot be read. */
    UNREADABLE
  }

  /**
   * What the command came to.
   *
   * @param kind how it ended
   * @param text the output, or one line of complaint
   */
  public record Answer(Kind kind, String text) {}

  /** A run and its figures. */
  record Run(Plan.Row row, boolean suggested, Figures figures) {}

  /**
   * Reads the file, runs what it asks for, and says what to set.
   *
   * @param file the file, {@code -} for standard input; null if none was named
   * @param json whether the output is JSON
   */
  public static Answer run(@Nullable String file, boolean json) {
    if (file == null) {
      return new Answer(
          Kind.WRONG, "the file is missing; headgate sim --example prints one to begin with");
    }
    String name = file.equals("-") ? "standard input" : file;
    String text;
    try {
      byte[] bytes = bytes(file);
      if (bytes.length > MAX_FILE_BYTES) {
        return new Answer(Kind.WRONG, name + ": more than 1 MiB; give a file of some lines");
      }
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return new Answer(Kind.WRONG, name + ": not TOML: it is not in UTF-8");
    } catch (IOException | InvalidPathException e) {
      return new Answer(Kind.UNREADABLE, name + " cannot be read: " + reason(e));
    }
    try {
      Plan plan = SetupFile.parse(name, text);
      return new Answer(Kind.DONE, run(plan, json));
    } catch (SetupException e) {
      return new Answer(Kind.WRONG, e.line());
    } catch (OutOfMemoryError e) {
      // All of it belonged to the run, which is over.
      return new Answer(
          Kind.WRONG,
          name + ": so many calls at once do not fit in memory; lower the rate or clients.timeout");
    }
  }

  private static byte[] bytes(String file) throws IOException {
    if (file.equals("-")) {
      return System.in.readNBytes(MAX_FILE_BYTES + 1);
    }
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      return in.readNBytes(MAX_FILE_BYTES + 1);
    }
  }

  private static String reason(Exception e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static String run(Plan plan, boolean json) {
    Advice advice = Advice.of(plan);
    List<Run> runs = new ArrayList<>();
    for (Plan.Row row : plan.rows(plan.base())) {
      runs.add(new Run(row, false, Trial.run(row.setup())));
    }
    if (!advice.suggested().equals(plan.base())) {
      for (Plan.Row row : plan.rows(advice.suggested())) {
        runs.add(new Run(row, true, Trial.run(row.setup())));
      }
    }
    return json ? SimJson.of(plan, runs, advice) : SimText.of(plan, runs, advice);
  }

  /** A file that runs, with what each key means. */
  public static String example() {
    try (InputStream file = SimCommand.class.getResourceAsStream("example.toml")) {
      if (file == null) {
        throw new IllegalStateException("the example is missing in this build");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the example cannot be read", e);
    }
  }
}
