package io.anabranch.frontend.response;

import io.anabranch.backend.memory.MemoryCharge;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A copy of what a client is sent, as long as it is short and there is room for it. Used by whoever
 * writes to the client: one thread at a time.
 */
public final class AnswerCopy implements AutoCloseable {

  private static final int FIRST_BYTES = 1024;

  private final MemoryCharge memory;
  private final int longest;
  private final Runnable onSlow;
  private byte[] bytes = {};
  private int length;
  private boolean isWhole = true;

  /**
   * @param memory of the session, for nothing else
   * @param longest bytes
   * @param onSlow runs when it becomes too long, and whenever the client lags behind it: others
   *     should not wait for it
   */
  public AnswerCopy(MemoryCharge memory, int longest, Runnable onSlow) {
    this.memory = memory;
    this.longest = longest;
    this.onSlow = onSlow;
  }

  /**
   * @param packets whole ones; its indices are not moved
   * @param isTaken whether the client reads as fast as they come
   */
  void add(ByteBuf packets, boolean isTaken) {
    int more = packets.readableBytes();
    if (isWhole && !fits(more)) {
      isWhole = false;
      close();
    }
    if (isWhole) {
      packets.getBytes(packets.readerIndex(), bytes, length, more);
      length += more;
    }
    if (!isWhole || !isTaken) {
      onSlow.run();
    }
  }

  private boolean fits(int more) {
    int wanted = length + more;
    if (wanted > longest) {
      return false;
    }
    if (wanted > bytes.length) {
      int size = Math.min(longest, Math.max(FIRST_BYTES, Math.max(wanted, 2 * bytes.length)));
      if (!memory.tryGrow(size - (long) bytes.length)) {
        return false;
      }
      bytes = Arrays.copyOf(bytes, size);
    }
    return true;
  }

  /** Whether it has all that was sent. */
  public boolean isWhole() {
    return isWhole && length > 0;
  }

  /** A copy of it. */
  public byte[] packets() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public void close() {
    bytes = new byte[0];
    memory.close();
  }
}
