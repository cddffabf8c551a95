package io.anabranch.backend.relay;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds names by their UTF-8 bytes where they stand in a packet. Immutable. */
final class ByteNames {

  private final byte @Nullable [][] names;
  private final byte @Nullable [][] values;

  ByteNames(Map<String, String> of) {
    int slots = Integer.highestOneBit(Math.max(1, of.size()) * 4);
    names = new byte @Nullable [slots][];
    values = new byte @Nullable [slots][];
    of.forEach((name, value) -> put(bytes(name), bytes(value)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void put(byte[] name, byte[] value) {
    int slot = 0;
    for (byte each : name) {
      slot = 31 * slot + each;
    }
    slot &= names.length - 1;
    while (names[slot] != null) {
      slot = (slot + 1) & (names.length - 1);
    }
    names[slot] = name;
    values[slot] = value;
  }

  /** What stands for the name at {@code from}, null when there is no such name. */
  byte @Nullable [] get(ByteBuf in, int from, int length) {
    int slot = 0;
    for (int i = 0; i < length; i++) {
      slot = 31 * slot + in.getByte(from + i);
    }
    slot &= names.length - 1;
    byte[] name = names[slot];
    while (name != null) {
      if (equal(name, in, from, length)) {
        return values[slot];
      }
      slot = (slot + 1) & (names.length - 1);
      name = names[slot];
    }
    return null;
  }

  private static boolean equal(byte[] name, ByteBuf in, int from, int length) {
    if (name.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name[i] != in.getByte(from + i)) {
        return false;
      }
    }
    return true;
  }
}
