package io.headgate.jdbc;

import java.util.function.LongSupplier;

/**
 * What a durable backlog was built with, beside the worker's own settings.
 *
 * @param maxStarts starts lost to crashes after which a job is held under {@link Uncertain#RERUN}
 * @param clock the store's clock: nanoseconds of the epoch
 */
record StoreSettings(
    Dialect dialect,
    Uncertain uncertain,
    int maxStarts,
    long historyBytes,
    int maxPayloadBytes,
    long storeTimeoutNanos,
    boolean drainWaiting,
    LongSupplier clock,
    Signals signals) {

  StoreSettings uncertain(Uncertain value) {
    return new StoreSettings(
        dialect,
        value,
        maxStarts,
        historyBytes,
        maxPayloadBytes,
        storeTimeoutNanos,
        drainWaiting,
        clock,
        signals);
  }

  StoreSettings maxStarts(int value) {
    return new StoreSettings(
        dialect,
        uncertain,
        value,
        historyBytes,
        maxPayloadBytes,
        storeTimeoutNanos,
        drainWaiting,
        clock,
        signals);
  }

  StoreSettings historyBytes(long value) {
    return new StoreSettings(
        dialect,
        uncertain,
        maxStarts,
        value,
        maxPayloadBytes,
        storeTimeoutNanos,
        drainWaiting,
        clock,
        signals);
  }

  StoreSettings maxPayloadBytes(int value) {
    return new StoreSettings(
        dialect,
        uncertain,
        maxStarts,
        historyBytes,
        value,
        storeTimeoutNanos,
        drainWaiting,
        clock,
        signals);
  }

  StoreSettings storeTimeoutNanos(long value) {
    return new StoreSettings(
        dialect,
        uncertain,
        maxStarts,
        historyBytes,
        maxPayloadBytes,
        value,
        drainWaiting,
        clock,
        signals);
  }

  StoreSettings drainWaiting(boolean value) {
    return new StoreSettings(
        dialect,
        uncertain,
        maxStarts,
        historyBytes,
        maxPayloadBytes,
        storeTimeoutNanos,
        value,
        clock,
        signals);
  }

  StoreSettings dialect(Dialect value) {
    return new StoreSettings(
        value,
        uncertain,
        maxStarts,
        historyBytes,
        maxPayloadBytes,
        storeTimeoutNanos,
        drainWaiting,
        clock,
        signals);
  }

  StoreSettings observed(LongSupplier otherClock, Signals otherSignals) {
    return new StoreSettings(
        dialect,
        uncertain,
        maxStarts,
        historyBytes,
        maxPayloadBytes,
        storeTimeoutNanos,
        drainWaiting,
        otherClock,
        otherSignals);
  }
}
