/**
 * Threads that wait in order for a turn at something bounded. Shared by the limits, and not
 * exported: what users see are the limits themselves.
 */
@NullMarked
package io.headgate.waiting;

import org.jspecify.annotations.NullMarked;
