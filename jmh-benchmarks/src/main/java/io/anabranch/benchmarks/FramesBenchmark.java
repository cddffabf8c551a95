package io.anabranch.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Packets of a point select's size, as a client sends them and as a database answers. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FramesBenchmark {

  private static final int PACKETS = 100;

  private final byte[] payload = "\3SELECT c FROM sbtest1 WHERE id=498731".getBytes(US_ASCII);
  private final ByteBuf packets = Unpooled.directBuffer();
  private final ByteBuf copy = Unpooled.directBuffer();
  private final Releasing last = new Releasing();
  private final EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(1 << 24), last);

  /** Each packet is a command, with number 0. */
  public FramesBenchmark() {
    for (int i = 0; i < PACKETS; i++) {
      PacketWriter.write(packets, 0, payload);
    }
  }

  @TearDown
  public final void close() {
    channel.finishAndReleaseAll();
    packets.release();
    copy.release();
  }

  /** The client's side: from the bytes that were read to whole payloads. */
  @Benchmark
  @OperationsPerInvocation(PACKETS)
  public int decode() {
    channel.pipeline().fireChannelRead(packets.retainedDuplicate());
    return last.bytes;
  }

  /** The databases' side: a look at each packet that goes on as it is. */
  @Benchmark
  @OperationsPerInvocation(PACKETS)
  public int look() {
    var scanner = new PacketScanner();
    ByteBuf in = packets.duplicate();
    int firstBytes = 0;
    while (scanner.peek(in)) {
      firstBytes += scanner.firstByte();
      scanner.advance(in);
    }
    return firstBytes;
  }

  @Benchmark
  @OperationsPerInvocation(PACKETS)
  public int write() {
    copy.clear();
    int sequence = 0;
    for (int i = 0; i < PACKETS; i++) {
      sequence = PacketWriter.write(copy, sequence, payload);
    }
    return sequence;
  }

  /** Takes what was decoded. */
  private static final class Releasing extends ChannelInboundHandlerAdapter {
    private int bytes;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var frame = (Frame) message;
      bytes += frame.payload().readableBytes();
      frame.payload().release();
    }
  }
}
