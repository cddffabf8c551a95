package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.AuthMoreData;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/** Payloads of a handshake as bytes. */
final class Payloads {

  private Payloads() {}

  static byte[] moreData(int code) {
    return encode(new AuthMoreData(new byte[] {(byte) code})::encode);
  }

  static byte[] encode(Consumer<ByteBuf> encoder) {
    ByteBuf out = Unpooled.buffer();
    encoder.accept(out);
    return bytes(out);
  }

  static byte[] bytes(ByteBuf payload) {
    byte[] bytes = new byte[payload.readableBytes()];
    payload.readBytes(bytes);
    return bytes;
  }
}
