package io.anabranch.backend.row;

import io.anabranch.backend.memory.StatementMemory;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Long rows that an operator keeps while others pass: each is counted once, however many of its
 * cells hold on to it. Used by one thread at a time; the statement's end gives everything back.
 */
public final class HeldRows {

  /** Of a reader: start, offset and length. */
  private static final int BYTES_PER_CELL = 3 * Integer.BYTES;

  private final StatementMemory memory;
  private final IdentityHashMap<byte[], Integer> holders = new IdentityHashMap<>();

  public HeldRows(StatementMemory memory) {
    this.memory = memory;
  }

  /**
   * There are so many places for rows, of which each remembers where its cells are.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public void places(int rows, int columns) {
    long bytes = (long) BYTES_PER_CELL * rows * columns;
    if (bytes > StatementMemory.LONG_ROW) {
      memory.hold(bytes);
    }
  }

  /**
   * Somebody keeps another row from now on.
   *
   * @param former what it kept before; null: nothing
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  void swap(byte @Nullable [] former, byte[] now) {
    if (now.length > StatementMemory.LONG_ROW) {
      if (!holders.containsKey(now)) {
        memory.hold(now.length);
      }
      holders.merge(now, 1, Integer::sum);
    }
    if (former != null && former.length > StatementMemory.LONG_ROW) {
      boolean isLast = holders.computeIfPresent(former, (_, n) -> n > 1 ? n - 1 : null) == null;
      memory.letGo(isLast ? former.length : 0);
    }
  }
}
