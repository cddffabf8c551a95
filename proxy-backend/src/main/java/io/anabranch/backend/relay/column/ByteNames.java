package io.anabranch.backend.relay.column;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds names by their UTF-8 bytes where they stand in a packet. Immutable. */
final class ByteNames {

  private static final class Entry {
    final byte[] name;
    final byte[] value;

    Entry(String name, String value) {
      this.name = name.getBytes(StandardCharsets.UTF_8);
      this.value = value.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Open addressing; a power of two, at most half full. */
  private final @Nullable Entry[] entries;

  ByteNames(Map<String, String> of) {
    entries = new @Nullable Entry[Integer.highestOneBit(Math.max(1, of.size())) * 4];
    of.forEach((name, value) -> put(new Entry(name, value)));
  }

  private void put(Entry entry) {
    int slot = 0;
    for (byte each : entry.name) {
      slot = 31 * slot + each;
    }
    slot &= entries.length - 1;
    while (entries[slot] != null) {
      slot = (slot + 1) & (entries.length - 1);
    }
    entries[slot] = entry;
  }

  /** What stands for the name at {@code from}, null when there is no such name. */
  byte @Nullable [] get(byte[] in, int from, int length) {
    int slot = 0;
    for (int i = 0; i < length; i++) {
      slot = 31 * slot + in[from + i];
    }
    slot &= entries.length - 1;
    Entry entry = entries[slot];
    while (entry != null) {
      if (Arrays.equals(entry.name, 0, entry.name.length, in, from, from + length)) {
        return entry.value;
      }
      slot = (slot + 1) & (entries.length - 1);
      entry = entries[slot];
    }
    return null;
  }
}
