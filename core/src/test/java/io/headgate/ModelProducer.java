package io.headgate;

/** A producer in the line of an {@link AccountModel}. */
final class ModelProducer {
  final Thread thread;
  final long bytes;
  boolean woken;

  ModelProducer(Thread thread, long bytes) {
    this.thread = thread;
    this.bytes = bytes;
  }
}
