package io.headgate.backlog;

import io.headgate.Backlogs;

/** The backlog in memory keeps the contract. */
class MemoryBacklogContractTest extends BacklogDiscardContract {
  @Override
  Backlog.Factory<String> factory() {
    return Backlogs.memory();
  }
}
