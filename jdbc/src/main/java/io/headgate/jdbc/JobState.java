package io.headgate.jdbc;

import java.util.List;

/** Where an unfinished job is. */
enum JobState {
  WAITING(0),
  RUNNING(1),
  SUSPENDED(2),
  HELD(3),
  /** Was started before, and waits ahead of those that wait for their first attempt. */
  DUE(4);

  private static final List<JobState> ALL = List.of(values());

  /** What the column {@code state} holds. */
  final int code;

  JobState(int code) {
    this.code = code;
  }

  static JobState of(int code) {
    return ALL.get(code);
  }
}
