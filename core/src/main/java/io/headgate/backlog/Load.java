package io.headgate.backlog;

/**
 * How much a backlog has to do at one instant: what is cheap to tell, many times a second.
 *
 * @param unfinished accepted jobs without an outcome
 * @param ended jobs that have one, ever
 * @param oldestNanos how long the oldest waiting job has waited; zero if none waits, below zero
 *     where ages are not told
 * @param isShedding whether the queue stands, so that stale jobs are shed and the newest served
 */
public record Load(long unfinished, long ended, long oldestNanos, boolean isShedding) {}
