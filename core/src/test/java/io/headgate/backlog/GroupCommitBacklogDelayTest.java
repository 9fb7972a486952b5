package io.headgate.backlog;

/** A backlog whose decisions count only after a commit of many keeps the contract of delays. */
class GroupCommitBacklogDelayTest extends BacklogDelayContract {
  @Override
  Backlog.Factory<String> factory() {
    return (settings, listener) -> new GroupCommitBacklog<>(settings, listener, Thread::onSpinWait);
  }
}
