package io.anabranch.frontend.session;

import io.anabranch.rules.lexer.StatementKind;

/** What happens in sessions, for metrics. Called on event loops; must be quick. */
public interface SessionListener {

  /** A client has authenticated. */
  void connected();

  /** A client that was {@link #connected} is gone. */
  void closed();

  /** A client was sent away before it had a session. */
  void refused(int errno);

  /**
   * A statement has been answered.
   *
   * @param planNanos scan, plan and bind
   * @param leaseNanos waiting for a connection; 0 in the merge lane, which waits while it runs
   * @param runNanos from the command to the end of the answer
   * @param errno 0 when it succeeded
   */
  void done(
      StatementKind kind, Lane lane, long planNanos, long leaseNanos, long runNanos, int errno);

  /** How many statements have been answered, by all sessions. */
  default long statements() {
    return 0;
  }

  /** The way a statement took. */
  enum Lane {
    RELAY,
    MERGE,
    /** Answered by the proxy itself. */
    LOCAL
  }

  /** Listens to nothing. */
  SessionListener NONE =
      new SessionListener() {
        @Override
        public void connected() {}

        @Override
        public void closed() {}

        @Override
        public void refused(int errno) {}

        @Override
        public void done(
            StatementKind kind,
            Lane lane,
            long planNanos,
            long leaseNanos,
            long runNanos,
            int errno) {}
      };
}
