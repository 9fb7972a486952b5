package io.headgate.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What the test runs of this build reported: a tag on a test that did not run proves nothing. */
final class TestReports {
  private final Map<String, Set<String>> namesByClass = new HashMap<>();
  private final List<String> skipped = new ArrayList<>();

  /** Reads the reports of all folders; a folder may be missing where a module has no tests. */
  TestReports(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file :
              files
                  .filter(each -> each.getFileName().toString().matches("TEST-.*\\.xml"))
                  .toList()) {
            read(file);
          }
        }
      }
    }
  }

  private void read(Path file) throws IOException {
    NodeList cases;
    try {
      cases =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("testcase");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("cannot read " + file, e);
    }
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String type = test.getAttribute("classname");
      String name = test.getAttribute("name");
      namesByClass.computeIfAbsent(type, key -> new HashSet<>()).add(name);
      if (test.getElementsByTagName("skipped").getLength() > 0) {
        skipped.add("%s.%s was skipped".formatted(type, name));
      }
    }
  }

  /** One line for each test that was skipped, or that has a number and did not run. */
  List<String> faults(List<TaggedTest> tests) {
    List<String> faults = new ArrayList<>(skipped);
    for (TaggedTest test : tests) {
      if (test.tags().stream().anyMatch(Contracts::isNumber) && !ran(test)) {
        faults.add("%s.%s did not run".formatted(test.runner(), test.method()));
      }
    }
    return faults;
  }

  private boolean ran(TaggedTest test) {
    Set<String> names = namesByClass.getOrDefault(test.runner(), Set.of());
    return test.isDynamic()
        ? !names.isEmpty()
        : names.stream().anyMatch(name -> isRunOf(test.method(), name));
  }

  /** A run of a test with parameters is named for instance {@code works(int)[3]}. */
  private static boolean isRunOf(String method, String name) {
    return name.equals(method) || name.startsWith(method + "(") || name.startsWith(method + "[");
  }
}
