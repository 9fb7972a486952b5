package io.headgate.simulator;

/** Something that can be called: a server, or a layer in front of one. */
interface Callee {

  /** Takes a call; it is told its end, at once or later. */
  void call(Work work);
}
