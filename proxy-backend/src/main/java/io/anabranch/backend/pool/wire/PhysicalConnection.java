package io.anabranch.backend.pool.wire;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.shard.ShardConnection;
import org.jspecify.annotations.Nullable;

/** What is known of one physical connection for as long as it is open. */
public final class PhysicalConnection {

  private final @Nullable WireConnection wire;
  private final ShardConnection shard;

  /** Of a connection without a wire. */
  private volatile AppliedSettings plainApplied = AppliedSettings.INITIAL;

  private volatile StartValues plainStart;

  /**
   * @param wire null in simulations, where nothing is relayed
   */
  public PhysicalConnection(
      @Nullable WireConnection wire, ShardConnection shard, StartValues start) {
    this.plainStart = start;
    this.wire = wire;
    this.shard = shard;
    if (wire != null) {
      wire.start(start);
    }
  }

  /** Null in simulations. */
  @Nullable
  public WireConnection wire() {
    return wire;
  }

  /** The merge lane's view of it. */
  public ShardConnection shard() {
    return shard;
  }

  public SessionSettings applied() {
    return wire != null ? wire.applied() : plainApplied.known();
  }

  /** See {@link Lease#start}. */
  public StartValues start() {
    return wire != null ? wire.start() : plainStart;
  }

  public void applied(SessionSettings settings, StartValues values) {
    if (wire != null) {
      wire.start(values);
      wire.applied(settings);
    } else {
      plainStart = values;
      plainApplied = new AppliedSettings(settings);
    }
  }
}
