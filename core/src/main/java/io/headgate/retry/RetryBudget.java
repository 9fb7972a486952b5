package io.headgate.retry;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Ticker;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What pays for retries: each first attempt puts in a share of a token, time adds a small floor,
 * and each retry takes out a whole token when it is decided, before its back-off. Without a token
 * the job is not retried. So retries stay a small share of the load, however much fails.
 *
 * <p>Defaults: 10 % of first attempts, 1 token a second, at most 100 tokens saved. It begins with
 * ten seconds' worth of the floor. Thread-safe; never blocks beyond a short lock.
 *
 * <p>Budgets are of this process: n processes with the same settings retry n times as much.
 */
/*
 * Integers only: a token is 10^9 units, so that one token a second is one unit a nanosecond and one
 * per cent is 10^7 units, both exact. A balance is at most 10^18 units; additions are checked against
 * the room that is left before they are made, so nothing overflows and nothing drifts.
 */
public final class RetryBudget {

  /** The most tokens that can be saved. */
  public static final int MAX_SAVED = 1_000_000_000;

  /** The largest floor, in tokens a second. */
  public static final int MAX_PER_SECOND = 1_000_000;

  private static final long TOKEN = 1_000_000_000;
  private static final long PER_CENT = TOKEN / 100;
  private static final long SECONDS_AT_START = 10;

  /** Held weakly: a budget that no policy and no worker has any more is forgotten. */
  private static final Map<String, WeakReference<RetryBudget>> SHARED = new HashMap<>();

  private final String name;
  private final int percent;
  private final int perSecond;
  private final int saved;
  private final Ticker ticker;
  private final long deposit;
  private final long limit;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private long balance;
  private long filledAt;
  private long granted;
  private long refused;

  private RetryBudget(String name, Builder settings) {
    this.name = name;
    this.percent = settings.percent;
    this.perSecond = settings.perSecond;
    this.saved = settings.saved;
    this.ticker = settings.ticker;
    this.deposit = percent * PER_CENT;
    this.limit = saved * TOKEN;
    this.balance = Math.min(limit, SECONDS_AT_START * perSecond * TOKEN);
    this.filledAt = ticker.nanoTime();
  }

  /** Returns the budget of this process that is called {@code name}, with the defaults. */
  public static RetryBudget shared(String name) {
    return builder().shared(name);
  }

  /** Starts to describe a budget. */
  public static Builder builder() {
    return new Builder();
  }

  /** A first attempt begins: puts in its share. Retries must not call it. */
  public void deposit() {
    lock.lock();
    try {
      balance += Math.min(deposit, limit - balance);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A retry has been decided: takes a token out, or returns false and the job must not be retried.
   */
  public boolean withdraw() {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      fill(now);
      if (balance < TOKEN) {
        refused++;
        return false;
      }
      balance -= TOKEN;
      granted++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void fill(long now) {
    long passed = now - filledAt;
    if (passed <= 0) {
      return; // another thread read the clock later and came first
    }
    filledAt = now;
    long room = limit - balance;
    if (perSecond > 0) {
      balance += passed > room / perSecond ? room : passed * perSecond;
    }
  }

  /** The name it was given. */
  public String name() {
    return name;
  }

  /** Whole tokens that could be taken out now. */
  public long available() {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      fill(now);
      return balance / TOKEN;
    } finally {
      lock.unlock();
    }
  }

  /** Retries that it paid for, ever. */
  public long granted() {
    lock.lock();
    try {
      return granted;
    } finally {
      lock.unlock();
    }
  }

  /** Retries that it refused to pay for, ever. */
  public long refused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // a ticker is itself
  private boolean hasSettings(Builder settings) {
    return percent == settings.percent
        && perSecond == settings.perSecond
        && saved == settings.saved
        && ticker == settings.ticker;
  }

  @Override
  public String toString() {
    return "RetryBudget[%s: %d %% of first attempts, %d a second, at most %d saved]"
        .formatted(name, percent, perSecond, saved);
  }

  /** The settings of a budget. Each setter checks its own argument at once. Not thread-safe. */
  public static final class Builder {

    private int percent = 10;
    private int perSecond = 1;
    private int saved = 100;
    private Ticker ticker = Ticker.system();

    private Builder() {}

    /**
     * Retries for a hundred first attempts, 0 to 100. Default: 10, with which what is called sees
     * at most 1.1 times the load.
     */
    public Builder percent(int retries) {
      percent = inRange("percent", retries, 0, 100);
      return this;
    }

    /** Retries that each second adds whatever the load, zero or more. Default: 1. */
    public Builder perSecond(int retries) {
      perSecond = inRange("perSecond", retries, 0, MAX_PER_SECOND);
      return this;
    }

    /**
     * Tokens that may be saved, 1 or more: so many retries may come at once after a quiet time.
     * Default: 100.
     */
    public Builder saved(int tokens) {
      saved = inRange("saved", tokens, 1, MAX_SAVED);
      return this;
    }

    /** The source of time. Default: the machine's. */
    public Builder ticker(Ticker ticker) {
      this.ticker = requireNonNull(ticker, "ticker");
      return this;
    }

    /**
     * Makes a budget of its own.
     *
     * @throws IllegalStateException if neither first attempts nor time would ever fill it
     */
    public RetryBudget build(String name) {
      requireNonNull(name, "name");
      if (percent == 0 && perSecond == 0) {
        throw new IllegalStateException(
            "retry budget " + name + ": percent and perSecond are 0, so it never has a token");
      }
      return new RetryBudget(name, this);
    }

    /**
     * Returns the budget of this process that is called {@code name}, and makes it if there is
     * none.
     *
     * @throws IllegalStateException if there is one with other settings
     */
    public RetryBudget shared(String name) {
      synchronized (SHARED) {
        RetryBudget known = known(requireNonNull(name, "name"));
        if (known == null) {
          SHARED.values().removeIf(reference -> reference.get() == null);
          RetryBudget fresh = build(name);
          SHARED.put(name, new WeakReference<>(fresh));
          return fresh;
        }
        if (!known.hasSettings(this)) {
          throw new IllegalStateException(
              "%s is shared already, and differs from %s"
                  .formatted(known, new RetryBudget(name, this)));
        }
        return known;
      }
    }

    private static @Nullable RetryBudget known(String name) {
      WeakReference<RetryBudget> reference = SHARED.get(name);
      return reference == null ? null : reference.get();
    }

    private static int inRange(String what, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            "%s is %d, but must be from %d to %d".formatted(what, value, least, most));
      }
      return value;
    }
  }
}
