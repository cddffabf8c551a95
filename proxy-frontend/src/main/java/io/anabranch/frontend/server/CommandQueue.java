package io.anabranch.frontend.server;

import io.anabranch.protocol.frame.Frame;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Commands that came while another one ran; when many wait, the socket is not read. On the client's
 * event loop.
 */
final class CommandQueue {

  private static final int LIMIT = 16;

  /**
   * @param compressedSequence of the compressed packet that ended it
   */
  record Waiting(Frame frame, int compressedSequence) {}

  private final Channel channel;
  private final ArrayDeque<Waiting> commands = new ArrayDeque<>();

  CommandQueue(Channel channel) {
    this.channel = channel;
  }

  void add(Frame frame, int compressedSequence) {
    commands.add(new Waiting(frame, compressedSequence));
    if (commands.size() >= LIMIT) {
      channel.config().setAutoRead(false);
    }
  }

  /** Runs {@code next} if there is a command, on a fresh stack so that many do not nest. */
  void runNext(Runnable next) {
    if (!commands.isEmpty()) {
      channel.eventLoop().execute(next);
    } else if (!channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
  }

  boolean isEmpty() {
    return commands.isEmpty();
  }

  @Nullable Waiting poll() {
    return commands.poll();
  }

  void release() {
    commands.forEach(each -> each.frame().release());
    commands.clear();
  }
}
