package io.anabranch.backend.relay.command;

import io.netty.buffer.ByteBuf;

/**
 * Takes the file that a client sends for LOAD DATA LOCAL, packet by packet. All methods are called
 * on the session's event loop; one of {@code end} and {@code gone} comes last.
 */
public interface FileReceiver {

  /**
   * @param content not empty; taken over
   * @param taken to be run on the same event loop when the content is no longer in memory: the
   *     client is read no further while much is
   */
  void packet(ByteBuf content, Runnable taken);

  /**
   * The file is complete.
   *
   * @param nextSequence of the packet that the client gets next
   */
  void end(int nextSequence);

  /** The client is gone. */
  void gone();
}
