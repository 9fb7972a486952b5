/** The one source of time of the library. */
@NullMarked
package io.headgate.time;

import org.jspecify.annotations.NullMarked;
