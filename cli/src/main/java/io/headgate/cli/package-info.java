/**
 * The command {@code headgate}: {@code run} gives every line of its input to a command, within
 * stated bounds.
 *
 * <p>The way of a line, in the order in which to read the classes:
 *
 * <pre>
 * Main → RunWords, RunSyntax → RunOptions      what was asked for
 * Run                                          opens, reads, waits, reports
 * LineReader → ItemReader → Intake             lines become items; Earlier says which are done,
 *                                              by a joblog (Recorded) or a store (StoredLines)
 *   → Worker (headgate-core)                   admission, bounds, drain
 *   → CommandHandler → CommandSlot → Spawner   one command: start, output, end; SpawnGate, Posix
 *   → Delivery → Order, Results → Output       where its output goes, and in which order
 *   → Jobs                                     every item ends here, once: StoreRecord, Joblog, Order
 * StopLadder                                   signals and breakages become a stop
 * Control                                      bar, USR1, --jobs-file
 * RunSummary, Verdict, RunReport               exit code, sums, report
 * Pages, Syntax, ManPage, Completion           help, by picocli; a run loads none of it
 * package sim                                  headgate sim; nor of that
 * package store, StorePages                    stores; a run without one loads none of them
 * </pre>
 *
 * <p>Threads: the main thread reads the input and takes the final report; one non-daemon thread
 * answers signals; the worker's own threads start children, pass their output on and wait for them;
 * with {@code -k} one prints what was held back. Children are started and awaited through the
 * foreign-function interface, so this package needs a POSIX system.
 */
@NullMarked
package io.headgate.cli;

import org.jspecify.annotations.NullMarked;
