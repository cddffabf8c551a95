package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.SessionChange;
import io.anabranch.protocol.type.LengthEncoded;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * What the proxy itself wants to know of the session state in an OK packet. The GTID of a write:
 * MySQL's {@code session_track_gtids}, MariaDB's {@code last_gtid} among the tracked system
 * variables. And that the state has changed: {@code session_track_state_change}.
 */
public final class TrackedPosition {

  private static final String LAST_GTID = "last_gtid";
  private static final String TX_ISOLATION = "tx_isolation";
  private static final String TRACKED_VARIABLES = "session_track_system_variables";

  private TrackedPosition() {}

  /**
   * Tells the connection what was committed, if anything was, that its state has changed, and that
   * it may have another LAST_INSERT_ID().
   */
  public static void tell(OkPacket packet, BackendConnection connection) {
    if (packet.lastInsertId() != 0) {
      connection.insertId().forget();
    }
    if (packet.sessionState().length == 0) {
      return;
    }
    for (SessionChange change : SessionChange.decodeAll(packet.sessionState())) {
      if (change.type() == SessionChange.STATE_CHANGE) {
        connection.stateChanged();
        continue;
      }
      if (change.type() == SessionChange.SCHEMA) {
        String schema = text(Unpooled.wrappedBuffer(change.data()));
        StatementCache.of(connection).entered(schema);
        connection.schemaChanged(schema);
        continue;
      }
      String gtid = gtid(change);
      if (!gtid.isEmpty()) {
        connection.committed(gtid);
      }
    }
  }

  /** Empty if the change is none of a GTID. */
  private static String gtid(SessionChange change) {
    ByteBuf data = Unpooled.wrappedBuffer(change.data());
    if (change.type() == SessionChange.GTIDS) {
      // One byte that says how the rest is encoded; 0 is text, and the only one there is.
      return data.readByte() == 0 ? text(data) : "";
    }
    return isOf(LAST_GTID, change) && text(data).equals(LAST_GTID) ? text(data) : "";
  }

  private static boolean isOf(String variable, SessionChange change) {
    return change.type() == SessionChange.SYSTEM_VARIABLES
        && change.data().length > variable.length()
        && change.data()[0] == variable.length()
        && text(Unpooled.wrappedBuffer(change.data())).equals(variable);
  }

  private static String text(ByteBuf data) {
    return new String(LengthEncoded.readBytes(data), StandardCharsets.UTF_8);
  }

  private static boolean wants(String variable, SessionSettings applied) {
    String names = applied.variables().getOrDefault(TRACKED_VARIABLES, "");
    return names.contains(variable) || names.equals("'*'");
  }

  /**
   * Whether the change is told because the proxy or the JDBC driver wants it, not because the
   * session does.
   */
  static boolean isOurs(SessionChange change, SessionSettings applied) {
    if (change.type() == SessionChange.STATE_CHANGE) {
      String wanted = applied.variables().getOrDefault("session_track_state_change", "0");
      return !wanted.equals("1") && !wanted.equalsIgnoreCase("'ON'");
    }
    return change.type() == SessionChange.GTIDS
        ? !applied.variables().containsKey("session_track_gtids")
        : (isOf(LAST_GTID, change) && !wants(LAST_GTID, applied))
            || (isOf(TX_ISOLATION, change) && !applied.variables().containsKey(TRACKED_VARIABLES));
  }
}
