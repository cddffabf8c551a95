package io.anabranch.protocol.message;

import io.anabranch.protocol.type.LengthEncoded;
import java.util.Arrays;

/**
 * Builds row payloads cell by cell. Reused from row to row; used by one thread at a time.
 *
 * <p>{@link #begin}, then one call for each column in order, then {@link #finish}.
 */
public abstract sealed class RowWriter permits TextRowWriter, BinaryRowWriter {

  private byte[] bytes = new byte[256];
  private int length;

  RowWriter() {}

  /** Starts a row, forgetting one that is not finished. */
  public abstract void begin();

  public abstract void addNull();

  /**
   * Copies an encoded cell as {@link RowReader#cellStart} and {@link RowReader#cellEnd} delimit it
   * in a row of the same protocol and type; NULL cells too.
   */
  public abstract void copy(RowReader row, int column);

  /** The row's payload. */
  public byte[] finish() {
    return Arrays.copyOf(bytes, length);
  }

  final void reset(int zeros) {
    length = 0;
    reserve(zeros);
    Arrays.fill(bytes, 0, zeros, (byte) 0);
    length = zeros;
  }

  final void append(byte[] source, int from, int count) {
    reserve(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  final void append(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  /** {@code count} bytes of {@code value}, lowest first. */
  final void appendLittleEndian(long value, int count) {
    reserve(count);
    for (int i = 0; i < count; i++) {
      bytes[length++] = (byte) (value >>> (8 * i));
    }
  }

  final void appendLength(long value) {
    reserve(9);
    length = LengthEncoded.write(bytes, length, value);
  }

  final void setBit(int index, int bit) {
    bytes[index] |= (byte) (1 << bit);
  }

  private void reserve(int count) {
    int needed = Math.addExact(length, count);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(bytes.length * 2L, 0x7FFF_FFF0)));
    }
  }
}
