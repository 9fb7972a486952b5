package io.headgate.cli;

/** Pauses for tests. */
final class Pauses {
  /** A pause of somebody who can wait for ever. */
  static final Pause NO_HURRY =
      new Pause() {
        @Override
        public boolean attend() {
          return true;
        }

        @Override
        public void woken() {}

        @Override
        public int millisUntilDue() {
          return -1;
        }

        @Override
        public int wakeFd() {
          return -1;
        }
      };

  private Pauses() {}
}
