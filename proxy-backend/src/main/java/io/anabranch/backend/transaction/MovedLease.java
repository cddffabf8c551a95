package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.shard.ShardConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose session has said USE while it held it: another database of the same server is
 * its data source now. Never goes back to its pool.
 */
final class MovedLease implements Lease {

  private final Lease lease;
  private final String dataSource;

  private MovedLease(Lease lease, String dataSource) {
    this.lease = lease;
    this.dataSource = dataSource;
  }

  /** The connection as one of {@code dataSource}, wherever it has been before. */
  static MovedLease to(String dataSource, Lease lease) {
    return new MovedLease(lease instanceof MovedLease moved ? moved.lease : lease, dataSource);
  }

  /** Whether it is that connection's. */
  @SuppressWarnings("ReferenceEquality") // leases are told apart by identity
  boolean isOf(Lease other) {
    return lease == (other instanceof MovedLease moved ? moved.lease : other);
  }

  @Override
  public String dataSource() {
    return dataSource;
  }

  @Override
  public String logicalDatabase() {
    return lease.logicalDatabase();
  }

  @Override
  public @Nullable BackendConnection connection() {
    return lease.connection();
  }

  @Override
  public ShardConnection shard() {
    return lease.shard();
  }

  @Override
  public SessionSettings applied() {
    return lease.applied();
  }

  @Override
  public void applied(SessionSettings settings) {
    lease.applied(settings);
  }

  @Override
  public StartValues start() {
    return lease.start();
  }

  @Override
  public StartValues wantedStart() {
    return lease.wantedStart();
  }

  @Override
  public void release() {
    lease.discard("its session changed the database");
  }

  @Override
  public boolean isWanted() {
    return lease.isWanted();
  }

  @Override
  public void interrupt() {
    lease.interrupt();
  }

  @Override
  public void discard(String reason) {
    lease.discard(reason);
  }
}
