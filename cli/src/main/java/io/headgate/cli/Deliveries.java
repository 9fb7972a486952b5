package io.headgate.cli;

/** Puts the parts together that the output of a command passes through, as the options say. */
final class Deliveries implements Delivery.Opener {
  private final LineSink output;
  private final boolean tag;

  Deliveries(RunOptions.Output options, LineSink output) {
    this.output = output;
    tag = options.tag();
  }

  @Override
  public Delivery open(Item item, Runnable waker) {
    return new LineDelivery(tag ? new TaggedLines(item, output) : output);
  }
}
