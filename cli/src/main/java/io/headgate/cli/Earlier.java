package io.headgate.cli;

/** What is known of earlier runs over the same input: by a joblog, or by a store. One thread. */
interface Earlier {
  /** What is to be done with an item. */
  enum Decision {
    RUN,
    SKIP,
    /** Skipped, and it failed then. */
    SKIP_FAILED,
    /** Skipped, though it has neither completed nor failed. */
    SKIP_UNDONE,
    /** Not run: nobody knows what an earlier run did with it. */
    HOLD,
    /** Another item stands in its place in the record. */
    DIFFERS,
    /** It cannot be known, which has been told; nothing after it can be done either. */
    LOST
  }

  /** What is to be done with an item of the input; they come in its order. */
  Decision decide(Item item);

  /** How many items are known to be skipped by now, since it was asked last. */
  long takeSkipped();

  /** Why an item {@link Decision#DIFFERS}, in words that follow the number of its line. */
  String difference(Item item);

  /** What is wrong with an input that ends behind this position; empty if nothing is. */
  String wrongEnd(long last);

  /** How many positions beyond the last of the input are recorded. */
  long beyond(long last);

  /** How many of those would have been run. */
  long beyondToRun(long last);

  /** The word for the record: the joblog, or the store. */
  String name();
}
