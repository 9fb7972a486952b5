/**
 * Overload in virtual time: open-loop clients, layers that retry, servers and a slow dependency,
 * around the library's own backlog, retry, limit and shedding code. One thread, one seed, no clock
 * of the machine: two runs with one seed are equal.
 */
@NullMarked
package io.headgate.simulator;

import org.jspecify.annotations.NullMarked;
