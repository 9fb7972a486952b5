/**
 * {@code headgate sim}: runs the simulator with the user's own numbers and says what to set.
 *
 * <pre>
 * SimCommand → SetupFile, Key → Plan     the file, checked
 *   → Trial (headgate-simulator)         one run for each load
 *   → Advice                             what to set, and warnings
 *   → SimText, SimJson                   what is printed
 * </pre>
 *
 * <p>One thread, no clock. Nothing here is loaded by {@code headgate run}.
 */
@NullMarked
package io.headgate.cli.sim;

import org.jspecify.annotations.NullMarked;
