/**
 * The seam between a worker and the place where its jobs are kept.
 *
 * <pre>
 *   admit ──► claim ──► (handler) ──► settleAndClaim ──► tally, outcome
 * </pre>
 *
 * <p>For those who write a backlog; users of a worker need nothing of this package. What a backlog
 * must keep is said by its methods, and one suite of tests holds every backlog to it.
 */
@NullMarked
package io.headgate.backlog;

import org.jspecify.annotations.NullMarked;
