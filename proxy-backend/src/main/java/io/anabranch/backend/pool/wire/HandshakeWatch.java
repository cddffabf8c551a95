package io.anabranch.backend.pool.wire;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Reads along while the driver shakes hands, so that what is in force is known and not assumed. The
 * server's bytes are seen on the event loop, the driver's on its own thread; one after the other,
 * because each answers the other.
 */
final class HandshakeWatch {

  /** A response is longer: it has a user name. */
  private static final int SSL_REQUEST_LENGTH = 32;

  private final ByteBuf fromServer = Unpooled.buffer();
  private final ByteBuf fromDriver = Unpooled.buffer();
  private @Nullable Greeting greeting;
  private @Nullable HandshakeResponse response;

  synchronized void received(ByteBuf bytes) {
    if (greeting == null) {
      fromServer.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
      ByteBuf payload = firstPacket(fromServer);
      if (payload != null && payload.getUnsignedByte(payload.readerIndex()) != 0xFF) {
        greeting = Greeting.decode(payload);
      }
    }
  }

  synchronized void sent(byte[] bytes, int offset, int length) {
    if (response == null) {
      fromDriver.writeBytes(bytes, offset, length);
      ByteBuf payload = firstPacket(fromDriver);
      if (payload != null && payload.readableBytes() == SSL_REQUEST_LENGTH) {
        // What comes next is the whole of it, over TLS.
        fromDriver.skipBytes(PacketWriter.HEADER_SIZE + SSL_REQUEST_LENGTH);
        payload = firstPacket(fromDriver);
      }
      if (payload != null) {
        response = HandshakeResponse.decode(payload);
      }
    }
  }

  private static @Nullable ByteBuf firstPacket(ByteBuf bytes) {
    int header = PacketWriter.HEADER_SIZE;
    if (bytes.readableBytes() < header) {
      return null;
    }
    int length = bytes.getUnsignedMediumLE(bytes.readerIndex());
    return length > 0 && bytes.readableBytes() >= header + length
        ? bytes.slice(bytes.readerIndex() + header, length)
        : null;
  }

  /**
   * @throws IllegalStateException if the handshake was not seen whole
   */
  synchronized Facts facts() {
    Greeting server = greeting;
    HandshakeResponse driver = response;
    if (server == null || driver == null) {
      throw new IllegalStateException("the driver connected without a handshake");
    }
    long capabilities = server.capabilities() & driver.capabilities();
    // The bit that is cleared to announce MariaDB's extended ones is no capability of its own.
    return new Facts(
        capabilities | Capability.PROTOCOL_41,
        server.threadId(),
        server.serverVersion(),
        driver.database());
  }

  /** What the handshake settled. */
  record Facts(long capabilities, long threadId, String serverVersion, String database) {}
}
