package io.anabranch.protocol.compression;

import io.anabranch.protocol.frame.FrameRoom;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.frame.RoomTaken;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import java.util.function.BooleanSupplier;

/**
 * Goes between the socket and the packets when compression is on. See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_compression_packet.html">Compressed
 * Packet</a>.
 *
 * <p>Its packets have sequence numbers of their own: commands start with 0, the answer goes on
 * after the last of the command. {@link #lastReceived} and {@link #answers} carry that over,
 * because clients may send the next command before they have read the answer to this one.
 */
public final class CompressedProtocol
    extends CombinedChannelDuplexHandler<PacketDecompressor, PacketCompressor> {

  /** Bytes of a header: three of length, sequence number, three of the length before. */
  static final int HEADER_SIZE = 7;

  /** The most that a header can announce. */
  static final int MAX_LENGTH = PacketWriter.MAX_PAYLOAD;

  /** Bytes that may be kept without being counted, each way. */
  private static final long UNCOUNTED = 16 * 1024;

  private final PacketCodec codec;
  private final Numbers numbers;

  private CompressedProtocol(
      PacketCodec codec, Numbers numbers, FrameRoom room, BooleanSupplier isPaused) {
    super(
        new PacketDecompressor(codec, numbers, new RoomTaken(room, UNCOUNTED), isPaused),
        new PacketCompressor(codec, numbers, new RoomTaken(room, UNCOUNTED)));
    this.codec = codec;
    this.numbers = numbers;
  }

  /**
   * The server's side.
   *
   * @param zstdLevel what the client asked for; 0 for the default
   */
  public static CompressedProtocol of(CompressionAlgorithm algorithm, int zstdLevel) {
    return of(algorithm, zstdLevel, FrameRoom.UNLIMITED, () -> false);
  }

  /**
   * The same with limits.
   *
   * @param room where is counted what is kept of packets that are not whole
   * @param isPaused whether nobody takes packets now; then {@link #goOn} is called later
   */
  public static CompressedProtocol of(
      CompressionAlgorithm algorithm, int zstdLevel, FrameRoom room, BooleanSupplier isPaused) {
    return new CompressedProtocol(algorithm.codec(zstdLevel), new Numbers(), room, isPaused);
  }

  /**
   * Packets are taken again: those that have arrived meanwhile are passed on.
   *
   * @param own this handler's, in its pipeline
   */
  public void goOn(ChannelHandlerContext own) {
    try {
      channelRead(own, Unpooled.EMPTY_BUFFER);
    } catch (Exception e) {
      own.fireExceptionCaught(e);
    }
  }

  /** Sequence number of the compressed packet that was decompressed last. */
  public int lastReceived() {
    return numbers.received;
  }

  /**
   * What is written from now on answers a command.
   *
   * @param received sequence number of the compressed packet that ended the command
   */
  public void answers(int received) {
    numbers.toSend = (received + 1) & 0xFF;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    outboundHandler().releaseWaiting();
    super.channelInactive(ctx);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) throws Exception {
    try {
      super.handlerRemoved(ctx);
    } finally {
      codec.close();
    }
  }

  /** Sequence numbers of both directions. */
  static final class Numbers {
    int received = -1;
    int toSend;
  }
}
