package io.headgate.fray;

import java.lang.management.ManagementFactory;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Ends the test run before its first test where the image or the agent is missing: uncontrolled
 * schedules pass, or hang, and prove nothing.
 */
public final class InstrumentationGate implements LauncherSessionListener {
  /** Called by the service loader. */
  public InstrumentationGate() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if ("off".equals(System.getProperty("headgate.fray"))) {
      return; // the run of the Lincheck tests
    }
    if (ModuleLayer.boot().modules().stream()
        .noneMatch(module -> module.getPackages().contains("org.pastalab.fray.runtime"))) {
      throw new IllegalStateException(
          "the tests run on %s, which is not the instrumented image of .ci/fray-image"
              .formatted(System.getProperty("java.home")));
    }
    if (ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .noneMatch(argument -> argument.startsWith("-javaagent:"))) {
      throw new IllegalStateException("the tests run without the agent of .ci/fray-image");
    }
  }
}
