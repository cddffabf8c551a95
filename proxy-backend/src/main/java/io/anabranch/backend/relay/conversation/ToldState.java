package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.SessionChange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What clients are told of a connection's state as the database tells it in OK packets. */
public final class ToldState {

  private static final byte[] NOTHING = {};

  private ToldState() {}

  /**
   * Schema changes are of the backend's schemas: the session tells its own. GTIDs are tracked for
   * the proxy, unless the session asked for them.
   */
  public static byte[] of(OkPacket packet, BackendConnection connection) {
    if (packet.sessionState().length == 0) {
      return NOTHING;
    }
    ByteBuf kept = Unpooled.buffer(packet.sessionState().length);
    for (SessionChange change : SessionChange.decodeAll(packet.sessionState())) {
      if (change.type() != SessionChange.SCHEMA
          && !TrackedPosition.isOurs(change, connection.applied())) {
        change.encode(kept);
      }
    }
    byte[] changes = new byte[kept.readableBytes()];
    kept.readBytes(changes);
    return changes;
  }
}
