package io.anabranch.protocol.handshake;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_handshake_response.html">HandshakeResponse41</a>:
 * the client's first packet, or its second after SSLRequest.
 *
 * @param capabilities that the client wants, MariaDB's above 32 bits
 * @param maxPacket the longest payload that the client takes; a hint
 * @param collation id of the client's character set, 0…255
 * @param user in UTF-8
 * @param authResponse of {@code plugin}, for the scramble of the greeting
 * @param database to use; empty for none
 * @param plugin that made the response; empty when the client did not say
 * @param attributes the client's description of itself
 * @param zstdLevel 0 without ZSTD_COMPRESSION
 */
public record HandshakeResponse(
    long capabilities,
    long maxPacket,
    int collation,
    String user,
    byte[] authResponse,
    String database,
    String plugin,
    Map<String, String> attributes,
    int zstdLevel) {

  private static final int FIXED_LENGTH = 32;
  private static final int FILLER = 19;

  /**
   * Whether the payload is an <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_ssl_request.html">SSLRequest</a>:
   * the fixed part of a response and nothing else. Moves no index.
   */
  public static boolean isSslRequest(ByteBuf payload) {
    return payload.readableBytes() == FIXED_LENGTH
        && (payload.getIntLE(payload.readerIndex()) & Capability.SSL) != 0;
  }

  /**
   * @throws ProtocolViolationException also for clients older than 4.1
   */
  public static HandshakeResponse decode(ByteBuf payload) {
    long capabilities = Fields.readInt4(payload);
    if (!Capability.has(capabilities, Capability.PROTOCOL_41)) {
      throw ProtocolViolationException.malformed("client older than MySQL 4.1");
    }
    long maxPacket = Fields.readInt4(payload);
    int collation = Fields.readInt1(payload);
    Fields.skip(payload, FILLER);
    long extended = Fields.readInt4(payload);
    if (!Capability.has(capabilities, Capability.LONG_PASSWORD)) {
      capabilities |= extended << 32;
    }
    String user = Fields.readNulTerminated(payload, StandardCharsets.UTF_8);
    byte[] authResponse = readAuthResponse(payload, capabilities);
    String database = "";
    if (Capability.has(capabilities, Capability.CONNECT_WITH_DB) && payload.isReadable()) {
      database = Fields.readNulTerminated(payload, StandardCharsets.UTF_8);
    }
    String plugin = "";
    if (Capability.has(capabilities, Capability.PLUGIN_AUTH) && payload.isReadable()) {
      plugin = Fields.readNulTerminated(payload, StandardCharsets.UTF_8);
    }
    Map<String, String> attributes = Map.of();
    if (Capability.has(capabilities, Capability.CONNECT_ATTRS) && payload.isReadable()) {
      attributes = Fields.readAttributes(payload, StandardCharsets.UTF_8);
    }
    int zstdLevel = 0;
    if (Capability.has(capabilities, Capability.ZSTD_COMPRESSION) && payload.isReadable()) {
      zstdLevel = Fields.readInt1(payload);
    }
    return new HandshakeResponse(
        capabilities,
        maxPacket,
        collation,
        user,
        authResponse,
        database,
        plugin,
        attributes,
        zstdLevel);
  }

  private static byte[] readAuthResponse(ByteBuf payload, long capabilities) {
    if (Capability.has(capabilities, Capability.PLUGIN_AUTH_LENENC_CLIENT_DATA)) {
      return LengthEncoded.readBytes(payload);
    }
    if (Capability.has(capabilities, Capability.SECURE_CONNECTION)) {
      return Fields.readBytes(payload, Fields.readInt1(payload));
    }
    return Fields.readNulTerminated(payload);
  }

  public void encode(ByteBuf out) {
    encodeFixedPart(out);
    out.writeCharSequence(user, StandardCharsets.UTF_8);
    out.writeByte(0);
    if (Capability.has(capabilities, Capability.PLUGIN_AUTH_LENENC_CLIENT_DATA)) {
      LengthEncoded.writeBytes(out, authResponse);
    } else if (Capability.has(capabilities, Capability.SECURE_CONNECTION)) {
      out.writeByte(authResponse.length).writeBytes(authResponse);
    } else {
      out.writeBytes(authResponse).writeByte(0);
    }
    if (Capability.has(capabilities, Capability.CONNECT_WITH_DB)) {
      out.writeCharSequence(database, StandardCharsets.UTF_8);
      out.writeByte(0);
    }
    if (Capability.has(capabilities, Capability.PLUGIN_AUTH)) {
      out.writeCharSequence(plugin, StandardCharsets.UTF_8);
      out.writeByte(0);
    }
    if (Capability.has(capabilities, Capability.CONNECT_ATTRS)) {
      encodeAttributes(out);
    }
    if (Capability.has(capabilities, Capability.ZSTD_COMPRESSION)) {
      out.writeByte(zstdLevel);
    }
  }

  /** SSLRequest; the SSL capability must be set. */
  public void encodeSslRequest(ByteBuf out) {
    encodeFixedPart(out);
  }

  private void encodeFixedPart(ByteBuf out) {
    out.writeIntLE((int) capabilities).writeIntLE((int) maxPacket).writeByte(collation);
    out.writeZero(FILLER).writeIntLE((int) (capabilities >>> 32));
  }

  private void encodeAttributes(ByteBuf out) {
    ByteBuf pairs = Unpooled.buffer();
    attributes.forEach(
        (name, value) -> {
          LengthEncoded.writeBytes(pairs, name.getBytes(StandardCharsets.UTF_8));
          LengthEncoded.writeBytes(pairs, value.getBytes(StandardCharsets.UTF_8));
        });
    LengthEncoded.write(out, pairs.readableBytes());
    out.writeBytes(pairs);
    pairs.release();
  }

  /** Without the authentication response. */
  @Override
  public String toString() {
    return "HandshakeResponse[user=" + user + ", database=" + database + ", plugin=" + plugin + "]";
  }
}
