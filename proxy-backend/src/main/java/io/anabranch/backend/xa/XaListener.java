package io.anabranch.backend.xa;

/** What becomes of distributed transactions, for metrics. Called on any thread; must be quick. */
public interface XaListener {

  /** How a transaction over several data sources ended. */
  enum Outcome {
    /** One data source had changes: one phase. */
    ONE_PHASE,
    COMMITTED,
    ROLLED_BACK,
    /** In the log, but not yet committed everywhere. */
    UNFINISHED,
    /** Nobody knows whether it is in the log. */
    UNDECIDED
  }

  void ended(Outcome outcome, long nanos);

  /** What a COMMIT with two phases consists of. */
  enum Phase {
    /** All branches are prepared. */
    PREPARE,
    /** The decision becomes durable. */
    LOG,
    /** All branches are committed. */
    COMMIT
  }

  /** A transaction has come to the end of a phase, whatever that brought. */
  void phase(Phase phase, long nanos);

  /** That many decisions became durable with one commit. */
  void logged(int decisions);

  /**
   * The recovery resolved a branch.
   *
   * @param foreign whether it was another process's
   */
  void resolved(boolean committed, boolean foreign);

  /** Listens to nothing. */
  XaListener NONE =
      new XaListener() {
        @Override
        public void ended(Outcome outcome, long nanos) {}

        @Override
        public void phase(Phase phase, long nanos) {}

        @Override
        public void logged(int decisions) {}

        @Override
        public void resolved(boolean committed, boolean foreign) {}
      };
}
