package io.anabranch.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {

  private static final int LIMIT = 3 * PacketWriter.MAX_PAYLOAD;

  private final FrameDecoder decoder = new FrameDecoder(LIMIT);
  private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

  @AfterEach
  void nothingIsLeft() {
    assertThat(channel.finishAndReleaseAll()).isFalse();
  }

  @Test
  void severalPacketsInOneRead() {
    ByteBuf in = packet(0, 1, 2, 3);
    in.writeBytes(packet(0));
    channel.writeInbound(in);
    assertPayload(0, 1, 2, 3);
    assertPayload(0);
  }

  private static byte byteAt(Frame frame, int index) {
    return frame.payload().getByte(frame.payload().readerIndex() + index);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        PacketWriter.MAX_PAYLOAD - 1,
        PacketWriter.MAX_PAYLOAD,
        PacketWriter.MAX_PAYLOAD + 1,
        2 * PacketWriter.MAX_PAYLOAD
      })
  void longPayloadsAreSplitAndJoined(int length) {
    byte[] payload = new byte[length];
    payload[0] = 1;
    payload[length - 1] = 2;
    ByteBuf wire = Unpooled.buffer();
    int next = PacketWriter.write(wire, 255, payload);
    int packets = length / PacketWriter.MAX_PAYLOAD + 1;
    assertThat(wire.readableBytes()).isEqualTo(length + packets * PacketWriter.HEADER_SIZE);
    assertThat(next).isEqualTo((255 + packets) & 0xFF);

    decoder.expectSequence(255);
    while (wire.isReadable()) {
      channel.writeInbound(wire.readRetainedSlice(Math.min(wire.readableBytes(), 1_000_003)));
    }
    wire.release();
    Frame frame = channel.readInbound();
    assertThat(frame.nextSequence()).isEqualTo(next);
    assertThat(frame.payload().readableBytes()).isEqualTo(length);
    assertThat(byteAt(frame, 0)).isEqualTo((byte) 1);
    assertThat(byteAt(frame, length - 1)).isEqualTo((byte) 2);
    frame.release();
  }

  @Test
  void payloadsWrittenInPlaceAreSplitToo() {
    ByteBuf wire = Unpooled.buffer();
    int start = PacketWriter.begin(wire);
    wire.writeZero(PacketWriter.MAX_PAYLOAD).writeByte(9);
    assertThat(PacketWriter.end(wire, start, 0)).isEqualTo(2);
    channel.writeInbound(wire);
    Frame frame = channel.readInbound();
    assertThat(frame.payload().readableBytes()).isEqualTo(PacketWriter.MAX_PAYLOAD + 1);
    assertThat(byteAt(frame, PacketWriter.MAX_PAYLOAD)).isEqualTo((byte) 9);
    frame.release();
  }

  @Test
  void wrongSequenceNumberIsAViolation() {
    assertViolation(packet(1, 5), ProtocolViolationException.OUT_OF_ORDER);
  }

  @Test
  void whatFollowsAViolationIsDropped() {
    assertViolation(packet(1, 5), ProtocolViolationException.OUT_OF_ORDER);
    channel.writeInbound(packet(0, 1));
    assertThat(channel.<Object>readInbound()).isNull();
  }

  @Test
  void handshakeNumbersGoOn() {
    decoder.expectSequence(1);
    channel.writeInbound(packet(1, 7));
    assertPayload(1, 7);
    decoder.expectSequence(3);
    channel.writeInbound(packet(3, 8));
    assertPayload(3, 8);
  }

  @Test
  void tooLongPayloadsAreRefusedBeforeTheyAreRead() {
    var small = new EmbeddedChannel(new FrameDecoder(10));
    ByteBuf header = Unpooled.buffer().writeMediumLE(11).writeByte(0);
    assertThatThrownBy(() -> small.writeInbound(header))
        .isInstanceOf(DecoderException.class)
        .hasRootCauseInstanceOf(ProtocolViolationException.class)
        .rootCause()
        .extracting("errno")
        .isEqualTo(ProtocolViolationException.TOO_LARGE);
    small.finishAndReleaseAll();
  }

  @Test
  void joinedPayloadsCountTogether() {
    ByteBuf wire = Unpooled.buffer();
    for (int i = 0; i < 4; i++) {
      wire.writeMediumLE(PacketWriter.MAX_PAYLOAD).writeByte(i);
      wire.writeZero(PacketWriter.MAX_PAYLOAD);
    }
    assertViolation(wire, ProtocolViolationException.TOO_LARGE);
  }

  /** Room for so many bytes. */
  private static final class Narrow implements FrameRoom {
    private final long limit;
    long taken;

    Narrow(long limit) {
      this.limit = limit;
    }

    @Override
    public @Nullable RuntimeException take(long bytes) {
      if (taken + bytes > limit) {
        return new IllegalStateException("full");
      }
      taken += bytes;
      return null;
    }

    @Override
    public void give(long bytes) {
      taken -= bytes;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000, 60_000, 1 << 20})
  void aPayloadWithoutRoomIsPassedOverAndTheNextOneIsRead(int read) {
    for (int length :
        new int[] {
          100_000,
          PacketWriter.MAX_PAYLOAD - 1,
          PacketWriter.MAX_PAYLOAD,
          PacketWriter.MAX_PAYLOAD + 5,
          2 * PacketWriter.MAX_PAYLOAD
        }) {
      if (length / read > 20_000) {
        continue;
      }
      var room = new Narrow(80_000);
      decoder.room(room, 1024);
      byte[] payload = new byte[length];
      payload[0] = 0x18;
      payload[1] = 42;
      ByteBuf wire = Unpooled.buffer();
      PacketWriter.write(wire, 0, payload);
      wire.writeBytes(packet(0, 1, 2));
      while (wire.isReadable()) {
        channel.writeInbound(wire.readRetainedSlice(Math.min(wire.readableBytes(), read)));
      }
      wire.release();
      Frame frame = channel.readInbound();
      if (frame.refusal() == null) {
        // so little of it had to be kept that there was room
        assertThat(read).isGreaterThan(length / 2);
        assertThat(frame.payload().readableBytes()).isEqualTo(length);
      } else {
        assertThat(frame.refusal()).hasMessage("full");
        assertThat(frame.payload().readableBytes()).isEqualTo(Frame.HEAD_BYTES);
        assertThat(byteAt(frame, 0)).isEqualTo((byte) 0x18);
        assertThat(byteAt(frame, 1)).isEqualTo((byte) 42);
        assertThat(frame.sequence()).isEqualTo(length / PacketWriter.MAX_PAYLOAD);
      }
      frame.release();
      assertPayload(0, 1, 2);
      assertThat(room.taken).isZero();
    }
  }

  @Test
  void whatIsPassedOverIsLimitedToo() {
    decoder.room(new Narrow(10), 0);
    for (int i = 0; i < 3; i++) {
      ByteBuf part = Unpooled.buffer().writeMediumLE(PacketWriter.MAX_PAYLOAD).writeByte(i);
      channel.writeInbound(part.writeZero(PacketWriter.MAX_PAYLOAD));
    }
    assertViolation(
        Unpooled.buffer().writeMediumLE(1).writeByte(3), ProtocolViolationException.TOO_LARGE);
  }

  @Test
  void nothingIsPassedOnWhileItIsPausedAndAllOfItAfterwards() {
    decoder.pause(channel);
    ByteBuf in = packet(0, 1);
    in.writeBytes(packet(0, 2)).writeBytes(packet(0, 3), 0, 4);
    channel.writeInbound(in);
    assertThat(channel.<Object>readInbound()).isNull();
    assertThat(channel.config().isAutoRead()).isFalse();
    var resumed = new AtomicBoolean();
    decoder.whenResumed(() -> resumed.set(true));
    decoder.resume(channel);
    channel.runPendingTasks();
    assertPayload(0, 1);
    assertPayload(0, 2);
    assertThat(resumed).isTrue();
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void othersHaveTheirTurnBetweenManyShortPayloads() {
    ByteBuf in = Unpooled.buffer();
    for (int i = 0; i < 1000; i++) {
      in.writeBytes(packet(0, 1));
    }
    var turns = new AtomicInteger();
    decoder.whenResumed(turns::incrementAndGet);
    channel.writeInbound(in);
    for (int i = 0; i < 5; i++) {
      channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
      channel.runPendingTasks();
    }
    for (int i = 0; i < 1000; i++) {
      assertPayload(0, 1);
    }
    assertThat(channel.<Object>readInbound()).isNull();
    assertThat(turns).hasValue(3);
  }

  @Test
  void bytesAfterSslRequestAreHandedOver() {
    ByteBuf in = packet(0, 1);
    in.writeBytes(new byte[] {0x16, 3});
    channel.writeInbound(in);
    assertPayload(0, 1);
    ByteBuf tls = decoder.takeUndecoded();
    assertThat(tls.readableBytes()).isEqualTo(2);
    tls.release();
    channel.writeInbound(packet(0, 4));
    assertPayload(0, 4);
  }

  private void assertViolation(ByteBuf in, int errno) {
    assertThatThrownBy(() -> channel.writeInbound(in))
        .isInstanceOf(DecoderException.class)
        .rootCause()
        .isInstanceOf(ProtocolViolationException.class)
        .extracting("errno")
        .isEqualTo(errno);
  }

  private void assertPayload(int sequence, int... expected) {
    Frame frame = channel.readInbound();
    assertThat(frame.sequence()).isEqualTo(sequence);
    assertThat(frame.payload().readableBytes()).isEqualTo(expected.length);
    for (int value : expected) {
      assertThat(frame.payload().readByte()).isEqualTo((byte) value);
    }
    frame.release();
  }

  private static ByteBuf packet(int sequence, int... payload) {
    ByteBuf packet = Unpooled.buffer().writeMediumLE(payload.length).writeByte(sequence);
    for (int value : payload) {
      packet.writeByte(value);
    }
    return packet;
  }
}
