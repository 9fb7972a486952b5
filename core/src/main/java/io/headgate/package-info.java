/**
 * A bounded job worker: it admits only what it has room for, runs it at bounded concurrency, drains
 * within a deadline, and accounts for every accepted job with exactly one outcome.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>admission</b>: the one atomic step in which a job becomes accepted, or is refused with a
 *       reason. A producer that waits has submitted nothing yet.
 *   <li><b>backlog</b>: accepted jobs that wait, or are suspended between two attempts. A job is
 *       accepted iff fewer than concurrency + capacity jobs are unfinished and its bytes fit.
 *   <li><b>running</b>: jobs held by a handler, at most concurrency.
 *   <li><b>outcome</b>: the one terminal record of an accepted job: completed, failed, interrupted
 *       or unstarted.
 *   <li><b>ledger</b>: lifetime counters and a bounded history of the latest outcomes.
 *   <li><b>report</b>: a consistent picture of the ledger, in which accepted = completed + failed +
 *       interrupted + unstarted + unfinished, at every instant.
 *   <li><b>drain</b>: stop admission, finish accepted work until a deadline, cancel, await, report.
 * </ul>
 *
 * <h2>Life of a job</h2>
 *
 * <pre>
 *   submit ──► waiting ──► running ──► completed | failed | interrupted
 *     │           │          ▲  └──► suspended ──► failed (stopped or cancelled between attempts)
 *     │           │          └───────────┘
 *     │           └──────────────────► unstarted (drained, aborted, shed, expired, cancelled)
 *     └──► refused (nothing kept but a count)
 * </pre>
 *
 * <h2>Happens-before</h2>
 *
 * <p>What a producer did before it submitted a job happens before its handler; what a handler did
 * happens before its outcome is seen in a report, by {@link io.headgate.Worker#awaitIdle} or by a
 * tracked future.
 *
 * <h2>Time</h2>
 *
 * <p>Durations saturate ({@code Duration.ofSeconds(Long.MAX_VALUE)} means for ever), zero means do
 * not wait, a negative one is refused when it is given. All deadlines are monotonic.
 */
@NullMarked
package io.headgate;

import org.jspecify.annotations.NullMarked;
