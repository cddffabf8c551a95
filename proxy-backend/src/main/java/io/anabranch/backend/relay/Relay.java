package io.anabranch.backend.relay;

import io.anabranch.backend.pool.Lease;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;

/**
 * The relay lane: sends a command over a leased connection and its response to the client. Both
 * methods are called on the lease's event loop, return at once, and answer on that loop; one
 * command at a time per lease. The lease stays the caller's: it releases or discards it afterwards.
 */
public final class Relay {

  private final int statementsPerConnection;

  /**
   * @param statementsPerConnection prepared statements that stay open on each connection
   */
  public Relay(int statementsPerConnection) {
    this.statementsPerConnection = statementsPerConnection;
  }

  /**
   * Runs one command. The response has been written to {@code sink} and flushed when {@code
   * callback} runs; it may run before this method returns.
   *
   * @throws IllegalStateException if the lease cannot be relayed, or a command runs on it
   */
  public void exchange(
      Lease lease, RelayRequest request, ResponseSink sink, RelayCallback callback) {
    if (statementsPerConnection >= 0) {
      throw new IllegalStateException("not built yet");
    }
  }

  /**
   * Prepares a statement on the lease's connection, where it stays for {@link
   * RelayCommand.Execute}, and tells its parameters and columns.
   *
   * @param prologue as in {@link RelayRequest}
   */
  public void prepare(
      Lease lease, List<byte[]> prologue, ShardQuery query, PrepareCallback callback) {
    if (statementsPerConnection >= 0) {
      throw new IllegalStateException("not built yet");
    }
  }
}
