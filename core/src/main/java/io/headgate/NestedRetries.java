package io.headgate;

/**
 * For layers that handlers call through and that retry by themselves, such as a client of a
 * service: by this they tell the worker above, so that attempts add up instead of multiplying.
 * Workers need it not; they recognise each other.
 *
 * <p>It is about the calling thread, which must be that of a handler or one that a handler started.
 * Elsewhere nobody is above: {@link #isOwned} is false, and counting counts nowhere. Never blocks.
 */
public final class NestedRetries {

  private NestedRetries() {}

  /**
   * Whether somebody above may repeat the attempt for which the calling thread works. A layer that
   * can do without its own retries then leaves them to the owner.
   */
  public static boolean isOwned() {
    Lineage attempt = Lineage.current();
    return attempt != null && attempt.isRetried();
  }

  /**
   * Counts a retry made by the calling layer, before it is made. The worker above retries only
   * while its attempts and the retries counted below them are together fewer than its policy
   * allows.
   */
  public static void count() {
    Lineage.countRetry(Lineage.current());
  }
}
