package io.anabranch.frontend.response;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Rows of the merge lane on their way to the client, in buffers of about 64 KiB. At most two
 * buffers wait for the socket; then the calling virtual thread is parked until one has gone, and so
 * stops reading the databases.
 *
 * <p>Used by the one virtual thread that runs the statement; nothing else writes to the client
 * meanwhile.
 */
public final class MergedRows implements ClientRows {

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int BUFFERS_IN_FLIGHT = 2;

  private final Channel channel;
  private final ResultPackets packets;
  private final Charset charset;
  private final int status;
  private final Semaphore room = new Semaphore(BUFFERS_IN_FLIGHT);
  private int sequence;
  private ByteBuf buffer;
  private final int first;
  private boolean started;
  private boolean sent;

  /**
   * @param status flags of the EOF packet behind the columns
   */
  public MergedRows(ClientSink sink, Charset charset, int status) {
    this.channel = sink.channel();
    this.packets = new ResultPackets(sink.capabilities());
    this.charset = charset;
    this.status = status;
    this.sequence = sink.sequence();
    this.first = sequence;
    this.buffer = channel.alloc().buffer(BUFFER_BYTES / 4);
  }

  @Override
  public boolean isStarted() {
    return started;
  }

  @Override
  public boolean takeBack() {
    if (!sent) {
      buffer.clear();
      sequence = first;
      started = false;
    }
    return !sent;
  }

  @Override
  public int sequence() {
    return sequence;
  }

  @Override
  public void columns(List<ResultColumn> columns) {
    started = true;
    sequence = packets.columns(buffer, sequence, columns, charset, status);
  }

  @Override
  public void row(byte[] payload) {
    sequence = PacketWriter.write(buffer, sequence, payload);
    if (buffer.readableBytes() >= BUFFER_BYTES) {
      send(BUFFER_BYTES + BUFFER_BYTES / 4);
    }
  }

  /** Ends the rows and sends what is left. */
  @Override
  public void end(int finalStatus, int warnings) {
    sequence = packets.end(buffer, sequence, finalStatus, warnings);
    send(0);
  }

  /**
   * Gives back the buffer; call it once at the end, however the statement ended. Rows that were not
   * sent yet are sent, so that an error can follow them.
   */
  @Override
  public void close() {
    if (buffer.isReadable()) {
      channel.writeAndFlush(buffer);
    } else {
      buffer.release();
    }
  }

  /**
   * @param next size of the buffer for what follows; 0: nothing does
   * @throws ClientGoneException before there is something in vain; a client that leaves with the
   *     last packet has got all
   */
  private void send(int next) {
    if (!channel.isActive()) {
      throw new ClientGoneException();
    }
    sent = true;
    ByteBuf full = buffer;
    buffer = next == 0 ? Unpooled.EMPTY_BUFFER : channel.alloc().buffer(next);
    room.acquireUninterruptibly();
    channel.writeAndFlush(full).addListener(done -> room.release());
  }
}
