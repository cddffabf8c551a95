package io.anabranch.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import org.jspecify.annotations.Nullable;

/** A whole payload, joined if it came in several packets. Whoever gets it releases it. */
public final class Frame extends DefaultByteBufHolder {

  /** What is kept of a refused payload: a command's code, its statement and its parameter. */
  public static final int HEAD_BYTES = 7;

  private final int sequence;
  private final @Nullable RuntimeException refusal;

  public Frame(int sequence, ByteBuf payload) {
    this(sequence, payload, null);
  }

  private Frame(int sequence, ByteBuf payload, @Nullable RuntimeException refusal) {
    super(payload);
    this.sequence = sequence;
    this.refusal = refusal;
  }

  /**
   * A payload that was not kept.
   *
   * @param head its first bytes: what command it is, and of which statement
   * @param refusal why
   */
  public static Frame refused(int sequence, ByteBuf head, RuntimeException refusal) {
    return new Frame(sequence, head, refusal);
  }

  /** Why the payload was not kept, of which there are only the first bytes; null: it is whole. */
  public @Nullable RuntimeException refusal() {
    return refusal;
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
    return new Frame(sequence, content, refusal);
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
