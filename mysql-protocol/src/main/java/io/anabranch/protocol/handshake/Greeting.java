package io.anabranch.protocol.handshake;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_handshake_v10.html">HandshakeV10</a>:
 * the server's first packet.
 *
 * @param serverVersion human-readable
 * @param threadId of the connection, for KILL
 * @param scramble 20 random bytes (nonce) without zeros
 * @param capabilities of the server; those above 32 bits go into MariaDB's field
 * @param collation default of the server, an id below 256
 * @param status {@link io.anabranch.protocol.type.ServerStatus} flags
 * @param plugin default authentication method; empty without PLUGIN_AUTH
 */
public record Greeting(
    String serverVersion,
    long threadId,
    byte[] scramble,
    long capabilities,
    int collation,
    int status,
    String plugin) {

  public static final int PROTOCOL_VERSION = 10;

  /** Bytes of a scramble. */
  public static final int SCRAMBLE_LENGTH = 20;

  private static final int FIRST_PART = 8;

  public static Greeting decode(ByteBuf payload) {
    int version = Fields.readInt1(payload);
    if (version != PROTOCOL_VERSION) {
      throw ProtocolViolationException.malformed("greeting of protocol version " + version);
    }
    String serverVersion = Fields.readNulTerminated(payload, StandardCharsets.UTF_8);
    long threadId = Fields.readInt4(payload);
    byte[] first = Fields.readBytes(payload, FIRST_PART);
    Fields.skip(payload, 1);
    long capabilities = Fields.readInt2(payload);
    if (!payload.isReadable()) {
      return new Greeting(serverVersion, threadId, first, capabilities, 0, 0, "");
    }
    int collation = Fields.readInt1(payload);
    int status = Fields.readInt2(payload);
    capabilities |= (long) Fields.readInt2(payload) << 16;
    int scrambleLength = Fields.readInt1(payload);
    Fields.skip(payload, 6);
    long extended = Fields.readInt4(payload);
    if (!Capability.has(capabilities, Capability.LONG_PASSWORD)) {
      capabilities |= extended << 32;
    }
    byte[] scramble = first;
    if (Capability.has(capabilities, Capability.SECURE_CONNECTION)) {
      scramble =
          joined(first, Fields.readBytes(payload, Math.max(13, scrambleLength - FIRST_PART)));
    }
    String plugin = "";
    if (Capability.has(capabilities, Capability.PLUGIN_AUTH)) {
      plugin = readPlugin(payload);
    }
    return new Greeting(serverVersion, threadId, scramble, capabilities, collation, status, plugin);
  }

  /** A scramble of {@link #SCRAMBLE_LENGTH} bytes is written with the NUL that ends it. */
  public void encode(ByteBuf out) {
    out.writeByte(PROTOCOL_VERSION);
    out.writeCharSequence(serverVersion, StandardCharsets.UTF_8);
    out.writeByte(0).writeIntLE((int) threadId);
    out.writeBytes(scramble, 0, FIRST_PART).writeByte(0);
    out.writeShortLE((int) capabilities).writeByte(collation).writeShortLE(status);
    out.writeShortLE((int) (capabilities >>> 16)).writeByte(SCRAMBLE_LENGTH + 1).writeZero(6);
    // MariaDB's clients read the field only if LONG_PASSWORD is off; to others it is filler.
    out.writeIntLE((int) (capabilities >>> 32));
    out.writeBytes(scramble, FIRST_PART, SCRAMBLE_LENGTH - FIRST_PART).writeByte(0);
    out.writeCharSequence(plugin, StandardCharsets.US_ASCII);
    out.writeByte(0);
  }

  /** The second part without the NUL at its end. */
  private static byte[] joined(byte[] first, byte[] second) {
    int length = second.length;
    if (second[length - 1] == 0) {
      length--;
    }
    byte[] scramble = new byte[first.length + length];
    System.arraycopy(first, 0, scramble, 0, first.length);
    System.arraycopy(second, 0, scramble, first.length, length);
    return scramble;
  }

  /** Some old servers forget the NUL at the end. */
  private static String readPlugin(ByteBuf payload) {
    return payload.bytesBefore((byte) 0) < 0
        ? Fields.readRest(payload, StandardCharsets.US_ASCII)
        : Fields.readNulTerminated(payload, StandardCharsets.US_ASCII);
  }
}
