package io.anabranch.backend.lease;

/** What happens in the pools, for metrics. Called on any thread; must be quick. */
public interface PoolListener {

  /**
   * A lease was given.
   *
   * @param waitNanos from the request to the lease; 0 when it came from the event loop's cache
   */
  void leased(String dataSource, long waitNanos);

  /** A request was refused: no connection in time, or the database cannot be reached. */
  void refused(String dataSource, long waitNanos);

  /** A physical connection was opened. */
  void opened(String dataSource, long nanos);

  /** A connection was thrown away by its lease. */
  void discarded(String dataSource, String reason);

  /** Listens to nothing. */
  PoolListener NONE =
      new PoolListener() {
        @Override
        public void leased(String dataSource, long waitNanos) {}

        @Override
        public void refused(String dataSource, long waitNanos) {}

        @Override
        public void opened(String dataSource, long nanos) {}

        @Override
        public void discarded(String dataSource, String reason) {}
      };
}
