/**
 * Time as the rest of Headgate sees it: one injected {@link io.headgate.time.Ticker}, monotonic
 * nanoseconds, differences only. No wall clock takes part in a decision made inside a process.
 *
 * <p>Durations given by users saturate ({@code Duration.ofSeconds(Long.MAX_VALUE)} means for ever),
 * zero means do not wait, and a negative duration is refused when it is given.
 */
@NullMarked
package io.headgate.time;

import org.jspecify.annotations.NullMarked;
