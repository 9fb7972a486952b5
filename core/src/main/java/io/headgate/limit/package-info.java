/**
 * Limits that need no worker: each is a small machine over an injected clock, with a thread-safe
 * face.
 *
 * <table>
 *   <caption>Vocabulary</caption>
 *   <tr><th>word</th><th>meaning</th></tr>
 *   <tr><td>start</td><td>one thing begins; a {@link io.headgate.limit.RateLimit} bounds starts in a
 *       time, not things that run at once</td></tr>
 *   <tr><td>burst</td><td>starts that may come at once after a pause</td></tr>
 *   <tr><td>patience</td><td>how long a caller is ready to wait; zero does not wait</td></tr>
 *   <tr><td>refused</td><td>told no, as a value; nothing was taken</td></tr>
 * </table>
 *
 * <p>Lifecycle: a limit is built once and used for ever. It has no thread and nothing to close.
 *
 * <p>Happens-before: none between callers. A limit orders starts, it hands nothing over.
 *
 * <p>Time: read from one {@link io.headgate.time.Ticker}, compared by difference only. Durations
 * saturate, zero means do not wait, a negative one is refused when it is given.
 */
@NullMarked
package io.headgate.limit;

import org.jspecify.annotations.NullMarked;
