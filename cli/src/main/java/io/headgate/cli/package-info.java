/**
 * The command {@code headgate}: {@code run} gives every line of its input to a command, within
 * stated bounds.
 *
 * <p>Threads: the main thread reads the input and stops the worker; one non-daemon thread answers
 * signals; the worker's own threads start children and wait for them. Children are started and
 * awaited through the foreign-function interface, so this package needs a POSIX system.
 */
@NullMarked
package io.headgate.cli;

import org.jspecify.annotations.NullMarked;
