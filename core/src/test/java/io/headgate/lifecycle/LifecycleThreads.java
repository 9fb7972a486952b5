package io.headgate.lifecycle;

import java.util.List;

/** The threads of all lifecycles of this process. */
final class LifecycleThreads {

  private LifecycleThreads() {}

  static List<String> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("headgate-lifecycle"))
        .toList();
  }
}
