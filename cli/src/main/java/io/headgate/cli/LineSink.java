package io.headgate.cli;

/** Takes the lines of one command, or of all. */
interface LineSink {
  /**
   * Takes whole lines of a stream, which stay together. The array may be used again afterwards.
   *
   * @return whether more of this stream is wanted
   */
  boolean write(Output.Stream stream, byte[] lines, int length, Pause pause);

  /** See {@link Delivery#proceed}. */
  default void proceed(Pause pause) {}

  /** No more comes of this command. */
  default void end(Pause pause) {}
}
