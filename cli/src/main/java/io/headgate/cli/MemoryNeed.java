package io.headgate.cli;

/**
 * What a run may take of the heap at most, so that bounds which cannot be kept are refused before
 * anything is read. The figures per line and per job are above what was seen in heap dumps.
 *
 * @param lines bytes of the lines themselves
 * @param jobs what surrounds each line, and each job that is accepted, and output held back for it
 * @param commands buffers of the commands that run
 */
record MemoryNeed(double lines, double jobs, double commands) {
  private static final double PER_JOB = 768;
  private static final double PER_LINE = 96;
  private static final double PER_COMMAND = 32 << 10;
  private static final double PER_HELD = 16 << 10;

  static MemoryNeed of(RunOptions options) {
    RunOptions.Input input = options.input();
    RunOptions.Bounds bounds = options.bounds();
    // One more is read before it is accepted.
    double jobs = (double) bounds.concurrency() + bounds.capacity() + 1;
    double lines = jobs * input.perItem();
    double text = Math.min((double) bounds.capacityBytes(), lines * input.maxLineBytes());
    double around =
        jobs * (PER_JOB + (options.output().keepOrder() ? PER_HELD : 0)) + lines * PER_LINE;
    return new MemoryNeed(text, around, (double) bounds.concurrency() * PER_COMMAND);
  }

  /**
   * Checks that it fits in three quarters of the heap; the rest is for all else.
   *
   * @throws UsageException if it does not
   */
  void check(long heap) throws UsageException {
    double need = lines + jobs + commands;
    double room = 0.75 * heap;
    if (need > room) {
      throw new UsageException(
          "the bounds may take "
              + mebibytes(need)
              + " MiB, above the "
              + mebibytes(room)
              + " MiB that there are: "
              + mebibytes(lines)
              + " for lines (--capacity-bytes), "
              + mebibytes(jobs)
              + " for jobs (-j, --capacity, -n, -k), "
              + mebibytes(commands)
              + " for commands (-j); lower them");
    }
  }

  private static long mebibytes(double bytes) {
    return (long) Math.ceil(bytes / (1 << 20));
  }
}
