package io.headgate.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Another process that tries to become the owner of a store, and says what came of it. */
public final class OwnerProbe {

  private OwnerProbe() {}

  /** Runs in the other process. */
  public static void main(String[] args) {
    try (FileOwner owner = FileOwner.of(Path.of(args[0]))) {
      System.out.print("owner " + (owner != null));
    } catch (StoreException e) {
      System.out.print(e.getMessage());
    }
  }

  /** What another process is told that wants to own {@code store}. */
  static String ask(Path store) throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OwnerProbe.class.getName(),
                store.toString())
            .start();
    String said =
        new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            + new String(other.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    other.waitFor();
    return said;
  }
}
