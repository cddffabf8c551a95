package io.anabranch.backend.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpareBufferTest {

  private final ByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
  private final SpareBuffer spare = new SpareBuffer();

  @AfterEach
  void giveBack() {
    spare.release();
  }

  @Test
  void servesAgainOnceReleased() {
    ByteBuf first = spare.take(pool, 100);
    first.writeInt(1).readShort();
    first.release();
    ByteBuf second = spare.take(pool, 100);
    assertThat(second).isSameAs(first);
    assertThat(second.readerIndex()).isZero();
    assertThat(second.isReadable()).isFalse();
    second.release();
  }

  @Test
  void whoeverStillHasItKeepsItAlone() {
    ByteBuf kept = spare.take(pool, 100).writeInt(7);
    ByteBuf next = spare.take(pool, 100).writeInt(8);
    ByteBuf last = spare.take(pool, 100).writeInt(9);
    assertThat(kept.readInt()).isEqualTo(7);
    assertThat(next.readInt()).isEqualTo(8);
    assertThat(last.readInt()).isEqualTo(9);
    assertThat(kept.release()).isTrue();
    assertThat(next.release()).isTrue();
    assertThat(last.release()).isFalse();
  }

  @Test
  void slicesCountAsHolders() {
    ByteBuf whole = spare.take(pool, 100).writeInt(7);
    ByteBuf slice = whole.readRetainedSlice(4);
    whole.release();
    ByteBuf next = spare.take(pool, 100).writeInt(8);
    assertThat(slice.readInt()).isEqualTo(7);
    slice.release();
    next.release();
  }

  @Test
  void whatIsLargeIsNotKept() {
    ByteBuf large = spare.take(pool, SpareBuffer.CAPACITY + 1);
    assertThat(large.release()).isTrue();
    ByteBuf grown = spare.take(pool, 100);
    grown.writeZero(2 * SpareBuffer.CAPACITY);
    grown.release();
    ByteBuf next = spare.take(pool, 100);
    assertThat(next.capacity()).isEqualTo(SpareBuffer.CAPACITY);
    next.release();
  }

  @Test
  void otherLoopsHaveThePool() {
    var channel = new EmbeddedChannel();
    ByteBuf first = RelayLoop.leaving(channel, 100);
    assertThat(first.release()).isTrue();
    channel.finishAndReleaseAll();
  }
}
