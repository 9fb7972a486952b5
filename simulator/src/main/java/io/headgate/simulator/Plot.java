package io.headgate.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plot of some curves as SVG: both axes linear, from zero. */
final class Plot {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 320;
  private static final int LEFT = 60;
  private static final int BOTTOM = 40;
  private static final int TOP = 30;
  private static final int RIGHT = 150;
  private static final int STEPS = 5;
  private static final String[] COLOURS = {"#1b6ca8", "#2e8b57", "#b03a2e", "#8e6c1f"};

  private record Curve(String name, List<double[]> points) {}

  private final String title;
  private final String across;
  private final String up;
  private final double maxAcross;
  private final double maxUp;
  private final List<Curve> curves = new ArrayList<>();

  Plot(String title, String across, double maxAcross, String up, double maxUp) {
    this.title = title;
    this.across = across;
    this.up = up;
    this.maxAcross = maxAcross;
    this.maxUp = maxUp;
  }

  Plot curve(String name, List<double[]> points) {
    curves.add(new Curve(name, points));
    return this;
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
        font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="%d" y="18" font-size="14">%s</text>
        """
            .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, title));
    for (int step = 0; step <= STEPS; step++) {
      double x = maxAcross * step / STEPS;
      double y = maxUp * step / STEPS;
      svg.append(text(x(x), HEIGHT - BOTTOM + 16, "middle", number(x)));
      svg.append(text(LEFT - 6, y(y) + 4, "end", number(y)));
      svg.append(line(LEFT, y(y), WIDTH - RIGHT, y(y), "#dddddd", 1));
    }
    svg.append(text(x(maxAcross / 2), HEIGHT - 6, "middle", across));
    svg.append(text(4, TOP - 2, "start", up));
    for (int i = 0; i < curves.size(); i++) {
      Curve curve = curves.get(i);
      String colour = COLOURS[i % COLOURS.length];
      StringBuilder points = new StringBuilder();
      for (double[] point : curve.points) {
        points.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0]), y(Math.min(maxUp, point[1]))));
      }
      svg.append(
          "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>\n"
              .formatted(colour, points.toString().strip()));
      double height = TOP + 20.0 * i + 10;
      svg.append(line(WIDTH - RIGHT + 10, height, WIDTH - RIGHT + 30, height, colour, 2));
      svg.append(text(WIDTH - RIGHT + 36, height + 4, "start", curve.name));
    }
    return svg.append("</svg>\n").toString();
  }

  private double x(double value) {
    return LEFT + value / maxAcross * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - value / maxUp * (HEIGHT - BOTTOM - TOP);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
  }

  private static String text(double x, double y, String anchor, String text) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
        x,
        y,
        anchor,
        text);
  }

  private static String line(double x1, double y1, double x2, double y2, String colour, int width) {
    return String.format(
        Locale.ROOT,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>\n",
        x1,
        y1,
        x2,
        y2,
        colour,
        width);
  }
}
