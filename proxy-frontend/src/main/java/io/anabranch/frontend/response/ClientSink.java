package io.anabranch.frontend.response;

import io.anabranch.backend.loop.DirectSend;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.backend.relay.command.ResponseSink;
import io.anabranch.protocol.message.ErrPacket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a session: counts sequence numbers, flushes once per response or per 64 KiB,
 * and tells when the client reads too slowly. Used on the channel's event loop only.
 */
public final class ClientSink implements ResponseSink {

  private static final int FLUSH_BYTES = 64 * 1024;

  private final Channel channel;
  private final IntUnaryOperator clientStatus;
  private final IntSupplier status;
  private long capabilities;
  private long fileLimitNanos;
  private int sequence;
  private int unflushed;
  private @Nullable Runnable resume;

  /** Since when it waits to be resumed, {@link System#nanoTime}. */
  private long heldSince;

  private long waited;
  private @Nullable Runnable beforeAnswer;
  private @Nullable AnswerCopy copy;
  private UnaryOperator<ErrPacket> errors = UnaryOperator.identity();

  /**
   * @param clientStatus turns a backend's status flags into those of the session
   * @param status the session's present flags
   */
  public ClientSink(Channel channel, IntUnaryOperator clientStatus, IntSupplier status) {
    this.channel = channel;
    this.clientStatus = clientStatus;
    this.status = status;
  }

  /** What the handshake negotiated; COM_SET_OPTION changes it. */
  public void capabilities(long negotiated) {
    capabilities = negotiated;
  }

  /** How long the client may send nothing of a file that it is asked for; 0: for ever. */
  public void fileLimit(long nanos) {
    fileLimitNanos = nanos;
  }

  public Channel channel() {
    return channel;
  }

  @Override
  public long capabilities() {
    return capabilities;
  }

  @Override
  public int sequence() {
    return sequence;
  }

  @Override
  public void sequence(int next) {
    sequence = next & 0xFF;
  }

  @Override
  public int clientStatus(int backendStatus) {
    return clientStatus.applyAsInt(backendStatus);
  }

  @Override
  public int status() {
    return status.getAsInt();
  }

  /**
   * What must be done when a client hears of the answer: it runs once, before the next bytes go
   * out.
   *
   * @param before null: nothing any more
   */
  public void beforeAnswer(@Nullable Runnable before) {
    beforeAnswer = before;
  }

  /**
   * Who gets a copy of all that is written from now on.
   *
   * @param taker null: nobody any more
   */
  public void copy(@Nullable AnswerCopy taker) {
    copy = taker;
  }

  /** The copy's, for those who write past this; null: there is none. */
  @Nullable AnswerCopy copy() {
    return copy;
  }

  /**
   * Sends what another client has got.
   *
   * @param packets with numbers that are good for this one, too; not modified
   * @param memory large ones are charged to it until they have gone
   * @return false if there is no room: nothing was sent
   */
  public boolean replay(byte[] packets, SessionMemory memory) {
    long charged = packets.length > FLUSH_BYTES ? packets.length : 0;
    if (charged > 0 && memory.take(MemoryKind.DIRECT, charged, "an answer") != null) {
      return false;
    }
    ByteBuf out = channel.alloc().ioBuffer(packets.length).writeBytes(packets);
    if (charged == 0) {
      send(out);
    } else {
      send(out, () -> memory.give(MemoryKind.DIRECT, charged));
    }
    return true;
  }

  private void copies(ByteBuf packets) {
    AnswerCopy taker = copy;
    if (taker != null) {
      taker.add(packets, channel.isWritable());
    }
  }

  /** Who knows better than the database why a statement failed. */
  public void errors(UnaryOperator<ErrPacket> told) {
    errors = told;
  }

  @Override
  public ErrPacket told(ErrPacket error) {
    return errors.apply(error);
  }

  private void begin() {
    Runnable before = beforeAnswer;
    if (before != null) {
      beforeAnswer = null;
      before.run();
    }
  }

  @Override
  public void write(ByteBuf packets) {
    begin();
    copies(packets);
    unflushed += packets.readableBytes();
    channel.write(packets, channel.voidPromise());
    if (unflushed >= FLUSH_BYTES) {
      flush();
    }
  }

  @Override
  public void flush() {
    unflushed = 0;
    channel.flush();
  }

  @Override
  public void send(ByteBuf packets) {
    begin();
    copies(packets);
    unflushed = 0;
    DirectSend.send(channel, packets);
  }

  /**
   * The same of what is large.
   *
   * @param whenSent runs when the network has taken it, or never will
   */
  void send(ByteBuf packets, Runnable whenSent) {
    begin();
    copies(packets);
    unflushed = 0;
    channel.writeAndFlush(packets).addListener(_ -> whenSent.run());
  }

  @Override
  public boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  public void whenWritable(Runnable whatToResume) {
    if (channel.isWritable() || !channel.isActive()) {
      whatToResume.run();
    } else {
      resume = whatToResume;
      heldSince = System.nanoTime();
    }
  }

  @Override
  public void requestFile(ByteBuf request, int next, FileReceiver receiver) {
    FilePackets.expect(channel, next, receiver, fileLimitNanos);
    write(request);
    flush();
  }

  /** An answer was held back for so long, because the client did not read. */
  void waited(long nanos) {
    waited += nanos;
  }

  /** How long answers were held back since this was last asked, in nanoseconds. */
  public long takeWaited() {
    long taken = waited;
    waited = 0;
    return taken;
  }

  /** The channel's writability changed, or the channel closed. */
  public void writabilityChanged() {
    Runnable waiting = resume;
    if (waiting != null && (channel.isWritable() || !channel.isActive())) {
      resume = null;
      waited(System.nanoTime() - heldSince);
      waiting.run();
    }
  }
}
