/** The one door to what the library keeps to itself. */
@NullMarked
package io.headgate;

import org.jspecify.annotations.NullMarked;
