package io.anabranch.backend.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** A group of {@link RelayLoop}s. */
public final class RelayLoops extends MultiThreadIoEventLoopGroup {

  /**
   * @param threads one loop each
   */
  public RelayLoops(int threads, ThreadFactory factory, IoHandlerFactory io) {
    super(threads, factory, io);
  }

  @Override
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... args) {
    return new RelayLoop(this, executor, io);
  }
}
