package io.anabranch.frontend.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that say nothing, and clients that read nothing; the time is the channel's own. */
class ClientWatchesTest {

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final AtomicInteger fired = new AtomicInteger();

  @BeforeEach
  void stopTheClock() {
    channel.freezeTime();
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(8, 16));
  }

  private void pass(long seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void silenceIsMeasuredFromTheLastCommand() {
    var idle = new AtomicLong();
    var watch = new IdleWatch(channel.eventLoop(), idle::get, fired::incrementAndGet);
    watch.limit(TimeUnit.SECONDS.toNanos(10));
    idle.set(TimeUnit.SECONDS.toNanos(4));
    pass(10);
    assertThat(fired).hasValue(0);
    idle.set(-1);
    pass(6);
    assertThat(fired).hasValue(0);
    idle.set(TimeUnit.SECONDS.toNanos(10));
    pass(9);
    assertThat(fired).hasValue(0);
    pass(1);
    assertThat(fired).hasValue(1);
  }

  @Test
  void aShorterLimitCountsAtOnce() {
    var watch =
        new IdleWatch(
            channel.eventLoop(), () -> TimeUnit.SECONDS.toNanos(5), fired::incrementAndGet);
    watch.limit(TimeUnit.SECONDS.toNanos(100));
    assertThat(fired).hasValue(0);
    watch.limit(TimeUnit.SECONDS.toNanos(5));
    assertThat(fired).hasValue(1);
    watch.limit(0);
    pass(1000);
    assertThat(fired).hasValue(1);
  }

  @Test
  void whoTakesNothingStalls() {
    var watch = new StallWatch(channel, TimeUnit.SECONDS.toNanos(60), fired::incrementAndGet);
    channel.write(Unpooled.wrappedBuffer(new byte[32]));
    watch.writabilityChanged();
    pass(59);
    assertThat(fired).hasValue(0);
    pass(1);
    assertThat(fired).hasValue(1);
  }

  @Test
  void whoTakesSomethingDoesNot() {
    var watch = new StallWatch(channel, TimeUnit.SECONDS.toNanos(60), fired::incrementAndGet);
    channel.write(Unpooled.wrappedBuffer(new byte[32]));
    watch.writabilityChanged();
    pass(30);
    channel.flush();
    watch.writabilityChanged();
    channel.write(Unpooled.wrappedBuffer(new byte[64]));
    watch.writabilityChanged();
    pass(30);
    assertThat(fired).hasValue(0);
    pass(60);
    assertThat(fired).hasValue(1);
    channel.releaseOutbound();
  }

  @Test
  void withoutLimitNobodyStalls() {
    var watch = new StallWatch(channel, 0, fired::incrementAndGet);
    channel.write(Unpooled.wrappedBuffer(new byte[32]));
    watch.writabilityChanged();
    pass(100_000);
    assertThat(fired).hasValue(0);
  }
}
