package io.headgate.cli.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native library of the driver. By itself it would be unpacked into a folder for all, and
 * stay there after each kill; so it gets a folder of its own, which is gone as soon as it is
 * loaded.
 */
final class Driver {
  // What it logs about files that it cannot unpack has many lines; here it becomes one. Kept, as
  // the setting of a logger that nobody holds is lost.
  private static final Logger SILENT = Logger.getLogger("org.sqlite");

  private static final String FOLDER_OF_DRIVER = "org.sqlite.tmpdir";

  private static boolean loaded;

  private Driver() {}

  /**
   * Loads it, once in a process.
   *
   * @param store the file that it is needed for
   * @throws StoreFault if it cannot be unpacked or loaded
   */
  static synchronized void load(Path store) throws StoreFault {
    if (loaded) {
      return;
    }
    SILENT.setLevel(Level.OFF);
    String chosen = System.getProperty(FOLDER_OF_DRIVER, System.getProperty("org.sqlite.lib.path"));
    String name = System.getenv("TMPDIR");
    String parent = name == null || name.isEmpty() ? "/tmp" : name;
    Path folder = null;
    try {
      if (chosen == null) {
        folder = Files.createTempDirectory(Path.of(parent), "headgate-");
        System.setProperty(FOLDER_OF_DRIVER, folder.toString());
      }
      DriverManager.getConnection("jdbc:sqlite::memory:").close();
      loaded = true;
    } catch (IOException | SQLException | InvalidPathException | LinkageError e) {
      throw new StoreFault(
          "the store "
              + store
              + " cannot be opened: the library of SQLite cannot be unpacked and loaded in "
              + (chosen == null ? parent : chosen)
              + ": make room there, and let programs be loaded from it, or let TMPDIR name another"
              + " folder");
    } finally {
      remove(folder);
    }
  }

  private static void remove(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    System.clearProperty(FOLDER_OF_DRIVER);
    File[] files = folder.toFile().listFiles();
    for (File file : files == null ? new File[0] : files) {
      // What stays is a file too many, and no reason to fail.
      var _ = file.delete();
    }
    var _ = folder.toFile().delete();
  }
}
