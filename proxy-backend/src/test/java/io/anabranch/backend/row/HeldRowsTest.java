package io.anabranch.backend.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.MemoryLimits;
import org.junit.jupiter.api.Test;

class HeldRowsTest {

  private static final int LONG = 1 << 20;

  private final SessionMemory session =
      new MemoryBudget(new MemoryLimits(4 * LONG, LONG, 100, 100)).session("test");
  private final HeldRows held = new HeldRows(StatementMemory.of(session));

  @Test
  void aRowThatManyHoldIsCountedOnce() {
    byte[] row = new byte[LONG];
    for (int i = 0; i < 10; i++) {
      held.swap(null, row);
    }
    assertThat(session.used(MemoryKind.HEAP)).isEqualTo(LONG);
    for (int i = 0; i < 9; i++) {
      held.swap(row, new byte[1]);
    }
    assertThat(session.used(MemoryKind.HEAP)).isEqualTo(LONG);
    held.swap(row, new byte[1]);
    assertThat(session.used(MemoryKind.HEAP)).isLessThan(LONG / 2);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    for (int i = 0; i < 3; i++) {
      held.swap(null, new byte[LONG]);
    }
    assertThatThrownBy(() -> held.swap(null, new byte[2 * LONG]))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2009");
  }
}
