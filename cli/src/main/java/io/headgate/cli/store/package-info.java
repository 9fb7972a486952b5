/**
 * Stores of the command: the progress record of {@code headgate run --store}, and the commands that
 * look into stores.
 *
 * <p>All of JDBC is behind this package; a run without a store loads none of it.
 */
@NullMarked
package io.headgate.cli.store;

import org.jspecify.annotations.NullMarked;
