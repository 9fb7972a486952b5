/**
 * Overload in virtual time: open-loop clients, layers that retry, servers and a slow dependency,
 * around the library's own backlog, retry, limit and shedding code. One thread, one seed, no clock
 * of the machine: two runs with one seed are equal.
 *
 * <p>{@link io.headgate.simulator.Trial} runs a {@link io.headgate.simulator.Setup} of the user's,
 * for {@code headgate sim}; {@link io.headgate.simulator.Main} runs the scenarios of
 * docs/overload.md. The module is published because the command needs it, and for no other use: it
 * may change at any time. It belongs on the class path, because it adds a class to the package
 * {@code io.headgate} of the library.
 */
@NullMarked
package io.headgate.simulator;

import org.jspecify.annotations.NullMarked;
