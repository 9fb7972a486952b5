package io.headgate.lifecycle;

/** How strongly a stop has been asked for. It only grows. */
enum Demand {
  NONE,
  DRAIN,
  ABORT,
  HALT
}
