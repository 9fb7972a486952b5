package io.headgate.evidence;

import java.util.Set;

/**
 * A test method as one concrete class runs it.
 *
 * @param runner binary name of the class that is run
 * @param declarer binary name of the class that holds the method; a contract suite, or the runner
 * @param method name of the method
 * @param isDynamic whether its reports carry names of their own
 * @param tags all tags, those of the classes included
 */
record TaggedTest(
    String runner, String declarer, String method, boolean isDynamic, Set<String> tags) {

  /** For instance {@code WorkerTest.Stop.drainsFirst}. */
  String title() {
    return simple(declarer) + "." + method;
  }

  String runnerTitle() {
    return simple(runner);
  }

  private static String simple(String binaryName) {
    return binaryName.substring(binaryName.lastIndexOf('.') + 1).replace('$', '.');
  }
}
