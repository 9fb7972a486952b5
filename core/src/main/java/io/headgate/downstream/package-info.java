/**
 * Budgets of what a process calls: one for each dependency, over everything here that calls it.
 *
 * <table>
 *   <caption>Vocabulary</caption>
 *   <tr><th>word</th><th>meaning</th></tr>
 *   <tr><td>downstream</td><td>something that is called, and its budget: how many calls at once, how
 *       many starts in a time, how many callers may wait</td></tr>
 *   <tr><td>permit</td><td>the right to one call; given back once</td></tr>
 *   <tr><td>waiting</td><td>a caller without a permit yet; it holds nothing</td></tr>
 *   <tr><td>refused</td><td>told no, as a value; the dependency heard nothing of it</td></tr>
 * </table>
 *
 * <pre>
 *   call ──► throttle ──► wait in line ──► permit ──► the call itself ──► permit back
 *               │              │
 *               └──────────────┴─► refused, or InterruptedException (nothing taken)
 * </pre>
 *
 * <p>A budget is that of one process: n processes that each allow 20 calls allow n × 20.
 *
 * <p>Happens-before: what a caller did before it gave a permit back happens-before what another
 * does after it got one in consequence.
 *
 * <p>Time: patience is monotonic, from the call on; zero does not wait, a negative one is refused.
 */
@NullMarked
package io.headgate.downstream;

import org.jspecify.annotations.NullMarked;
