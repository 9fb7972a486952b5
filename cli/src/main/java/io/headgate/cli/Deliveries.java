package io.headgate.cli;

import org.jspecify.annotations.Nullable;

/** Puts the parts together that the output of a command passes through, as the options say. */
final class Deliveries implements Delivery.Opener {
  private final LineSink output;
  private final boolean tag;
  private final @Nullable Order order;
  private volatile @Nullable Results results;

  /**
   * @param order what keeps the output in order, if that was asked for
   */
  Deliveries(LineSink output, boolean tag, @Nullable Order order) {
    this.output = output;
    this.tag = tag;
    this.order = order;
  }

  /** Keeps results too, for commands that are started from now on. */
  void keep(Results kept) {
    results = kept;
  }

  @Override
  public Delivery open(Item item, Runnable waker) {
    LineSink sink = order == null ? output : order.open(item, waker);
    Delivery lines = new LineDelivery(tag ? new TaggedLines(item, sink) : sink);
    Results kept = results;
    return kept == null ? lines : kept.open(item, lines);
  }
}
