package io.headgate;

/**
 * How much it matters that a job is done, most critical first. Under overload the least critical
 * jobs give way first. The four classes and their names are those of the overload chapter of the
 * Site Reliability Engineering book.
 */
public enum Criticality {
  /** Users notice at once when this fails. */
  CRITICAL_PLUS(0),
  /** The default: users notice when this fails. */
  CRITICAL(1),
  /** Partial loss is expected; the natural class of batch work that can be retried soon. */
  SHEDDABLE_PLUS(2),
  /** Frequent loss and long outages are acceptable. */
  SHEDDABLE(3);

  static final int COUNT = values().length;

  /** 0 is the most critical. */
  final int level;

  Criticality(int level) {
    this.level = level;
  }
}
