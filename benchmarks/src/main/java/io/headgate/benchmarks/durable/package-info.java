/** What a durable store does where it is large, after a kill, and beside a peer. */
@NullMarked
package io.headgate.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
