package io.headgate.benchmarks.refusal;

import com.sun.management.ThreadMXBean;
import io.headgate.benchmarks.measure.Trial;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks one full thing over and over, alone and with others that ask at the same time. */
public final class RefusalTrial {

  private static final int BATCH = 100;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Refuser refuser;
  private volatile boolean stopped;

  private RefusalTrial(Refuser refuser) {
    this.refuser = refuser;
  }

  /**
   * Measures.
   *
   * @param arguments who is asked, milliseconds to warm up, milliseconds that are measured, then
   *     numbers of threads
   */
  public static void main(String[] arguments) throws Exception {
    Refuser refuser = RefuserKind.valueOf(arguments[0]).fill();
    RefusalTrial trial = new RefusalTrial(refuser);
    trial.ask(1, Long.parseLong(arguments[1]));
    for (int i = 3; i < arguments.length; i++) {
      int count = Integer.parseInt(arguments[i]);
      Asked asked = trial.ask(count, Long.parseLong(arguments[2]));
      Trial.answer("rate." + count, asked.times * 1e9 / asked.nanos);
      Trial.answer("bytes." + count, (double) asked.bytes / asked.times);
    }
    refuser.empty();
    // Some peers leave threads that would keep the process.
    System.exit(0);
  }

  private record Asked(long times, long nanos, long bytes) {}

  private Asked ask(int count, long millis) throws Exception {
    stopped = false;
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<Future<Asked>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        running.add(executor.submit(this::untilStopped));
      }
      Thread.sleep(millis);
      stopped = true;
      long times = 0;
      long nanos = 0;
      long bytes = 0;
      for (Future<Asked> one : running) {
        times += one.get().times;
        nanos = Math.max(nanos, one.get().nanos);
        bytes += one.get().bytes;
      }
      return new Asked(times, nanos, bytes);
    }
  }

  private Asked untilStopped() {
    long bytes = threads.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    long times = 0;
    while (!stopped) {
      for (int i = 0; i < BATCH; i++) {
        if (!refuser.refuses()) {
          throw new IllegalStateException("accepted, though it is full");
        }
      }
      times += BATCH;
    }
    long nanos = System.nanoTime() - start;
    return new Asked(times, nanos, threads.getCurrentThreadAllocatedBytes() - bytes);
  }
}
