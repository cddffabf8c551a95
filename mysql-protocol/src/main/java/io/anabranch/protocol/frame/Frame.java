package io.anabranch.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;

/** A whole payload, joined if it came in several packets. Whoever gets it releases it. */
public final class Frame extends DefaultByteBufHolder {

  private final int sequence;

  public Frame(int sequence, ByteBuf payload) {
    super(payload);
    this.sequence = sequence;
  }

  /** Sequence number of the last packet; the answer starts with {@link #nextSequence()}. */
  public int sequence() {
    return sequence;
  }

  public int nextSequence() {
    return (sequence + 1) & 0xFF;
  }

  public ByteBuf payload() {
    return content();
  }

  @Override
  public Frame replace(ByteBuf content) {
    return new Frame(sequence, content);
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other) && sequence == ((Frame) other).sequence;
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + sequence;
  }
}
