package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_ok_packet.html">OK_Packet</a>:
 * a command succeeded; with header 0xFE and DEPRECATE_EOF also the end of rows.
 *
 * @param affectedRows unsigned
 * @param lastInsertId unsigned
 * @param status {@link ServerStatus} flags
 * @param warnings at most 65535
 * @param info human-readable, in the client's character set
 * @param sessionState encoded session state changes, see {@link SessionChange}; empty when there
 *     are none or SESSION_TRACK was not negotiated
 */
public record OkPacket(
    long affectedRows,
    long lastInsertId,
    int status,
    int warnings,
    byte[] info,
    byte[] sessionState) {

  public static final int HEADER = 0x00;

  /** Header of an OK packet that ends rows. */
  public static final int HEADER_AS_EOF = 0xFE;

  private static final byte[] NOTHING = {};

  /** Without info and session state. */
  public static OkPacket of(long affectedRows, long lastInsertId, int status, int warnings) {
    return new OkPacket(affectedRows, lastInsertId, status, warnings, NOTHING, NOTHING);
  }

  /** Takes either header. */
  public static OkPacket decode(ByteBuf payload, long capabilities) {
    int header = Fields.readInt1(payload);
    if (header != HEADER && header != HEADER_AS_EOF) {
      throw ProtocolViolationException.malformed("no OK packet: " + header);
    }
    long affectedRows = LengthEncoded.readLong(payload);
    long lastInsertId = LengthEncoded.readLong(payload);
    int status = 0;
    int warnings = 0;
    if (Capability.has(capabilities, Capability.PROTOCOL_41)) {
      status = Fields.readInt2(payload);
      warnings = Fields.readInt2(payload);
    } else if (Capability.has(capabilities, Capability.TRANSACTIONS)) {
      status = Fields.readInt2(payload);
    }
    byte[] info = NOTHING;
    byte[] sessionState = NOTHING;
    // The manual says string<EOF> for info without SESSION_TRACK; every server sends a length.
    if (payload.isReadable()) {
      info = LengthEncoded.readBytes(payload);
      if (Capability.has(capabilities, Capability.SESSION_TRACK)
          && (status & ServerStatus.SESSION_STATE_CHANGED) != 0
          && payload.isReadable()) {
        sessionState = LengthEncoded.readBytes(payload);
      }
    }
    return new OkPacket(affectedRows, lastInsertId, status, warnings, info, sessionState);
  }

  public void encode(ByteBuf out, long capabilities) {
    encode(out, capabilities, HEADER);
  }

  /** As the end of rows, for clients with DEPRECATE_EOF. */
  public void encodeAsEof(ByteBuf out, long capabilities) {
    encode(out, capabilities, HEADER_AS_EOF);
  }

  private void encode(ByteBuf out, long capabilities, int header) {
    boolean tracks = Capability.has(capabilities, Capability.SESSION_TRACK);
    boolean changed = tracks && sessionState.length > 0;
    // The flag announces the field: it must not outlive a field that is left out.
    int flags =
        changed
            ? status | ServerStatus.SESSION_STATE_CHANGED
            : status & ~ServerStatus.SESSION_STATE_CHANGED;
    out.writeByte(header);
    LengthEncoded.write(out, affectedRows);
    LengthEncoded.write(out, lastInsertId);
    if (Capability.has(capabilities, Capability.PROTOCOL_41)) {
      out.writeShortLE(flags).writeShortLE(warnings);
    } else if (Capability.has(capabilities, Capability.TRANSACTIONS)) {
      out.writeShortLE(flags);
    }
    if (info.length > 0 || changed) {
      LengthEncoded.writeBytes(out, info);
    }
    if (changed) {
      LengthEncoded.writeBytes(out, sessionState);
    }
  }
}
