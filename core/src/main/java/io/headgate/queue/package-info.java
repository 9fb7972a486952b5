/**
 * A closable, bounded {@link java.util.concurrent.BlockingQueue}, for those who want the building
 * block and not the worker.
 *
 * <table>
 *   <caption>Vocabulary</caption>
 *   <tr><th>word</th><th>meaning</th></tr>
 *   <tr><td>put</td><td>an element enters the queue; a putter that waits has put nothing yet</td></tr>
 *   <tr><td>queued</td><td>put, and neither taken nor thrown away</td></tr>
 *   <tr><td>owed</td><td>taken, and {@code taskDone} not yet called for it</td></tr>
 *   <tr><td>accounted for</td><td>{@code taskDone} was called for it, or it was thrown away</td></tr>
 *   <tr><td>unfinished</td><td>queued or owed: put, and not accounted for</td></tr>
 *   <tr><td>weight</td><td>what the weigher said of an element when it was offered</td></tr>
 *   <tr><td>shut down</td><td>nothing can be put any more; what is queued can be taken</td></tr>
 * </table>
 *
 * <p>Lifecycle: open, then shut down, for ever. Between the two nothing waits for anything.
 *
 * <p>Happens-before: putting an element comes before taking it, {@code taskDone} before the return
 * of the {@code join} that waited for it, a shutdown before the {@link
 * io.headgate.queue.QueueClosedException} that tells of it.
 *
 * <p>Time: waits are measured on the monotonic clock of the virtual machine. Zero and negative
 * timeouts do not wait; timeouts too long for nanoseconds in a {@code long} wait for ever.
 */
@NullMarked
package io.headgate.queue;

import org.jspecify.annotations.NullMarked;
