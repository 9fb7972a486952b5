package io.headgate;

/** Who told a running handler to stop. The first one counts. */
enum CancelCause {
  /** A stop of the worker. */
  STOP(1),
  /** A cancel of this job by its id. */
  CANCEL(2),
  /** The timeout of the attempt. */
  TIMEOUT(3);

  /** Not zero, which is nobody. */
  final int code;

  CancelCause(int code) {
    this.code = code;
  }

  static CancelCause of(int code) {
    return switch (code) {
      case 1 -> STOP;
      case 2 -> CANCEL;
      case 3 -> TIMEOUT;
      default -> throw new IllegalArgumentException("no cause has the code " + code);
    };
  }
}
