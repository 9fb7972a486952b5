package io.headgate.benchmarks.goodput;

/** What is under load. */
interface Server {

  /** Takes an attempt on, or refuses it at once. */
  boolean offer(Attempt attempt) throws InterruptedException;

  /** Stops without finishing what waits, and says whether all that it took on is accounted for. */
  Ledger stop() throws InterruptedException;

  /**
   * What a server took on.
   *
   * @param unstarted never started; of a server that stopped, what waited is in it
   */
  record Ledger(long accepted, long completed, long unstarted, long other) {
    boolean addsUp() {
      return accepted == completed + unstarted + other;
    }
  }
}
