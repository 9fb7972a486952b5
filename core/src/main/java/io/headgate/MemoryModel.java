package io.headgate;

import java.math.BigInteger;

/**
 * Computes {@link MemoryBound} from settings: the sizes of the objects that the core keeps, on a
 * 64-bit JVM with compressed references and 8-byte alignment, times how many of each the settings
 * allow.
 */
final class MemoryModel {

  private static final int REFERENCE = 4;
  private static final int STRING = 24;
  private static final int ARRAY = 16;

  // One instance each, header and padding included.
  private static final int ENTRY = 96;
  private static final int JOB = 56;
  private static final int TRACKED_FUTURE = 24;
  private static final int ABANDONED = 24;
  private static final int OUTCOME = 32;
  private static final int JOB_ERROR = 24;
  private static final int WAITER = 40;
  private static final int SUSPENSION = 32;
  private static final int LINEAGE = 24;

  /** The policy, what decides by it, and a budget of its own. */
  private static final int RETRIES = 600;

  private static final int SLOT = 144;
  private static final int ATTEMPT = 32;
  private static final int EVENT = 24;

  /** The worker itself, its locks, its counters and empty collections. */
  private static final int FIXED = 6_500;

  /** A cell of a striped counter, which grows by cells while threads collide. */
  private static final int COUNTER_CELL = 144;

  /** A text may need two bytes for each byte of UTF-8, and four for each code point. */
  private static final int HEAP_BYTES_PER_UTF8_BYTE = 2;

  private static final int HEAP_BYTES_PER_CODE_POINT = 4;

  private BigInteger sum = BigInteger.ZERO;

  private MemoryModel() {}

  static MemoryBound bound(WorkerBuilder<?> settings, int concurrency, int capacity) {
    boolean payloads = settings.capacityBytes != Long.MAX_VALUE;
    if (settings.history == Worker.UNBOUNDED || settings.maxErrorMessageChars == Worker.UNBOUNDED) {
      return new MemoryBound(Long.MAX_VALUE, payloads);
    }
    long unfinished = (long) concurrency + capacity;
    long history = settings.history;
    long id = text(settings.maxJobIdBytes, HEAP_BYTES_PER_UTF8_BYTE);
    long errorType = text(ErrorCapture.MAX_ERROR_TYPE_CHARS, HEAP_BYTES_PER_CODE_POINT);
    long message = text(settings.maxErrorMessageChars, HEAP_BYTES_PER_CODE_POINT);
    long outcome = OUTCOME + JOB_ERROR + id + errorType + message;

    MemoryModel model = new MemoryModel();
    model.add(1, FIXED);
    // The last error made, which the next may share.
    model.add(1, JOB_ERROR + errorType + message);
    model.add((long) Reason.COUNT * processors(), COUNTER_CELL);
    model.add(concurrency, SLOT + ATTEMPT + 4 * REFERENCE);
    // The heap of times to live may be twice as long as it is full.
    model.add(unfinished, ENTRY + JOB + TRACKED_FUTURE + LINEAGE + id + ABANDONED + 4 * REFERENCE);
    if (settings.retry != null) {
      model.add(1, RETRIES);
      // The heap of the suspended may be twice as long as it is full, as well.
      model.add(unfinished, SUSPENSION + LINEAGE + JOB_ERROR + errorType + message + 2 * REFERENCE);
    }
    // A bucket and, as many, a carrier, a hash, a link, and a place among the forgotten.
    model.add(IdTable.bucketsFor(unfinished + history), REFERENCE + 4 * Integer.BYTES);
    // A final report is kept beside the history, and may hold the outcomes that history keeps as
    // ids.
    model.add(history, outcome + OUTCOME + 2 * REFERENCE);
    model.add(settings.maxWaitingProducers, WAITER);
    if (!settings.listeners.isEmpty()) {
      model.add(Dispatcher.MAX_EVENTS, EVENT + outcome + 2 * REFERENCE);
    }
    if (payloads) {
      model.add(1, settings.capacityBytes);
    }
    return new MemoryBound(model.saturated(), payloads);
  }

  private static long text(long units, int bytesPerUnit) {
    long bytes = ARRAY + units * bytesPerUnit;
    return STRING + (bytes + 7) / 8 * 8;
  }

  private static int processors() {
    return Math.max(1, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));
  }

  private void add(long count, long bytes) {
    sum = sum.add(BigInteger.valueOf(count).multiply(BigInteger.valueOf(bytes)));
  }

  private long saturated() {
    return sum.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
  }
}
