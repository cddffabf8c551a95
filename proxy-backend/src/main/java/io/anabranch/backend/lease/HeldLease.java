package io.anabranch.backend.lease;

/**
 * A lease as a look at its pool found it.
 *
 * @param threadId the connection's number on its server
 * @param exchange changes with each command that begins or ends on the connection
 * @param busy whether a command was running
 */
public record HeldLease(Lease lease, Lessee lessee, long threadId, int exchange, boolean busy) {

  /** Whether nothing has begun or ended on the connection since; on the lease's event loop. */
  public boolean isUnchanged() {
    BackendConnection connection = lease.connection();
    return connection != null && connection.exchange() == exchange;
  }
}
