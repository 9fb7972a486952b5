package io.headgate.backlog;

/** A backlog whose decisions count only after a commit of many keeps the contract. */
class GroupCommitBacklogContractTest extends BacklogDiscardContract {
  @Override
  Backlog.Factory<String> factory() {
    return (settings, listener) -> new GroupCommitBacklog<>(settings, listener, Thread::onSpinWait);
  }
}
