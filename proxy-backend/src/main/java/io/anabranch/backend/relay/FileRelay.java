package io.anabranch.backend.relay;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.protocol.frame.PacketWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.function.IntConsumer;

/** A client's file on its way to the database. */
final class FileRelay implements FileReceiver {

  private final Channel database;
  private final IntConsumer ended;
  private int sequence;

  /**
   * @param sequence of the first packet to the database
   * @param ended is told the sequence number of the next packet to the client
   */
  FileRelay(BackendConnection connection, int sequence, IntConsumer ended) {
    this.database = connection.channel();
    this.sequence = sequence;
    this.ended = ended;
  }

  @Override
  public void packet(ByteBuf content, Runnable taken) {
    // a packet of the client's may be longer than the protocol's
    while (content.readableBytes() >= PacketWriter.MAX_PAYLOAD) {
      send(content.readRetainedSlice(PacketWriter.MAX_PAYLOAD - 1), () -> {});
    }
    send(content, taken);
  }

  private void send(ByteBuf content, Runnable taken) {
    if (!content.isReadable()) {
      content.release();
      taken.run();
      return;
    }
    writeHeader(content.readableBytes());
    database.writeAndFlush(content).addListener(_ -> taken.run());
  }

  private void writeHeader(int length) {
    ByteBuf header = database.alloc().buffer(PacketWriter.HEADER_SIZE);
    header.writeMediumLE(length).writeByte(sequence);
    sequence = (sequence + 1) & 0xFF;
    var _ = database.write(header);
  }

  @Override
  public void end(int nextSequence) {
    ended.accept(nextSequence);
    writeHeader(0);
    database.flush();
  }

  /** The database must not take what came for the whole: only a broken connection tells it. */
  @Override
  public void gone() {
    var _ = database.close();
  }
}
