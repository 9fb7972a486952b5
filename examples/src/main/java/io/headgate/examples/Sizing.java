package io.headgate.examples;

import io.headgate.MemoryBound;
import io.headgate.WhenFull;
import io.headgate.Worker;
import java.time.Duration;

/** The settings of one service, and how much memory they come to. */
public final class Sizing {

  private static final int MIB = 1 << 20;

  private Sizing() {}

  /** Prints the bound. */
  public static void main(String[] args) {
    System.out.println(bound());
  }

  static MemoryBound bound() {
    try (Worker<byte[]> thumbnails =
        Worker.<byte[]>builder("thumbnails")
            .concurrency(16)
            .capacity(240)
            .capacityBytes(64 * MIB, image -> image.length)
            .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(2)))
            .maxWaitingProducers(32)
            .maxWaitingBytes(16 * MIB)
            .history(500)
            .maxJobIdBytes(64)
            .maxErrorMessageChars(256)
            .timeout(Duration.ofSeconds(1))
            .grace(Duration.ofSeconds(25))
            .cleanup(Duration.ofSeconds(3))
            .start((job, context) -> scale(job.payload()))) {
      return thumbnails.memoryBound();
    }
  }

  private static void scale(byte[] image) {
    if (image.length == 0) {
      throw new IllegalArgumentException("there is no image");
    }
  }
}
