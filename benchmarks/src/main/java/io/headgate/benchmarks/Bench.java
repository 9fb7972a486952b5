package io.headgate.benchmarks;

import io.headgate.benchmarks.bound.BoundStudy;
import io.headgate.benchmarks.core.CoreStudy;
import io.headgate.benchmarks.guard.GuardStudy;
import io.headgate.benchmarks.measure.DocsSection;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.Machine;
import io.headgate.benchmarks.measure.Pinning;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Trial;
import io.headgate.benchmarks.memory.MemoryStudy;
import io.headgate.benchmarks.program.Program;
import io.headgate.benchmarks.program.ProgramStudy;
import io.headgate.benchmarks.refusal.RefusalStudy;
import io.headgate.benchmarks.regimes.RegimesStudy;
import io.headgate.benchmarks.run.RunStudy;
import io.headgate.benchmarks.soak.SoakStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sub-commands of {@code ./bench}. */
public final class Bench {

  private static final String GUARD = "guard";

  private final Map<String, Study> studies = new LinkedHashMap<>();
  private final Path root;

  private Bench(Path root) {
    this.root = root;
    studies.put("core", new CoreStudy());
    studies.put("refusal", new RefusalStudy());
    studies.put("memory", MemoryStudy.study());
    studies.put("bound", new BoundStudy());
    studies.put("goodput", new ProgramStudy("Goodput under overload", Program.GOODPUT));
    studies.put("durable", new ProgramStudy("Durable acceptance", Program.DURABLE));
    studies.put("run", new RunStudy());
    studies.put("regimes", new RegimesStudy());
    studies.put("soak", new SoakStudy());
  }

  /** What {@code ./bench all} runs, in its order. */
  static Set<String> names() {
    return new Bench(Path.of("")).studies.keySet();
  }

  /**
   * Runs studies.
   *
   * @param arguments the root of the repository, then as the usage says
   */
  public static void main(String[] arguments) throws Exception {
    List<String> given = new ArrayList<>(List.of(arguments));
    System.exit(new Bench(Path.of(given.removeFirst()).toAbsolutePath()).run(given));
  }

  private int run(List<String> given) throws Exception {
    boolean quick = given.remove("--quick");
    boolean docs = given.remove("--docs");
    int minutes = quick ? 1 : 20;
    int at = given.indexOf("--minutes");
    if (at >= 0 && at + 1 < given.size()) {
      minutes = Integer.parseInt(given.remove(at + 1));
      given.remove(at);
    }
    Map<String, Study> chosen = new LinkedHashMap<>();
    for (String name : given) {
      if (name.equals("all")) {
        chosen.putAll(studies);
      } else if (name.equals(GUARD)) {
        chosen.put(GUARD, new GuardStudy());
      } else if (studies.containsKey(name)) {
        chosen.put(name, studies.get(name));
      } else {
        chosen.clear();
        break;
      }
    }
    if (chosen.isEmpty()) {
      System.err.print(
          """
          usage: ./bench STUDY... [--quick] [--docs] [--minutes N]
            STUDY      %s, or all; or guard, the check of a build
            --quick    small doses, to see that everything works
            --docs     also writes the section of each study in docs/benchmarks.md
            --minutes  how long soak lasts (20; with --quick 1)
          """
              .formatted(String.join(", ", studies.keySet())));
      return 64;
    }
    Pinning pinning = Pinning.look();
    // What was built is what is measured, even if a file changes while hours go by.
    Machine machine = Machine.look(root, pinning);
    boolean well = true;
    for (Map.Entry<String, Study> study : chosen.entrySet()) {
      Setting setting =
          new Setting(
              root,
              quick,
              minutes,
              docs,
              new Trial(pinning),
              line -> System.err.println(study.getKey() + ": " + line));
      String command =
          "./bench "
              + study.getKey()
              + (quick ? " --quick" : "")
              + minutesOf(study.getKey(), at, minutes);
      try {
        well &= run(study.getKey(), study.getValue(), setting, machine.again(), command);
      } catch (IOException | RuntimeException e) {
        // The others may still be well.
        System.err.println(study.getKey() + ": FAILED: " + e);
        well = false;
      }
    }
    return well ? 0 : 1;
  }

  private static String minutesOf(String study, int given, int minutes) {
    return given >= 0 && study.equals("soak") ? " --minutes " + minutes : "";
  }

  private boolean run(String name, Study study, Setting setting, Machine machine, String command)
      throws Exception {
    long start = System.nanoTime();
    Findings findings = study.run(setting);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    String text =
        "## %s\n\n`%s` (%d s)%s. %s\n\n%s"
            .formatted(
                findings.title(),
                command,
                took.toSeconds(),
                setting.quick() ? ": **a quick run, no figures to cite**" : "",
                machine.text(),
                findings.text());
    System.out.println(text);
    Path results = root.resolve(Setting.RESULTS);
    Files.createDirectories(results);
    Files.writeString(results.resolve(name + ".json"), findings.json(machine, command));
    if (setting.docs() && !name.equals(GUARD)) {
      new DocsSection(root.resolve("docs/benchmarks.md"), name).replace(text);
    }
    for (String failure : findings.failures()) {
      System.err.println(name + ": FAILED: " + failure);
    }
    return findings.failures().isEmpty();
  }
}
