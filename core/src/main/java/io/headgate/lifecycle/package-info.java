/**
 * The life of a process that has workers: how it hears that it must stop, how all its workers stop
 * by one deadline, how it ends, and what probes are told meanwhile. Nothing here happens unless a
 * {@link io.headgate.lifecycle.Lifecycle} is installed.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>signal</b>: TERM, INT or HUP, which mean the same here. Signals are counted, whichever
 *       they are; calls of {@code stop} are not.
 *   <li><b>grace</b>: how long accepted jobs may run on, counted from the arrival of the first
 *       signal, one deadline for all workers.
 *   <li><b>cleanup</b>: how long a worker then awaits the handlers that it has cancelled; a setting
 *       of each worker, and they wait side by side.
 *   <li><b>clean</b>: this stop abandoned no job and left no handler stuck.
 * </ul>
 *
 * <h2>The ladder</h2>
 *
 * <pre>
 *   1st signal, or stop()     2nd, or abort()         3rd
 *   readiness red             waiting jobs given up   beforeHalt, at most 1 s
 *   admission closed, all     running ones cancelled  the process halts: 128 + its number
 *         │                         │
 *         ▼                         ▼
 *      draining ── deadline ──► cancelling ── cleanup ──► stopped: StopReport
 *         └─────────── nothing left ─────────────────────────┘  │
 *                                     exitWhenStopped: 0 clean, 75 not, by halt where stuck
 * </pre>
 *
 * <h2>In a main method</h2>
 *
 * <pre>{@code
 * void main() throws InterruptedException {
 *   Lifecycle lifecycle = Lifecycle.builder()
 *       .exitWhenStopped(Duration.ofSeconds(1), report -> System.err.println(report))
 *       .install();                                       // before anything takes work in
 *   Worker<Invoice> worker = lifecycle.add(Worker.<Invoice>builder("invoices")
 *       .concurrency(8).cleanup(Duration.ofSeconds(3)).start((job, context) -> send(job.payload())));
 *   server(worker, lifecycle.health()).start();
 *   lifecycle.started();                                  // readiness turns green
 * }                                                       // the lifecycle keeps the process alive
 * }</pre>
 *
 * <h2>Time</h2>
 *
 * <p>A platform that kills after 30 s has room for the defaults: grace 25 s, cleanup 3 s, and 1 s
 * for the exit. Shutdown hooks run after the stop, never before it.
 *
 * <h2>Happens-before</h2>
 *
 * <p>What a thread did before it called {@code stop} or {@code abort} happens before admission is
 * closed by it; what handlers did happens before the report is seen by {@code awaitStop} or by the
 * last act.
 */
@NullMarked
package io.headgate.lifecycle;

import org.jspecify.annotations.NullMarked;
