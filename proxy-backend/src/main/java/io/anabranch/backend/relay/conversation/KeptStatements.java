package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.BackendConnection;

/**
 * How many statements connections keep prepared, and since when what they say of tables holds: a
 * server that keeps types prepares a statement anew when its tables have changed, with the types of
 * whoever executes it next. Any thread.
 */
public final class KeptStatements {

  private final int limit;
  private volatile int definitions;

  /**
   * @param perConnection prepared statements that stay open on each connection; at least 1 do
   */
  public KeptStatements(int perConnection) {
    this.limit = Math.max(1, perConnection);
  }

  int limit() {
    return limit;
  }

  /** The statements of one connection, with what is known of their tables now. */
  StatementCache of(BackendConnection connection) {
    StatementCache statements = StatementCache.of(connection);
    statements.definitions(definitions);
    statements.begunWith(connection.start());
    return statements;
  }

  /** Tables that are the connection's own have changed, or may have. On its event loop. */
  public void tablesChanged(BackendConnection connection) {
    StatementCache.of(connection).ownTablesChanged();
  }

  /** Tables have changed, or may have. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // any other number will do
  public void tablesChanged() {
    definitions++;
  }
}
