package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** A thread factory that remembers its threads, virtual ones too, which no thread dump lists. */
final class ThreadWatch implements ThreadFactory {

  private final ThreadFactory factory;
  private final List<Thread> made = new ArrayList<>();

  private ThreadWatch(ThreadFactory factory) {
    this.factory = factory;
  }

  static ThreadWatch virtual() {
    return new ThreadWatch(Thread.ofVirtual().factory());
  }

  static ThreadWatch platform() {
    return new ThreadWatch(Thread.ofPlatform().daemon().factory());
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = factory.newThread(task);
    synchronized (made) {
      made.add(thread);
    }
    return thread;
  }

  List<Thread> made() {
    synchronized (made) {
      return List.copyOf(made);
    }
  }

  void awaitGone() {
    Aside.until(() -> made().stream().noneMatch(Thread::isAlive));
  }

  /** The platform threads of the worker {@code name} that live now: its control threads. */
  static List<String> controlThreads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(thread -> thread.startsWith("headgate-" + name + "-"))
        .toList();
  }

  static void awaitNoControlThread(String name) {
    Aside.until(() -> controlThreads(name).isEmpty());
    assertThat(controlThreads(name)).isEmpty();
  }
}
