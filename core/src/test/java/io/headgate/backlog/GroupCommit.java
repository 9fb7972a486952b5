package io.headgate.backlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Statements of many threads in one commit, led by whoever comes first: the leader takes all that
 * lies there, commits once, and only then are the statements visible and their callers answered.
 *
 * <p>Everything guarded by {@link #lock} is the committed state. What a statement wants to be done
 * outside the lock it hands to {@link #afterwards}; its own caller does it.
 */
final class GroupCommit {

  /** One statement under way. */
  private static final class Request {
    final Supplier<?> statement;
    final List<Runnable> afterwards = new ArrayList<>();
    Object result;
    RuntimeException thrown;
    boolean done;

    Request(Supplier<?> statement) {
      this.statement = statement;
    }
  }

  final ReentrantLock lock = new ReentrantLock();
  private final Condition committed = lock.newCondition();
  private final Runnable onGroup;
  private final Runnable disk;
  private final Runnable onEnd;
  private final List<Request> pending = new ArrayList<>();
  private boolean leading;
  private Request current;

  /**
   * @param onGroup called under the lock when a group is closed, before its commit
   * @param disk the commit itself, outside the lock; a test may block it
   * @param onEnd called under the lock at the end of every statement
   */
  GroupCommit(Runnable onGroup, Runnable disk, Runnable onEnd) {
    this.onGroup = onGroup;
    this.disk = disk;
    this.onEnd = onEnd;
  }

  /** Runs {@code statement} in a commit. An interrupt ends nothing, and is kept. */
  @SuppressWarnings("unchecked")
  <R> R commit(Supplier<R> statement) {
    Request request = new Request(statement);
    lock.lock();
    try {
      pending.add(request);
      while (!request.done) {
        if (leading) {
          committed.awaitUninterruptibly();
        } else {
          lead();
        }
      }
    } finally {
      lock.unlock();
    }
    request.afterwards.forEach(Runnable::run);
    if (request.thrown != null) {
      throw request.thrown;
    }
    return (R) request.result;
  }

  private void lead() {
    leading = true;
    List<Request> group = List.copyOf(pending);
    pending.clear();
    onGroup.run();
    lock.unlock();
    try {
      disk.run();
    } finally {
      lock.lock();
      leading = false;
    }
    group.forEach(this::run);
    committed.signalAll();
  }

  /** Runs what is of this process alone and needs no commit. Never waits for one. */
  @SuppressWarnings("unchecked")
  <R> R local(Supplier<R> statement) {
    Request request = new Request(statement);
    lock.lock();
    try {
      run(request);
    } finally {
      lock.unlock();
    }
    request.afterwards.forEach(Runnable::run);
    return (R) request.result;
  }

  void local(Runnable statement) {
    local(
        () -> {
          statement.run();
          return null;
        });
  }

  void commit(Runnable statement) {
    commit(
        () -> {
          statement.run();
          return null;
        });
  }

  private void run(Request request) {
    current = request;
    try {
      request.result = request.statement.get();
    } catch (RuntimeException e) {
      request.thrown = e;
    }
    onEnd.run();
    request.done = true;
  }

  /** Lets the caller of the statement under way do {@code action} once the lock is free. */
  void afterwards(Runnable action) {
    current.afterwards.add(action);
  }
}
