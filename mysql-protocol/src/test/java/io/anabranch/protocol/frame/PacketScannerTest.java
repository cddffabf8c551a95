package io.anabranch.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketScannerTest {

  @Test
  void hugePacketsPassInPartsWhileSmallOnesMayBeAwaited() {
    ByteBuf wire = Unpooled.buffer();
    PacketWriter.write(wire, 1, new byte[] {42, 1});
    byte[] huge = new byte[2 * PacketWriter.MAX_PAYLOAD];
    huge[0] = 7;
    PacketWriter.write(wire, 2, huge);
    PacketWriter.write(wire, 5, new byte[] {43});
    var random = new Random(20261121);
    var scanner = new PacketScanner();
    ByteBuf in = Unpooled.buffer();
    var starts = new StringBuilder();
    int forwarded = 0;
    int total = wire.readableBytes();
    while (wire.isReadable()) {
      in.writeBytes(wire, Math.min(wire.readableBytes(), 1 + random.nextInt(200_000)));
      while (scanner.peek(in)) {
        if (scanner.isStart()) {
          starts.append(scanner.sequence()).append(':').append(scanner.length()).append(':');
          starts.append(scanner.isContinuation() ? "+" : scanner.firstByte()).append(' ');
        }
        forwarded += scanner.advance(in);
      }
      in.discardReadBytes();
    }
    assertThat(starts).hasToString("1:2:42 2:16777215:7 3:16777215:+ 4:0:+ 5:1:43 ");
    assertThat(forwarded).isEqualTo(total);
    assertThat(scanner.isAtMessageBoundary()).isTrue();
  }

  @Test
  void anEmptyPacketIsOneToo() {
    var scanner = new PacketScanner();
    ByteBuf in = Unpooled.buffer().writeMediumLE(0).writeByte(3);
    assertThat(scanner.peek(in)).isTrue();
    assertThat(scanner.firstByte()).isEqualTo(-1);
    assertThat(scanner.isWhole(in)).isTrue();
    assertThat(scanner.advance(in)).isEqualTo(4);
    assertThat(scanner.peek(in)).isFalse();
  }

  @Test
  void waitsForTheFirstByte() {
    var scanner = new PacketScanner();
    ByteBuf in = Unpooled.buffer().writeMediumLE(1).writeByte(0);
    assertThat(scanner.peek(in)).isFalse();
    in.writeByte(9);
    assertThat(scanner.peek(in)).isTrue();
    assertThat(scanner.firstByte()).isEqualTo(9);
  }

  @Test
  void aPacketCutAnywhereIsNotAtABoundary() {
    var scanner = new PacketScanner();
    ByteBuf in = Unpooled.buffer().writeMediumLE(3).writeByte(0).writeByte(9);
    assertThat(scanner.peek(in)).isTrue();
    assertThat(scanner.isWhole(in)).isFalse();
    assertThat(scanner.advance(in)).isEqualTo(5);
    assertThat(scanner.isAtMessageBoundary()).isFalse();
    in.writeShort(0);
    assertThat(scanner.peek(in)).isTrue();
    assertThat(scanner.isStart()).isFalse();
    assertThat(scanner.advance(in)).isEqualTo(2);
    assertThat(scanner.isAtMessageBoundary()).isTrue();
  }
}
