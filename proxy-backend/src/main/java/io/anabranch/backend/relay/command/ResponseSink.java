package io.anabranch.backend.relay.command;

import io.anabranch.protocol.message.ErrPacket;
import io.netty.buffer.ByteBuf;

/**
 * Where the relay puts a response: the client's side of a session. All methods are called on the
 * session's event loop.
 */
public interface ResponseSink {

  /** What the client negotiated: decides the forms of OK, EOF and metadata. */
  long capabilities();

  /** Sequence number of the next packet to the client, 0…255. */
  int sequence();

  void sequence(int next);

  /** Status flags as this client must see them, from those of the backend. */
  int clientStatus(int backendStatus);

  /** Status flags of the session as the answer finds them. */
  int status();

  /** What the client is told where the database answers with this error. */
  default ErrPacket told(ErrPacket error) {
    return error;
  }

  /** Takes over {@code packets}: whole packets or parts of them, headers included, in order. */
  void write(ByteBuf packets);

  void flush();

  /** {@link #write} and {@link #flush} in one: nothing follows for now. */
  default void send(ByteBuf packets) {
    write(packets);
    flush();
  }

  /** False: the client reads too slowly; the relay stops reading the backend. */
  boolean isWritable();

  /** {@code resume} runs once when the client is writable again or gone. */
  void whenWritable(Runnable resume);

  /**
   * Asks the client for a file: LOAD DATA LOCAL. What was written before goes out with it.
   *
   * @param request the whole packet, taken over
   * @param next sequence number of the client's first packet
   */
  void requestFile(ByteBuf request, int next, FileReceiver receiver);
}
