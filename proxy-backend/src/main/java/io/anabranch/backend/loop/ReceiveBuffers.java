package io.anabranch.backend.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Has one channel read into the buffer that its event loop keeps for that, as long as its reads are
 * small; the channel may move to another loop. Large ones get buffers of the size that Netty
 * expects.
 */
public final class ReceiveBuffers implements RecvByteBufAllocator {

  private final Channel channel;

  private ReceiveBuffers(Channel channel) {
    this.channel = channel;
  }

  /** Before the channel is registered. */
  public static void install(Channel channel) {
    channel.config().setRecvByteBufAllocator(new ReceiveBuffers(channel));
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's own channels call no other
  public Handle newHandle() {
    return new Guess(channel, (ExtendedHandle) AdaptiveRecvByteBufAllocator.DEFAULT.newHandle());
  }

  /**
   * @param adaptive knows how much the channel reads at a time
   */
  private record Guess(Channel channel, ExtendedHandle adaptive) implements ExtendedHandle {

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return RelayLoop.arriving(channel, allocator, adaptive.guess());
    }

    @Override
    public int guess() {
      return adaptive.guess();
    }

    @Override
    public void reset(ChannelConfig config) {
      adaptive.reset(config);
    }

    @Override
    public void incMessagesRead(int count) {
      adaptive.incMessagesRead(count);
    }

    @Override
    public void lastBytesRead(int bytes) {
      adaptive.lastBytesRead(bytes);
    }

    @Override
    public int lastBytesRead() {
      return adaptive.lastBytesRead();
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      adaptive.attemptedBytesRead(bytes);
    }

    @Override
    public int attemptedBytesRead() {
      return adaptive.attemptedBytesRead();
    }

    @Override
    public boolean continueReading() {
      return adaptive.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return adaptive.continueReading(maybeMoreData);
    }

    @Override
    public void readComplete() {
      adaptive.readComplete();
    }
  }
}
