package io.anabranch.frontend.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ClientSinkTest {

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ClientSink sink = new ClientSink(channel, status -> status, () -> 0);

  @Test
  void whatComesBeforeTheAnswerIsDoneOnceAndBeforeAnyByteGoesOut() {
    var sentBefore = new ArrayList<Integer>();
    sink.beforeAnswer(() -> sentBefore.add(channel.outboundMessages().size()));
    for (int i = 0; i < 2; i++) {
      sink.write(Unpooled.wrappedBuffer(new byte[] {1}));
      sink.flush();
    }
    assertThat(sentBefore).containsExactly(0);
    assertThat(channel.outboundMessages()).hasSize(2);
    channel.releaseOutbound();
  }

  @Test
  void anAnswerThatNeverCameAnnouncesNothing() {
    sink.beforeAnswer(() -> assertThat(channel.isActive()).isFalse());
    sink.beforeAnswer(null);
    sink.write(Unpooled.wrappedBuffer(new byte[] {1}));
    sink.flush();
    assertThat(channel.outboundMessages()).hasSize(1);
    channel.releaseOutbound();
  }

  @Test
  void timesHowLongAClientHoldsAnAnswerBack() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
    var resumed = new ArrayList<String>();
    sink.whenWritable(() -> resumed.add("at once"));
    assertThat(sink.takeWaited()).isZero();

    sink.write(Unpooled.wrappedBuffer(new byte[10]));
    sink.whenWritable(() -> resumed.add("later"));
    sink.writabilityChanged();
    assertThat(resumed).containsExactly("at once");
    sink.flush();
    sink.writabilityChanged();

    assertThat(resumed).containsExactly("at once", "later");
    assertThat(sink.takeWaited()).isPositive();
    assertThat(sink.takeWaited()).isZero();
    channel.releaseOutbound();
  }
}
