package io.headgate.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the packages of the library may call and may know. */
final class ArchitectureTest {
  private static final JavaClasses LIBRARY =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.headgate");

  @Test
  @Tag("T1")
  void onlyTheTimePackageAsksForTheTimeOrSleeps() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.headgate.time")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .because("time comes from one ticker that tests can move"));
  }

  @Test
  @Tag("T3")
  void noTestSleeps() {
    JavaClasses tests =
        new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("io.headgate");

    noClasses()
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(Thread.class, "sleep", java.time.Duration.class)
        .because("tests wait for events")
        .check(tests);
  }

  @Test
  void timeKnowsNoOtherPackage() {
    check(
        classes()
            .that()
            .resideInAPackage("io.headgate.time")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "io.headgate.time",
                "java..",
                "org.jspecify.annotations",
                "com.google.errorprone.annotations..")
            .because("every other package may use it"));
  }

  @Test
  void queueStandsAlone() {
    check(
        classes()
            .that()
            .resideInAPackage("io.headgate.queue")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "io.headgate.queue",
                "io.headgate.time",
                "java..",
                "org.jspecify.annotations",
                "com.google.errorprone.annotations..")
            .because("it is a building block that needs no worker"));
  }

  @Test
  void workerKnowsNoLeafPackage() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.headgate")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.headgate.queue", "io.headgate.lifecycle", "io.headgate.testing")
            .because("whoever does not use a leaf package can forget it"));
  }

  @Test
  void libraryDependsOnTheJdkAlone() {
    check(
        classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "io.headgate..",
                "java..",
                "jdk.jfr..",
                "org.jspecify.annotations",
                "com.google.errorprone.annotations..")
            .because("the library brings no dependency"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(LIBRARY);
  }
}
