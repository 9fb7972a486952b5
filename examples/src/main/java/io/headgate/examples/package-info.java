/** Small programs that the documentation shows. Each is run by a test. */
@NullMarked
package io.headgate.examples;

import org.jspecify.annotations.NullMarked;
