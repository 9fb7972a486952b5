package io.headgate;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread on which foreign code runs that must not hold up jobs, deadlines or a stop: listeners,
 * and the actions that handlers registered for their cancellation.
 *
 * <p>The thread is a daemon, started for the first thing to run, and ends when nothing is left and
 * no listener may have more. Handing something over never blocks.
 */
final class Dispatcher {

  static final int MAX_EVENTS = 1_024;

  private static final System.Logger LOGGER = System.getLogger(Dispatcher.class.getName());

  private final String name;
  private final List<WorkerListener> listeners;
  private final LongAdder dropped = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition something = lock.newCondition();

  // Guarded by lock. Actions are bounded by what running handlers register.
  private final Queue<WorkerEvent> events = new ArrayDeque<>(0);
  private final Queue<Runnable> actions = new ArrayDeque<>(0);
  private @Nullable Thread thread;
  private boolean closed;

  Dispatcher(String workerName, List<WorkerListener> listeners) {
    this.name = "headgate-" + workerName + "-dispatcher";
    this.listeners = List.copyOf(listeners);
  }

  boolean hasListeners() {
    return !listeners.isEmpty();
  }

  long dropped() {
    return dropped.sum();
  }

  void emit(WorkerEvent event) {
    lock.lock();
    try {
      if (events.size() < MAX_EVENTS) {
        events.add(event);
        signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    dropped.increment();
  }

  void run(Runnable action) {
    lock.lock();
    try {
      actions.add(action);
      signal();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the thread end once it has run what was handed over. */
  void close() {
    lock.lock();
    try {
      closed = true;
      something.signal();
    } finally {
      lock.unlock();
    }
  }

  private void signal() {
    if (thread == null) {
      Thread fresh = Thread.ofPlatform().daemon().name(name).unstarted(this::loop);
      thread = fresh;
      try {
        fresh.start();
      } catch (Throwable t) {
        thread = null; // The next thing handed over tries again.
      }
    } else {
      something.signal();
    }
  }

  private void loop() {
    while (true) {
      Runnable action;
      WorkerEvent event = null;
      lock.lock();
      try {
        while (actions.isEmpty() && events.isEmpty()) {
          if (closed || listeners.isEmpty()) {
            thread = null;
            return;
          }
          something.awaitUninterruptibly();
        }
        action = actions.poll();
        if (action == null) {
          event = events.poll();
        }
      } finally {
        lock.unlock();
      }
      if (action != null) {
        isolated(action);
      }
      if (event != null) {
        WorkerEvent told = event;
        listeners.forEach(listener -> isolated(() -> listener.onEvent(told)));
      }
      // What foreign code left behind is not the next one's.
      Thread.interrupted();
    }
  }

  private void isolated(Runnable foreign) {
    try {
      foreign.run();
    } catch (Throwable t) {
      LOGGER.log(
          Level.WARNING, name + ": a listener or cancel action threw, and was left behind", t);
    }
  }
}
