package io.anabranch.backend.relay.conversation;

import io.anabranch.protocol.frame.PacketWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Keeps the bytes that could not be understood yet and joins them with those that follow. */
final class Incoming {

  /** Room that grows with what is waited for, and no further than a packet may need. */
  private static final int MOST_ROOM = PacketWriter.MAX_PAYLOAD + (1 << 16);

  private @Nullable ByteBuf rest;

  /** Whether nobody else writes behind what is kept. */
  private boolean isOwn;

  /**
   * Takes over {@code bytes}; gives back all that is unread. A packet that is needed whole is
   * copied a few times, in however many pieces it comes.
   */
  ByteBuf joined(Channel channel, ByteBuf bytes) {
    ByteBuf before = rest;
    if (before == null) {
      isOwn = false;
      return bytes;
    }
    rest = null;
    int more = bytes.readableBytes();
    if (isOwn && before.refCnt() == 1 && before.writableBytes() >= more) {
      try {
        return before.writeBytes(bytes);
      } finally {
        bytes.release();
      }
    }
    try {
      int needed = before.readableBytes() + more;
      ByteBuf all = channel.alloc().buffer(Math.max(needed, Math.min(2 * needed, MOST_ROOM)));
      isOwn = true;
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
