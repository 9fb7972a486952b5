package io.headgate.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Starts processes that are about to be killed, hundreds of them: the classes of this test run in
 * jars, an ahead-of-time cache over these, and the native library unpacked once. Each start costs
 * less than half of what it would otherwise. Without a cache, if none can be made, only slower.
 */
final class Children {

  private final List<String> command = new ArrayList<>();

  Children(Path folder) throws IOException, InterruptedException {
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:ActiveProcessorCount=2");
    command.add("-XX:-UsePerfData");
    command.add("-Xmx128m");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dorg.sqlite.lib.path=" + nativeLibrary(folder).getParent());
    command.add("-cp");
    command.add(jars(folder));
    Path cache = folder.resolve("children.aot");
    Process training =
        started(
            List.of("-XX:AOTCacheOutput=" + cache),
            folder.resolve("training.db"),
            "training",
            "rerun",
            "EXIT",
            200);
    training.getInputStream().readAllBytes();
    if (training.waitFor(120, TimeUnit.SECONDS) && Files.exists(cache)) {
      command.add(1, "-XX:AOTCache=" + cache);
    }
  }

  /** Starts a {@link KilledWorker}. */
  Process start(Path file, String run, String policy, String point, int times) throws IOException {
    return started(List.of(), file, run, policy, point, times);
  }

  private Process started(
      List<String> options, Path file, String run, String policy, String point, int times)
      throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(1, options);
    all.addAll(
        List.of(
            KilledWorker.class.getName(),
            file.toString(),
            run,
            policy,
            point,
            Integer.toString(times)));
    return new ProcessBuilder(all)
        .redirectError(ProcessBuilder.Redirect.appendTo(file.resolveSibling("errors").toFile()))
        .start();
  }

  private static Path nativeLibrary(Path folder) throws IOException {
    Path library = folder.resolve(LibraryLoaderUtil.getNativeLibName());
    String resource =
        LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
    try (InputStream in = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
      Files.copy(in, library);
    }
    return library;
  }

  /** The class path, folders as jars: a cache is made over jars only. */
  private static String jars(Path folder) throws IOException {
    List<String> jars = new ArrayList<>();
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator, -1);
    for (String each : entries) {
      Path path = Path.of(each);
      if (Files.isDirectory(path)) {
        Path jar = folder.resolve("classes-" + jars.size() + ".jar");
        pack(path, jar);
        jars.add(jar.toString());
      } else if (Files.exists(path)) {
        jars.add(each);
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.setLevel(0);
      Files.walkFileTree(
          classes,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              String name = classes.relativize(file).toString().replace('\\', '/');
              if (!name.startsWith("META-INF/") && !name.equals("module-info.class")) {
                entries.putNextEntry(new JarEntry(name));
                Files.copy(file, entries);
                entries.closeEntry();
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }
  }
}
