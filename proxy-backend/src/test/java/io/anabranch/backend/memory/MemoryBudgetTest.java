package io.anabranch.backend.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.MemoryLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

  private static final long WHOLE = 1_000_000;

  private final MemoryBudget budget = new MemoryBudget(new MemoryLimits(WHOLE, WHOLE, 80, 50));

  @Test
  void oneSessionHasItsShare() {
    SessionMemory session = budget.session("a");
    MemoryCharge charge = session.charge(MemoryKind.HEAP, "texts");
    charge.grow(500_000);
    assertThatThrownBy(() -> charge.grow(1))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "AB2009: no memory for texts: one session may keep 500000 bytes of heap in the proxy;"
                + " raise proxy-memory-session-percent");
    assertThat(session.used(MemoryKind.HEAP)).isEqualTo(500_000);
    charge.shrink(1);
    charge.grow(1);
    charge.close();
    session.close();
    assertThat(budget.taken(MemoryKind.HEAP)).isZero();
    assertThat(budget.forgottenBytes()).isZero();
  }

  @Test
  void usersAndAllTogetherHaveTheirs() {
    budget.session("a").charge(MemoryKind.DIRECT, "x").grow(450_000);
    MemoryCharge second = budget.session("a").charge(MemoryKind.DIRECT, "x");
    assertThatThrownBy(() -> second.grow(400_000)).hasMessageContaining("the sessions of user a");
    assertThat(budget.takePressed()).isFalse();
    second.grow(340_000);
    MemoryCharge other = budget.session("b").charge(MemoryKind.DIRECT, "x");
    assertThatThrownBy(() -> other.grow(300_000)).hasMessageContaining("all clients together");
    assertThat(budget.takePressed()).isTrue();
    assertThat(budget.takePressed()).isFalse();
    other.grow(200_000);
    assertThat(budget.taken(MemoryKind.HEAP)).isZero();
  }

  @Test
  void guestsHaveLittle() {
    var guests = new ArrayList<SessionMemory>();
    RefusedException refusal = null;
    while (refusal == null) {
      SessionMemory guest = budget.guest();
      guests.add(guest);
      refusal = guest.take(MemoryKind.DIRECT, 16_384, "packets");
    }
    assertThat(refusal).hasMessageContaining("have not logged in");
    assertThat(guests).hasSize(8);
    guests.forEach(SessionMemory::close);
    assertThat(budget.taken(MemoryKind.DIRECT)).isZero();
  }

  @Test
  void whatWasForgottenIsGivenBackAndCounted() {
    SessionMemory session = budget.session("a");
    MemoryCharge charge = session.charge(MemoryKind.HEAP, "x");
    charge.grow(10_000);
    session.close();
    assertThat(budget.forgottenBytes()).isEqualTo(10_000);
    assertThat(budget.taken(MemoryKind.HEAP)).isZero();
    charge.close();
    assertThat(charge.tryGrow(1)).isFalse();
    assertThat(budget.taken(MemoryKind.HEAP)).isZero();
  }

  @Test
  void aSessionThatBecomesAnotherUsersTakesWhatItHasAlong() {
    SessionMemory session = budget.session("a");
    MemoryCharge charge = session.charge(MemoryKind.HEAP, "x");
    charge.grow(300_000);
    session.become("b");
    budget.session("a").charge(MemoryKind.HEAP, "x").grow(500_000);
    charge.close();
    session.close();
    assertThat(budget.taken(MemoryKind.HEAP)).isBetween(500_000L, 600_000L);
  }

  /** Whatever is taken and given back in whatever order, nothing stays and no limit is passed. */
  @Test
  void nothingStays() {
    var random = new Random(20_261_122);
    for (int round = 0; round < 200; round++) {
      var sessions = new ArrayList<SessionMemory>();
      var charges = new ArrayList<MemoryCharge>();
      for (int i = 0; i < 6; i++) {
        SessionMemory session = budget.session(List.of("a", "b", "c").get(random.nextInt(3)));
        sessions.add(session);
        charges.add(session.charge(MemoryKind.HEAP, "x"));
        charges.add(session.charge(MemoryKind.HEAP, "y"));
      }
      for (int step = 0; step < 200; step++) {
        MemoryCharge charge = charges.get(random.nextInt(charges.size()));
        switch (random.nextInt(4)) {
          case 0 -> charge.tryGrow(random.nextInt(200));
          case 1 -> charge.tryGrow(random.nextInt(200_000));
          case 2 -> charge.shrink((long) (charge.bytes() * random.nextDouble()));
          default -> charge.close();
        }
        assertThat(budget.taken(MemoryKind.HEAP)).isBetween(0L, WHOLE);
      }
      long held = charges.stream().mapToLong(MemoryCharge::bytes).sum();
      assertThat(sessions.stream().mapToLong(each -> each.used(MemoryKind.HEAP)).sum())
          .isEqualTo(held);
      charges.forEach(MemoryCharge::close);
      sessions.forEach(SessionMemory::close);
      assertThat(budget.taken(MemoryKind.HEAP)).isZero();
    }
    assertThat(budget.forgottenBytes()).isZero();
  }

  @Test
  void whatIsSpareIsWhatClientsLeave() {
    SpareMemory spare = budget.spare();
    assertThat(spare.take(750_001)).isFalse();
    assertThat(spare.take(750_000)).isTrue();
    assertThat(spare.take(1)).isFalse();
    spare.give(600_000);
    MemoryCharge client = budget.session("a").charge(MemoryKind.HEAP, "x");
    client.grow(500_000);
    assertThat(spare.take(200_000)).isFalse();
    assertThat(spare.take(90_000)).isTrue();
    spare.give(240_000);
    client.close();
    assertThat(budget.taken(MemoryKind.HEAP)).isLessThanOrEqualTo(4096);
    assertThat(budget.takePressed()).isFalse();
    assertThat(budget.refusals()).isZero();
  }
}
