package io.anabranch.backend.pool.wire;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.shard.ShardConnection;
import org.jspecify.annotations.Nullable;

/** What is known of one physical connection for as long as it is open. */
public final class PhysicalConnection {

  private final @Nullable WireConnection wire;
  private final @Nullable ShardConnection wireShard;

  /** Of a connection without a wire. */
  private volatile AppliedSettings plainApplied = AppliedSettings.INITIAL;

  private volatile StartValues start;

  public PhysicalConnection(
      @Nullable WireConnection wire, @Nullable ShardConnection wireShard, StartValues start) {
    this.start = start;
    this.wire = wire;
    this.wireShard = wireShard;
  }

  /** Null for data sources that cannot be relayed. */
  @Nullable
  public WireConnection wire() {
    return wire;
  }

  /** Null like {@link #wire}. */
  @Nullable
  public ShardConnection wireShard() {
    return wireShard;
  }

  public SessionSettings applied() {
    return wire != null ? wire.applied() : plainApplied.known();
  }

  /** See {@link Lease#start}. */
  public StartValues start() {
    return start;
  }

  public void applied(SessionSettings settings, StartValues values) {
    start = values;
    if (wire != null) {
      wire.applied(settings);
    } else {
      plainApplied = new AppliedSettings(settings);
    }
  }
}
