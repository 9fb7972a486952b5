package io.headgate.evidence;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the tagged tests in compiled test classes, by JUnit's rules of inheritance and nesting. It
 * reads class files and loads none, so it needs no module's test dependencies.
 */
final class TestScan {
  /** The names that the build runs; see the surefire plugin in the parent POM. */
  private static final Pattern RUN = Pattern.compile(".*(Test|Stress|Lincheck|Simulation)");

  private static final Set<String> TEST_ANNOTATIONS =
      Set.of(
          "Lorg/junit/jupiter/api/Test;",
          "Lorg/junit/jupiter/api/RepeatedTest;",
          "Lorg/junit/jupiter/api/TestTemplate;",
          "Lorg/junit/jupiter/params/ParameterizedTest;",
          "Lorg/pastalab/fray/junit/junit5/annotations/ConcurrencyTest;",
          "Lorg/pastalab/fray/junit/junit5/annotations/FrayTest;");
  private static final String FACTORY = "Lorg/junit/jupiter/api/TestFactory;";
  private static final String NESTED = "Lorg/junit/jupiter/api/Nested;";
  private static final String TAG = "Lorg/junit/jupiter/api/Tag;";
  private static final String TAGS = "Lorg/junit/jupiter/api/Tags;";

  /** Internal name to class, sorted so that the page does not depend on the file system. */
  private final Map<String, ClassModel> classes = new TreeMap<>();

  private TestScan() {}

  /** The tests of all folders, those tagged {@code long} left out. */
  static List<TaggedTest> of(List<Path> folders) throws IOException {
    TestScan scan = new TestScan();
    for (Path folder : folders) {
      scan.read(folder);
    }
    List<TaggedTest> found = new ArrayList<>();
    for (ClassModel type : scan.classes.values()) {
      if (scan.isRun(type)) {
        scan.collect(type, type, new HashSet<>(), found);
      }
    }
    found.removeIf(test -> test.tags().contains("long"));
    return List.copyOf(found);
  }

  private void read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      ClassModel type = ClassFile.of().parse(file);
      classes.put(type.thisClass().asInternalName(), type);
    }
  }

  private boolean isRun(ClassModel type) {
    if (type.flags().has(AccessFlag.ABSTRACT)) {
      return false;
    }
    String name = type.thisClass().asInternalName();
    int dollar = name.lastIndexOf('$');
    if (dollar < 0) {
      return RUN.matcher(name).matches();
    }
    ClassModel outer = classes.get(name.substring(0, dollar));
    return outer != null && annotations(type).containsKey(NESTED) && isRun(outer);
  }

  private void collect(
      ClassModel runner, ClassModel holder, Set<String> seen, List<TaggedTest> found) {
    for (MethodModel method : holder.methods()) {
      // The lowest override speaks, also where it takes the annotation away.
      if (!seen.add(method.methodName().stringValue() + method.methodType().stringValue())) {
        continue;
      }
      Set<String> names = annotations(method).keySet();
      boolean isDynamic = names.contains(FACTORY);
      if (isDynamic || names.stream().anyMatch(TEST_ANNOTATIONS::contains)) {
        Set<String> tags = new TreeSet<>(tags(method));
        addClassTags(runner, tags);
        found.add(
            new TaggedTest(
                binaryName(runner),
                binaryName(holder),
                method.methodName().stringValue(),
                isDynamic,
                Set.copyOf(tags)));
      }
    }
    for (ClassModel parent : parents(holder)) {
      collect(runner, parent, seen, found);
    }
  }

  private void addClassTags(ClassModel type, Set<String> tags) {
    tags.addAll(tags(type));
    parents(type).forEach(parent -> addClassTags(parent, tags));
    String name = type.thisClass().asInternalName();
    int dollar = name.lastIndexOf('$');
    if (dollar >= 0 && classes.containsKey(name.substring(0, dollar))) {
      addClassTags(classes.get(name.substring(0, dollar)), tags);
    }
  }

  private List<ClassModel> parents(ClassModel type) {
    return Stream.concat(type.superclass().stream(), type.interfaces().stream())
        .map(ClassEntry::asInternalName)
        .filter(classes::containsKey)
        .map(classes::get)
        .toList();
  }

  private static Set<String> tags(AttributedElement element) {
    Map<String, Annotation> annotations = annotations(element);
    Set<String> tags = new TreeSet<>();
    if (annotations.containsKey(TAG)) {
      tags.add(text(annotations.get(TAG).elements().getFirst().value()));
    }
    if (annotations.containsKey(TAGS)) {
      AnnotationElement value = annotations.get(TAGS).elements().getFirst();
      for (AnnotationValue each : ((AnnotationValue.OfArray) value.value()).values()) {
        Annotation tag = ((AnnotationValue.OfAnnotation) each).annotation();
        tags.add(text(tag.elements().getFirst().value()));
      }
    }
    return tags;
  }

  private static String text(AnnotationValue value) {
    return ((AnnotationValue.OfString) value).stringValue();
  }

  private static Map<String, Annotation> annotations(AttributedElement element) {
    Map<String, Annotation> byType = new TreeMap<>();
    element
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .ifPresent(
            attribute ->
                attribute
                    .annotations()
                    .forEach(each -> byType.put(each.className().stringValue(), each)));
    return byType;
  }

  private static String binaryName(ClassModel type) {
    return type.thisClass().asInternalName().replace('/', '.');
  }
}
