package io.anabranch.protocol.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CompressedProtocolTest {

  /** The example of MySQL's manual: COM_QUERY with a literal of digits. */
  private static final String MANUAL =
      "22000000320000789cd3636060602e4ecd494d2e51503230343236313533b7b0c4cd5202000cd10a6c";

  /** COM_PING, not compressed: header, header of the packet inside, command. */
  private static final String PING = "05000000000000" + "01000000" + "0e";

  private static final long RANDOM_SEED = 20_261_121;

  private final CompressedProtocol zlib = CompressedProtocol.of(CompressionAlgorithm.ZLIB, 0);
  private final EmbeddedChannel channel = channel(zlib);

  private static EmbeddedChannel channel(CompressedProtocol protocol) {
    var frames = new FrameDecoder(1 << 30);
    frames.ignoreSequence();
    return new EmbeddedChannel(protocol, frames);
  }

  private static ByteBuf hex(String bytes) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(bytes));
  }

  private static String payload(EmbeddedChannel from) {
    Frame frame = from.readInbound();
    String text = frame.payload().toString(StandardCharsets.ISO_8859_1);
    frame.release();
    return text;
  }

  @Test
  void thePacketOfTheManual() {
    channel.writeInbound(hex(MANUAL));
    assertThat(payload(channel)).isEqualTo("\3select \"012345678901234567890123456789012345\"");
    assertThat(zlib.lastReceived()).isZero();
  }

  @Test
  void oneByteAtATime() {
    for (byte each : HexFormat.of().parseHex(MANUAL + PING)) {
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {each}));
    }
    assertThat(payload(channel)).startsWith("\3select");
    assertThat(payload(channel)).isEqualTo("\16");
  }

  @Test
  void shortPacketsAreSentAsTheyAre() {
    zlib.answers(0);
    channel.writeOutbound(hex("0700000100000002000000"));
    assertThat(written(channel)).isEqualTo("0b000001000000" + "0700000100000002000000");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenCanBeReadAgain(CompressionAlgorithm algorithm) {
    var random = new Random(RANDOM_SEED);
    for (int length : new int[] {0, 1, 45, 46, 47, 1 << 16, (1 << 20) - 4, 1 << 20, 17 << 20}) {
      for (boolean noise : new boolean[] {false, true}) {
        byte[] content = new byte[length];
        if (noise) {
          random.nextBytes(content);
        }
        assertThat(roundTrip(algorithm, content)).isEqualTo(content);
      }
    }
  }

  private static byte[] roundTrip(CompressionAlgorithm algorithm, byte[] content) {
    EmbeddedChannel writer = channel(CompressedProtocol.of(algorithm, 0));
    EmbeddedChannel reader = channel(CompressedProtocol.of(algorithm, 0));
    ByteBuf packets = Unpooled.buffer(content.length + 8);
    PacketWriter.write(packets, 0, content);
    writer.writeOutbound(packets);
    for (ByteBuf part = writer.readOutbound(); part != null; part = writer.readOutbound()) {
      reader.writeInbound(part);
    }
    Frame frame = reader.readInbound();
    byte[] read = new byte[frame.payload().readableBytes()];
    frame.payload().readBytes(read);
    frame.release();
    writer.finishAndReleaseAll();
    reader.finishAndReleaseAll();
    return read;
  }

  @Test
  void whatIsFlushedTogetherIsOnePacket() {
    zlib.answers(3);
    List<ByteBuf> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ByteBuf row = Unpooled.buffer();
      PacketWriter.write(row, i, "the same row again".getBytes(StandardCharsets.US_ASCII));
      rows.add(row);
    }
    rows.forEach(channel::write);
    channel.flush();
    ByteBuf packet = channel.readOutbound();
    assertThat(channel.outboundMessages()).isEmpty();
    assertThat(packet.getUnsignedByte(3)).isEqualTo((short) 4);
    assertThat(packet.getUnsignedMediumLE(4)).isEqualTo(100 * (18 + 4));
    assertThat(packet.readableBytes()).isLessThan(400);
    packet.release();
  }

  /** Whoever else is on the event loop waits meanwhile. */
  @ParameterizedTest
  @EnumSource
  void whatTakesLongToCompressIsSentAsItIs(CompressionAlgorithm algorithm) {
    EmbeddedChannel writer = channel(CompressedProtocol.of(algorithm, 0));
    for (int length : new int[] {200_000, 300_000, 16 << 20}) {
      ByteBuf packets = Unpooled.buffer();
      PacketWriter.write(packets, 0, new byte[length]);
      writer.writeOutbound(packets);
      long sent = 0;
      for (ByteBuf part = writer.readOutbound(); part != null; part = writer.readOutbound()) {
        sent += part.readableBytes();
        part.release();
      }
      if (length == 200_000) {
        assertThat(sent).isLessThan(length / 10);
      } else {
        assertThat(sent).isGreaterThan(length);
      }
    }
    writer.finishAndReleaseAll();
  }

  /** As servers do: there are clients that cannot take a packet in many pieces. */
  @Test
  void aPacketThatIsFlushedInPartsIsNotSplit() {
    zlib.answers(0);
    ByteBuf packets = Unpooled.buffer();
    PacketWriter.write(packets, 1, new byte[100]);
    PacketWriter.write(packets, 2, new byte[200_000]);
    PacketWriter.write(packets, 3, new byte[20]);
    int all = packets.readableBytes();
    while (packets.isReadable()) {
      int part = Math.min(packets.readableBytes(), 65_535);
      channel.writeOutbound(packets.readRetainedSlice(part));
    }
    packets.release();
    ByteBuf first = channel.readOutbound();
    ByteBuf second = channel.readOutbound();
    assertThat(channel.outboundMessages()).isEmpty();
    assertThat(first.getUnsignedMediumLE(4)).isEqualTo(100 + PacketWriter.HEADER_SIZE);
    assertThat(second.getUnsignedMediumLE(4)).isEqualTo(all - 100 - PacketWriter.HEADER_SIZE);
    first.release();
    second.release();
  }

  @Test
  void answersAreNumberedAfterTheirCommands() {
    channel.writeInbound(hex(PING));
    int first = zlib.lastReceived();
    channel.writeInbound(hex(PING));
    int second = zlib.lastReceived();
    for (int command : new int[] {first, second}) {
      zlib.answers(command);
      channel.writeOutbound(hex("01000001" + "00"));
      assertThat(written(channel)).startsWith("050000" + "01");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "05000003000000010000000e, 1156",
    "050000001000000102030405, 1157",
    "22000000330000789cd3636060602e4ecd494d2e51503230343236313533b7b0c4cd5202000cd10a6c, 1157",
    "22000000310000789cd3636060602e4ecd494d2e51503230343236313533b7b0c4cd5202000cd10a6c, 1157",
    "22000000ffffff789cd3636060602e4ecd494d2e51503230343236313533b7b0c4cd5202000cd10a6c, 1157"
  })
  void brokenPackets(String bytes, int errno) {
    assertThatThrownBy(() -> channel.writeInbound(hex(bytes)))
        .isInstanceOf(DecoderException.class)
        .cause()
        .isInstanceOfSatisfying(
            ProtocolViolationException.class,
            violation -> assertThat(violation.errno()).isEqualTo(errno));
    channel.writeInbound(hex(MANUAL));
    assertThat(channel.inboundMessages()).isEmpty();
  }

  /** Any bytes give frames or a violation, and nothing leaks. */
  @ParameterizedTest
  @EnumSource
  void randomBytes(CompressionAlgorithm algorithm) {
    int rounds = Integer.getInteger("fuzz.rounds", 2_000);
    var random = new Random(RANDOM_SEED);
    for (int round = 0; round < rounds; round++) {
      EmbeddedChannel victim = channel(CompressedProtocol.of(algorithm, 0));
      byte[] bytes = HexFormat.of().parseHex(MANUAL);
      for (int i = random.nextInt(6); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Throwable thrown = catchThrowable(() -> victim.writeInbound(Unpooled.wrappedBuffer(bytes)));
      if (thrown != null) {
        assertThat(thrown).cause().isInstanceOf(ProtocolViolationException.class);
      }
      victim.finishAndReleaseAll();
    }
  }

  @Test
  void zlibGoesFirst() {
    assertThat(CompressionAlgorithm.negotiated(Capability.COMPRESS | Capability.ZSTD_COMPRESSION))
        .isEqualTo(CompressionAlgorithm.ZLIB);
    assertThat(CompressionAlgorithm.negotiated(Capability.ZSTD_COMPRESSION))
        .isEqualTo(CompressionAlgorithm.ZSTD);
    assertThat(CompressionAlgorithm.negotiated(0)).isNull();
  }

  private static String written(EmbeddedChannel from) {
    StringBuilder all = new StringBuilder();
    for (ByteBuf part = from.readOutbound(); part != null; part = from.readOutbound()) {
      byte[] bytes = new byte[part.readableBytes()];
      part.readBytes(bytes);
      part.release();
      all.append(HexFormat.of().formatHex(bytes));
    }
    return all.toString();
  }
}
