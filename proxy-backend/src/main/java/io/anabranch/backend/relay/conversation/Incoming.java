package io.anabranch.backend.relay.conversation;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Keeps the bytes that could not be understood yet and joins them with those that follow. */
final class Incoming {

  private @Nullable ByteBuf rest;

  /** Takes over {@code bytes}; gives back all that is unread. */
  ByteBuf joined(Channel channel, ByteBuf bytes) {
    ByteBuf before = rest;
    if (before == null) {
      return bytes;
    }
    rest = null;
    try {
      ByteBuf all = channel.alloc().buffer(before.readableBytes() + bytes.readableBytes());
      return all.writeBytes(before).writeBytes(bytes);
    } finally {
      before.release();
      bytes.release();
    }
  }

  /** Takes over what is left of it. */
  void keep(ByteBuf in) {
    if (in.isReadable()) {
      rest = in;
    } else {
      in.release();
    }
  }

  boolean isEmpty() {
    return rest == null;
  }

  void release() {
    ByteBuf left = rest;
    rest = null;
    if (left != null) {
      left.release();
    }
  }
}
