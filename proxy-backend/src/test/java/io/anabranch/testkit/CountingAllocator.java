package io.anabranch.testkit;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Counts what is asked of it, and what is not given back. */
public final class CountingAllocator extends AbstractByteBufAllocator {

  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false, true);
  private long asked;

  /** Bytes of all buffers that were ever asked for, before they grew. */
  public long asked() {
    return asked;
  }

  /** Bytes of buffers that are not released. */
  public long held() {
    return buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory();
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    asked += initialCapacity;
    return buffers.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    asked += initialCapacity;
    return buffers.directBuffer(initialCapacity, maxCapacity);
  }
}
