package io.headgate.lifecycle;

/** The two ways in which a process ends itself. */
interface ProcessEnd {

  /** Runs the shutdown hooks and ends the process. Does not return. */
  void exit(int status);

  /** Ends the process at once. Does not return. */
  void halt(int status);

  /** This process. */
  ProcessEnd THIS_PROCESS =
      new ProcessEnd() {
        @Override
        public void exit(int status) {
          System.exit(status);
        }

        @Override
        public void halt(int status) {
          Runtime.getRuntime().halt(status);
        }
      };
}
