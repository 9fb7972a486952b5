package io.headgate.cli;

/**
 * Where the output of one command goes. Used by the thread that runs the command; every call may
 * block, and then attends to the pause.
 */
interface Delivery {
  /** Opens the delivery of each command's output. Safe for all threads. */
  interface Opener {
    /**
     * Opens the delivery of a command that was started.
     *
     * @param waker makes the thread of the command call {@link Delivery#proceed} soon; late calls
     *     do no harm
     */
    Delivery open(Item item, Runnable waker);
  }

  /** Takes nothing, for where no command runs. */
  Delivery NONE =
      new Delivery() {
        @Override
        public boolean take(Output.Stream stream, byte[] bytes, int count, Pause pause) {
          return false;
        }

        @Override
        public void proceed(Pause pause) {}

        @Override
        public void ended(Ending ending, Pause pause) {}
      };

  /**
   * Takes a chunk of what the command wrote, as it was read; at most {@link LineBuffer#LONGEST}
   * bytes.
   *
   * @return whether more of this stream is wanted
   */
  boolean take(Output.Stream stream, byte[] bytes, int count, Pause pause);

  /** Does what has become possible since the last call; cheap where there is nothing to do. */
  void proceed(Pause pause);

  /** The command has ended, and no more comes of it. */
  void ended(Ending ending, Pause pause);
}
