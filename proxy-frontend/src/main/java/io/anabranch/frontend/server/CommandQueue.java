package io.anabranch.frontend.server;

import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameRoom;
import io.anabranch.protocol.frame.RoomTaken;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Commands that came while another one ran; when many wait, no more are taken. On the client's
 * event loop.
 */
final class CommandQueue {

  private static final int LIMIT = 16;

  /**
   * @param compressedSequence of the compressed packet that ended it
   */
  record Waiting(Frame frame, int compressedSequence) {}

  private final ClientChannel client;
  private final ArrayDeque<Waiting> commands = new ArrayDeque<>();
  private final RoomTaken room = new RoomTaken(FrameRoom.UNLIMITED, 0);
  private long bytes;

  CommandQueue(ClientChannel client) {
    this.client = client;
  }

  /** Where is counted what waits. */
  void room(FrameRoom where, long uncounted) {
    room.in(where, uncounted);
  }

  /** Takes over the frame. */
  void add(Frame frame, int compressedSequence) {
    commands.add(new Waiting(kept(frame), compressedSequence));
    if (commands.size() >= LIMIT) {
      client.pause();
    }
  }

  /** It does not hold on to the buffer that it came in, which may be much longer. */
  private Frame kept(Frame frame) {
    ByteBuf payload = frame.payload();
    int length = payload.readableBytes();
    if (frame.refusal() != null) {
      return frame;
    }
    RuntimeException refusal = room.keeps(bytes + length);
    try {
      if (refusal != null) {
        return Frame.refused(frame.sequence(), head(payload), refusal);
      }
      bytes += length;
      ByteBuf copy = client.channel().alloc().buffer(length).writeBytes(payload);
      return frame.replace(copy);
    } finally {
      frame.release();
    }
  }

  private static ByteBuf head(ByteBuf payload) {
    return payload.copy(payload.readerIndex(), Math.min(payload.readableBytes(), Frame.HEAD_BYTES));
  }

  /**
   * Runs {@code next} if there is a command, on a fresh stack so that many do not nest; otherwise
   * the client may send on.
   */
  void runNext(Runnable next) {
    if (!commands.isEmpty()) {
      client.channel().eventLoop().execute(next);
    } else {
      client.resume();
    }
  }

  boolean isEmpty() {
    return commands.isEmpty();
  }

  @Nullable Waiting poll() {
    Waiting first = commands.poll();
    if (first != null && first.frame().refusal() == null) {
      bytes -= first.frame().payload().readableBytes();
      room.keeps(bytes);
    }
    return first;
  }

  void release() {
    commands.forEach(each -> each.frame().release());
    commands.clear();
    bytes = 0;
    room.keeps(0);
  }
}
