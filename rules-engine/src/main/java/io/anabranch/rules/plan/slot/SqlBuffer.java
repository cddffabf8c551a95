package io.anabranch.rules.plan.slot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes that SQL is rendered into. Not thread-safe; reusable by reset. */
public final class SqlBuffer {

  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes;
  private int length;

  public SqlBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  public SqlBuffer append(byte[] source) {
    return append(source, 0, source.length);
  }

  public SqlBuffer append(byte[] source, int from, int count) {
    ensureRoom(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
    return this;
  }

  public SqlBuffer append(byte value) {
    ensureRoom(1);
    bytes[length++] = value;
    return this;
  }

  /** Two digits for each byte. */
  public SqlBuffer appendHex(byte[] source) {
    ensureRoom(Math.multiplyExact(source.length, 2));
    for (byte each : source) {
      bytes[length++] = DIGITS[each >> 4 & 0xF];
      bytes[length++] = DIGITS[each & 0xF];
    }
    return this;
  }

  public int length() {
    return length;
  }

  /** The backing array; only the first {@link #length()} bytes count. */
  public byte[] array() {
    return bytes;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** The bytes without a copy where the capacity was exact; the buffer is not used afterwards. */
  public byte[] take() {
    return length == bytes.length ? bytes : toByteArray();
  }

  public void reset() {
    length = 0;
  }

  private void ensureRoom(int count) {
    int needed = Math.addExact(length, count);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, Math.max(16, bytes.length * 2)));
    }
  }
}
