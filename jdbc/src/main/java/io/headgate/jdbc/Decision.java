package io.headgate.jdbc;

/** What somebody decides on a held job. */
public enum Decision {
  /** It waits again, ahead of the others; starts that were lost to crashes are forgiven. */
  RERUN,
  /** It was done after all: it is completed. */
  COMPLETE,
  /** It has failed. */
  FAIL
}
