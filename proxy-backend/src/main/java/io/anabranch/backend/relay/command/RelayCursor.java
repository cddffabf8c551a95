package io.anabranch.backend.relay.command;

/**
 * A cursor in a database: its rows belong to one statement on one connection, which has no other
 * use until the cursor is closed. Used on the lease's event loop.
 */
public final class RelayCursor {

  private static final int NONE = 0;

  private int statement = NONE;

  public void prepared(int id) {
    statement = id;
  }

  /** The server's id of its statement. */
  public int statement() {
    if (statement == NONE) {
      throw new IllegalStateException("no cursor was opened");
    }
    return statement;
  }

  /** Whether the server has a statement to close; it has none from then on. */
  public boolean isPrepared() {
    return statement != NONE;
  }

  public void closed() {
    statement = NONE;
  }
}
