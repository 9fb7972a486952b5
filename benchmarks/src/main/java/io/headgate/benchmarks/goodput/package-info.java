/**
 * The simulator's twin: the same {@link io.headgate.simulator.Setup} on real threads, with the real
 * worker and a real clock. It is there to be compared with the simulator in shape: what holds, what
 * collapses, what recovers.
 *
 * <p>{@link io.headgate.benchmarks.goodput.GoodputRuns} runs three pairs and prints them beside the
 * simulator's figures; {@link io.headgate.benchmarks.goodput.SimulatorSpeed} measures the simulator
 * itself.
 */
@NullMarked
package io.headgate.benchmarks.goodput;

import org.jspecify.annotations.NullMarked;
