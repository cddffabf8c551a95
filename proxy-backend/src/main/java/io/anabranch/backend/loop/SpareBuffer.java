package io.anabranch.backend.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that is used again as soon as everybody has released it. Most of what the relay reads
 * and writes is done with within one event, so that the same memory, which the processor has in its
 * cache, serves one packet after the other; a pool would hand out what was released longest ago.
 *
 * <p>Used on one event loop; those who get the buffer may release it on any thread.
 */
final class SpareBuffer {

  /** Bytes: most queries and answers are shorter. */
  static final int CAPACITY = 32 * 1024;

  private @Nullable ByteBuf spare;

  /**
   * An empty buffer that the caller owns, like any other of {@code allocator}.
   *
   * @param expected bytes
   */
  ByteBuf take(ByteBufAllocator allocator, int expected) {
    if (expected > CAPACITY) {
      return allocator.ioBuffer(expected);
    }
    ByteBuf mine = spare;
    if (mine == null || mine.refCnt() != 1 || mine.capacity() > CAPACITY) {
      // Somebody still has it, maybe for long, or needed more than is to be kept.
      release();
      mine = allocator.ioBuffer(CAPACITY);
      spare = mine;
    }
    return mine.clear().retain();
  }

  /** Gives the memory back. */
  void release() {
    ByteBuf mine = spare;
    spare = null;
    if (mine != null) {
      mine.release();
    }
  }
}
