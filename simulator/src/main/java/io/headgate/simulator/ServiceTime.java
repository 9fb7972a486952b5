package io.headgate.simulator;

import java.util.random.RandomGenerator;

/** How long a server takes for one call. Strict arithmetic: a run is the same on every machine. */
public enum ServiceTime {
  /** Always the mean. */
  CONSTANT {
    @Override
    public double draw(RandomGenerator random) {
      return 1;
    }
  },
  /** Exponential: many short ones, few long ones, nothing remembered. */
  EXPONENTIAL {
    @Override
    public double draw(RandomGenerator random) {
      return -StrictMath.log1p(-random.nextDouble());
    }
  },
  /** Pareto with the shape 2.1: the mean exists, and the variance just so. */
  HEAVY_TAILED {
    @Override
    public double draw(RandomGenerator random) {
      return (SHAPE - 1) / SHAPE * StrictMath.pow(1 - random.nextDouble(), -1 / SHAPE);
    }
  };

  private static final double SHAPE = 2.1;

  /** A time with the mean one. */
  public abstract double draw(RandomGenerator random);
}
