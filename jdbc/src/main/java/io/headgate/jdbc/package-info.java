/**
 * Accepted jobs that outlive the process: a backlog in a database, behind the seam of {@link
 * io.headgate.backlog.Backlog}.
 *
 * <pre>
 *   producers ──► requests ──► one writer: begin, many requests, commit ──► answers
 * </pre>
 *
 * <p>A producer is answered after the commit that holds its job. What a thread did before it
 * submitted a job happens before the handler runs, in this process; over a restart only the bytes
 * of the payload remain. Times that outlive the process are of the store's clock; a jump of it
 * hurries or delays a job and never loses one.
 */
@NullMarked
package io.headgate.jdbc;

import org.jspecify.annotations.NullMarked;
