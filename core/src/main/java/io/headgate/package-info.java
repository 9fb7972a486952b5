/** A bounded job worker: admission, running, drain, and a ledger that adds up. */
@NullMarked
package io.headgate;

import org.jspecify.annotations.NullMarked;
