package io.headgate.retry;

/**
 * Implemented by an exception after which no attempt may follow, whatever the policy says. The mark
 * counts on the exception itself and on any of its causes, so that wrapping does not lose it.
 */
public interface DoNotRetry {}
