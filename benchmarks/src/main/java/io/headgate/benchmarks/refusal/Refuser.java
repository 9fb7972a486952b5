package io.headgate.benchmarks.refusal;

/** Something that is full, and says no. */
interface Refuser {

  /** Asks once; true if it was refused, as it must be. */
  boolean refuses();

  /** Lets go of what fills it, and checks that nothing more got in. */
  default void empty() throws Exception {}
}
