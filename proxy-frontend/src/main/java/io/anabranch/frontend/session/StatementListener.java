package io.anabranch.frontend.session;

import io.anabranch.rules.lexer.StatementKind;

/**
 * The statements of one event loop's sessions, for metrics and statistics. Called on that loop;
 * must be quick.
 */
public interface StatementListener {

  /**
   * A command with a text has been answered: a statement was run, prepared or read on.
   *
   * @param planNanos scan, plan and bind
   * @param leaseNanos waiting for connections
   * @param runNanos from the command to the end of the answer
   * @param errno 0 when it succeeded
   */
  void done(
      StatementKind kind, Lane lane, long planNanos, long leaseNanos, long runNanos, int errno);

  /**
   * The same statement was run, and not only prepared, described or read on; behind {@link #done}.
   *
   * @param statement valid during the call only
   */
  default void executed(ExecutedStatement statement) {}

  /**
   * More rows of a statement that was run before have been sent, or that has failed; behind {@link
   * #done}.
   *
   * @param statement valid during the call only
   */
  default void fetched(ExecutedStatement statement) {}

  /** The way a statement took. */
  enum Lane {
    RELAY,
    MERGE,
    /** Answered by the proxy itself. */
    LOCAL
  }
}
