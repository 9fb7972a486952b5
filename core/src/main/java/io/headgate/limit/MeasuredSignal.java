package io.headgate.limit;

import java.util.function.DoubleSupplier;

/** A signal made of its name and its measure. */
record MeasuredSignal(String name, DoubleSupplier measure) implements OverloadSignal {

  @Override
  public double load() {
    return measure.getAsDouble();
  }
}
