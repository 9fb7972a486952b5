/**
 * When a failed job is tried again, and who pays for it.
 *
 * <ul>
 *   <li><b>attempt</b>: one call of a handler for a job. Attempts are counted in total: three means
 *       the first and two more.
 *   <li><b>retry</b>: every attempt but the first.
 *   <li><b>back-off</b>: how long a job is suspended before a retry. It keeps its place and its
 *       bytes meanwhile, and holds no thread.
 *   <li><b>budget</b>: what first attempts pay in and retries take out, so that retries stay a
 *       small share of the load however much fails.
 *   <li><b>owner</b>: the one layer that retries. What lies below it in the same process is
 *       recognised and does not multiply its attempts.
 * </ul>
 *
 * <pre>
 *   running ──failed, policy and budget say yes──► suspended ──back-off over──► waiting ──► running
 *      └────────────────── otherwise ──► failed       └── stop, cancel ──► failed, cut short
 * </pre>
 *
 * <p>A {@link io.headgate.retry.RetryPolicy} is a value and may be given to several workers. Time
 * is that of the worker's ticker; durations saturate, negative ones are refused when they are
 * given.
 */
@NullMarked
package io.headgate.retry;

import org.jspecify.annotations.NullMarked;
