/**
 * What tests of code that uses Headgate need, without any dependency: a clock that is moved by
 * hand, and a gate that holds handlers where the test wants them.
 */
@NullMarked
package io.headgate.testing;

import org.jspecify.annotations.NullMarked;
