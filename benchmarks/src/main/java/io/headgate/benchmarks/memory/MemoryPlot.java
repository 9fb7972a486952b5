package io.headgate.benchmarks.memory;

import io.headgate.benchmarks.measure.Samples;
import java.util.List;
import java.util.Locale;

/**
 * A line for each width and cap at history 100, and on it what is retained and what the peak was.
 */
final class MemoryPlot {

  private static final int LEFT = 170;
  private static final int WIDTH = 560;
  private static final int TOP = 60;
  private static final int STEP = 30;
  private static final double LEAST = 1e3;
  private static final double MOST = 1e6;

  private record Dots(Side side, String figure, String colour, boolean filled, String label) {}

  private static final List<Dots> ALL =
      List.of(
          new Dots(Side.JAVA, "graph", "#1f6f8b", true, "Headgate, object graph"),
          new Dots(Side.JAVA, "peak", "#1f6f8b", false, "Headgate, peak live heap"),
          new Dots(Side.PYTHON, "current", "#c0672b", true, "asyncio worker, traced"),
          new Dots(Side.PYTHON, "peak", "#c0672b", false, "asyncio worker, traced peak"));

  private final Samples samples;
  private final List<Side> sides;

  MemoryPlot(Samples samples, List<Side> sides) {
    this.samples = samples;
    this.sides = sides;
  }

  String svg() {
    List<Case> lines = MemoryStudy.cases().stream().filter(c -> c.history() == 100).toList();
    int bottom = TOP + lines.size() * STEP;
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
        <title>Bytes after 1,000 failures, history 100, by message width and cap</title>
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        """
            .formatted(LEFT + WIDTH + 30, bottom + 45));
    legend(out);
    for (double at = LEAST; at <= MOST; at *= 10) {
      line(out, x(at), TOP - 8, x(at), bottom, "#bbbbbb");
      text(out, x(at), bottom + 16, "middle", String.format(Locale.ROOT, "%,.0f", at));
    }
    text(out, LEFT + WIDTH / 2.0, bottom + 36, "middle", "bytes, logarithmic");
    for (int i = 0; i < lines.size(); i++) {
      Case one = lines.get(i);
      double y = TOP + i * STEP + STEP / 2.0;
      line(out, LEFT, y, LEFT + WIDTH, y, "#eeeeee");
      text(out, LEFT - 8, y + 4, "end", one.width() + " chars, cap " + Case.limit(one.cap()));
      for (Dots dots : ALL) {
        if (sides.contains(dots.side())) {
          double bytes = samples.spread(dots.side() + " " + one.name(), dots.figure()).median();
          dot(out, x(bytes), y, dots);
        }
      }
    }
    return out.append("</svg>\n").toString();
  }

  private void legend(StringBuilder out) {
    double x = 20;
    for (Dots dots : ALL) {
      if (sides.contains(dots.side())) {
        dot(out, x, 22, dots);
        text(out, x + 10, 26, "start", dots.label());
        x += 185;
      }
    }
  }

  private static double x(double bytes) {
    double clamped = Math.min(MOST, Math.max(LEAST, bytes));
    return LEFT + WIDTH * Math.log(clamped / LEAST) / Math.log(MOST / LEAST);
  }

  private static void dot(StringBuilder out, double x, double y, Dots dots) {
    out.append(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" stroke=\"%s\" fill=\"%s\"/>%n",
            x,
            y,
            dots.colour(),
            dots.filled() ? dots.colour() : "none"));
  }

  private static void line(
      StringBuilder out, double x1, double y1, double x2, double y2, String colour) {
    out.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
            x1,
            y1,
            x2,
            y2,
            colour));
  }

  private static void text(StringBuilder out, double x, double y, String anchor, String words) {
    out.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            words));
  }
}
