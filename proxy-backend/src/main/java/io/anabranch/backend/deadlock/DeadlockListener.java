package io.anabranch.backend.deadlock;

/** What becomes of deadlocks over data sources, for metrics. Called on any thread; be quick. */
public interface DeadlockListener {

  /** What the transaction that gave way had waited for. */
  enum Wait {
    /** Another transaction's row lock. */
    ROW_LOCK,
    /** One of the connections of a data source, all of which had been leased. */
    CONNECTION
  }

  /** A transaction was ended so that others go on. */
  void ended(Wait wait);
}
