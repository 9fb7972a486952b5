package io.headgate.cli.store;

import java.util.ArrayList;
import java.util.List;

/** What a command printed. */
final class Told implements Console {
  final List<String> lines = new ArrayList<>();
  final List<String> complaints = new ArrayList<>();

  @Override
  public boolean print(String line) {
    lines.add(line);
    return true;
  }

  @Override
  public void complain(String line) {
    complaints.add(line);
  }
}
