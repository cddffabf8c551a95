package io.anabranch.frontend.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.model.MemoryLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedRowsTest {

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ClientSink sink = new ClientSink(channel, status -> status, () -> 0);

  private final SessionMemory memory =
      new MemoryBudget(new MemoryLimits(1 << 20, 1 << 20, 100, 100)).session("test");

  @Test
  void aResultIsColumnsRowsAndTheirEnd() {
    sink.capabilities(Capability.PROTOCOL_41 | Capability.TRANSACTIONS);
    sink.sequence(1);
    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);

    rows.columns(List.of(LocalColumns.number("n")));
    rows.row(new byte[] {1, '7'});
    rows.end(2, 3);
    rows.close();

    ByteBuf out = channel.readOutbound();
    assertThat(packet(out, 1)).containsExactly(1);
    assertThat(new String(packet(out, 2), StandardCharsets.UTF_8)).startsWith("\u0003def");
    assertThat(packet(out, 3)).containsExactly(0xFE, 0, 0, 2, 0);
    assertThat(packet(out, 4)).containsExactly(1, '7');
    assertThat(packet(out, 5)).containsExactly(0xFE, 3, 0, 2, 0);
    assertThat(out.isReadable()).isFalse();
    out.release();
    assertThat(rows.sequence()).isEqualTo(6);
  }

  @Test
  void withoutEofPacketsTheEndIsAnOkPacket() {
    sink.capabilities(Capability.PROTOCOL_41 | Capability.TRANSACTIONS | Capability.DEPRECATE_EOF);
    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);

    rows.columns(List.of(LocalColumns.number("n")));
    rows.end(2, 0);
    rows.close();

    ByteBuf out = channel.readOutbound();
    packet(out, 0);
    packet(out, 1);
    assertThat(packet(out, 2)).containsExactly(0xFE, 0, 0, 2, 0, 0, 0);
    out.release();
  }

  @Test
  void aLargeResultGoesInSeveralBuffers() {
    sink.capabilities(Capability.PROTOCOL_41);
    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);
    byte[] row = new byte[10_000];

    rows.columns(List.of(LocalColumns.text("t", 10)));
    for (int i = 0; i < 20; i++) {
      rows.row(row);
    }
    rows.end(2, 0);
    rows.close();

    int buffers = 0;
    long bytes = 0;
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      buffers++;
      bytes += out.readableBytes();
      out.release();
    }
    assertThat(buffers).isEqualTo(3);
    assertThat(bytes).isGreaterThan(200_000);
  }

  /** There is room for one of them at a time. */
  @Test
  void longRowsWaitForThoseBeforeThem() {
    sink.capabilities(Capability.PROTOCOL_41);
    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);
    for (int i = 0; i < 5; i++) {
      rows.row(new byte[700_000]);
    }
    assertThatThrownBy(() -> rows.row(new byte[2 << 20])).hasMessageContaining("AB2009");
    rows.close();
    channel.runPendingTasks();
    assertThat(memory.used(MemoryKind.DIRECT)).isZero();
    assertThat(channel.releaseOutbound()).isTrue();
  }

  /** What fails before rows are read closes nothing: there is nothing to leak. */
  @Test
  void nothingIsTakenBeforeSomethingIsWritten() {
    var allocator = new UnpooledByteBufAllocator(false);
    channel.config().setAllocator(allocator);
    sink.capabilities(Capability.PROTOCOL_41);

    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);
    assertThat(rows.takeBack()).isTrue();
    assertThat(used(allocator)).isZero();

    rows.columns(List.of(LocalColumns.number("n")));
    assertThat(used(allocator)).isPositive();
    assertThat(rows.takeBack()).isTrue();
    rows.close();
    assertThat(used(allocator)).isZero();
  }

  private static long used(UnpooledByteBufAllocator allocator) {
    return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
  }

  @Test
  void aClientThatIsGoneEndsTheStatement() {
    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);
    channel.close();

    assertThatThrownBy(() -> rows.row(new byte[70_000])).isInstanceOf(ClientGoneException.class);
    rows.close();
  }

  @Test
  void aClientThatLeavesWithTheLastPacketHasGotAll() {
    var rows = new MergedRows(sink, StandardCharsets.UTF_8, 2, memory);
    rows.row(new byte[] {1});
    channel.pipeline().addFirst(new LeavesAtTheFirstPacket());

    rows.end(2, 0);
    rows.close();

    assertThat(channel.isActive()).isFalse();
    assertThat(channel.releaseOutbound()).isTrue();
  }

  /** Closes the channel when something is sent. */
  private static final class LeavesAtTheFirstPacket extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object packet, ChannelPromise promise) {
      context.write(packet, promise);
      context.flush();
      context.close();
    }
  }

  private static byte[] packet(ByteBuf out, int sequence) {
    byte[] payload = new byte[out.readUnsignedMediumLE()];
    assertThat(out.readUnsignedByte()).isEqualTo((short) sequence);
    out.readBytes(payload);
    return payload;
  }
}
