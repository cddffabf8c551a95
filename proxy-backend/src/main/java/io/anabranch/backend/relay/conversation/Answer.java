package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.protocol.message.ErrPacket;
import io.netty.buffer.ByteBuf;

/**
 * Reads the answer to one command out of the server's bytes. Called on the event loop by its {@link
 * Conversation}; exactly one of {@code completed}, {@code failed} and {@code lost} comes last.
 */
public interface Answer {

  /**
   * The command executes a prepared statement; it is sent next.
   *
   * @param columns what the server has told of its columns; brought up to date by who reads on
   * @param warned how many warnings preparing it gave, which executions do not repeat
   */
  void executes(ToldColumns columns, int warned);

  /**
   * Consumes what can be understood now; what is left in {@code in} comes again with more behind
   * it.
   *
   * @return whether the answer is complete
   * @throws io.anabranch.protocol.type.ProtocolViolationException if the bytes make no sense
   */
  boolean read(ByteBuf in);

  /** The number of the error that was read, 0 if it was none; after the end. */
  int errno();

  /** Whether what was read is an error; after the end. */
  default boolean isError() {
    return errno() != 0;
  }

  /** All bytes of a read were given and the answer is not complete: decides when to read on. */
  void batchRead();

  /** The answer is complete and the connection free. */
  void completed();

  /** A statement in front of the command failed; the command was not sent. */
  void failed(ErrPacket error, boolean inPrologue);

  /** What had to be awaited did not come in time; the command's answer was thrown away. */
  default void unreached() {
    throw new IllegalStateException("nothing was awaited");
  }

  /** The connection is useless. */
  void lost(String reason, boolean mayHaveRun);
}
