package io.anabranch.protocol.frame;

import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's reading side: passes on each payload as one {@link Frame}, joined if it came in
 * several packets. A {@link ProtocolViolationException} (raised as Netty's {@code
 * DecoderException}, of which it is the cause) ends the connection: what follows is dropped.
 *
 * <p>Every command starts with sequence number 0; during the handshake and LOCAL INFILE the numbers
 * go on, see {@link #expectSequence}.
 *
 * <p>Belongs to one channel and its event loop.
 */
public final class FrameDecoder extends ByteToMessageDecoder {

  private long maxPayload;
  private int expected;
  private int nextSequence;
  private boolean ignoresSequence;
  private boolean broken;

  /** The packets so far of a payload in several; null between payloads. */
  private @Nullable CompositeByteBuf joined;

  /**
   * @param maxPayload bytes of a payload, joined; also the most that is kept in memory for a client
   */
  public FrameDecoder(long maxPayload) {
    this.maxPayload = maxPayload;
  }

  /** Another limit from here on. */
  public void maxPayload(long bytes) {
    maxPayload = bytes;
  }

  /** The sequence number that each of the following payloads starts with; initially 0. */
  public void expectSequence(int first) {
    expected = first & 0xFF;
  }

  /**
   * Takes any sequence numbers from here on: with compression it is the numbers of compressed
   * packets that count, and servers and clients let those inside go their own ways.
   */
  public void ignoreSequence() {
    ignoresSequence = true;
  }

  /**
   * Takes away the bytes read but not decoded yet: after SSLRequest they are the start of the TLS
   * handshake and belong into the {@code SslHandler}. The caller releases them.
   */
  public ByteBuf takeUndecoded() {
    ByteBuf buffer = internalBuffer();
    return buffer.readRetainedSlice(buffer.readableBytes());
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      Frame frame = decode(ctx, in);
      if (frame != null) {
        out.add(frame);
      }
    } catch (ProtocolViolationException e) {
      broken = true;
      in.skipBytes(in.readableBytes());
      releaseJoined();
      throw e;
    }
  }

  private @Nullable Frame decode(ChannelHandlerContext ctx, ByteBuf in) {
    if (in.readableBytes() < PacketWriter.HEADER_SIZE) {
      return null;
    }
    int start = in.readerIndex();
    int length = in.getUnsignedMediumLE(start);
    int sequence = in.getUnsignedByte(start + 3);
    CompositeByteBuf parts = joined;
    int wanted = parts == null ? expected : nextSequence;
    if (sequence != wanted && !ignoresSequence) {
      throw ProtocolViolationException.outOfOrder(wanted, sequence);
    }
    long total = length + (parts == null ? 0L : parts.readableBytes());
    if (total > maxPayload) {
      throw ProtocolViolationException.tooLarge();
    }
    if (in.readableBytes() < PacketWriter.HEADER_SIZE + length) {
      return null;
    }
    ByteBuf part = in.skipBytes(PacketWriter.HEADER_SIZE).readRetainedSlice(length);
    if (length == PacketWriter.MAX_PAYLOAD) {
      joined = (parts == null ? ctx.alloc().compositeBuffer(Integer.MAX_VALUE) : parts);
      joined.addComponent(true, part);
      nextSequence = (sequence + 1) & 0xFF;
      return null;
    }
    if (parts == null) {
      return new Frame(sequence, part);
    }
    joined = null;
    return new Frame(sequence, parts.addComponent(true, part));
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    releaseJoined();
  }

  private void releaseJoined() {
    if (joined != null) {
      joined.release();
      joined = null;
    }
  }
}
