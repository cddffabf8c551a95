package io.anabranch.backend.merge;

import io.anabranch.backend.memory.StatementMemory;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Long rows that an operator keeps while others pass: each is counted once, however many of its
 * cells hold on to it. Used by one thread at a time; the statement's end gives everything back.
 */
final class HeldRows {

  private final StatementMemory memory;
  private final IdentityHashMap<byte[], Integer> holders = new IdentityHashMap<>();

  HeldRows(StatementMemory memory) {
    this.memory = memory;
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
