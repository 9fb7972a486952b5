package io.headgate.cli;

/** Makes lines of the chunks of one command, each stream for itself, and passes whole ones on. */
final class LineDelivery implements Delivery {
  private final LineSink sink;
  private final LineBuffer out = new LineBuffer();
  private final LineBuffer err = new LineBuffer();

  LineDelivery(LineSink sink) {
    this.sink = sink;
  }

  @Override
  public boolean take(Output.Stream stream, byte[] bytes, int count, Pause pause) {
    LineBuffer lines = stream == Output.Stream.OUT ? out : err;
    int whole = lines.add(bytes, count);
    if (whole == 0) {
      return true;
    }
    if (sink.write(stream, lines.array(), whole, pause)) {
      lines.remove(whole);
      return true;
    }
    lines.clear();
    return false;
  }

  @Override
  public void proceed(Pause pause) {
    sink.proceed(pause);
  }

  @Override
  public void ended(Ending ending, Pause pause) {
    finish(Output.Stream.OUT, out, pause);
    finish(Output.Stream.ERR, err, pause);
    sink.end(pause);
  }

  private void finish(Output.Stream stream, LineBuffer lines, Pause pause) {
    int rest = lines.finish();
    if (rest > 0) {
      sink.write(stream, lines.array(), rest, pause);
      lines.clear();
    }
  }
}
