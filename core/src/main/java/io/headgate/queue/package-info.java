/** A blocking queue that is bounded in items and in weight, and that can be closed. */
@NullMarked
package io.headgate.queue;

import org.jspecify.annotations.NullMarked;
