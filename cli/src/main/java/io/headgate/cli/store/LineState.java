package io.headgate.cli.store;

import java.util.List;
import java.util.Locale;

/** What a progress record says of a line. */
public enum LineState {
  /** It is known and to be run: it was refused, or somebody decided so. */
  OPEN(0),
  /** Its start is recorded, and its end is not. */
  RUNNING(1),
  /** Its last attempt has failed, and there was to be another. */
  SUSPENDED(2),
  /** It was started, and nobody knows how it ended. */
  UNCERTAIN(3),
  /** It has failed. */
  FAILED(4),
  /** It has completed. */
  COMPLETED(5);

  private static final List<LineState> ALL = List.of(values());

  private final int code;

  LineState(int code) {
    this.code = code;
  }

  /** What the column {@code state} holds. */
  int code() {
    return code;
  }

  /** The state of a code; {@link #UNCERTAIN} for one that there is not. */
  static LineState of(int code) {
    return code >= 0 && code < ALL.size() ? ALL.get(code) : UNCERTAIN;
  }

  /** The word for people. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
