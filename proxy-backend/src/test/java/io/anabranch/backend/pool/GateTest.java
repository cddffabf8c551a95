package io.anabranch.backend.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GateTest {

  private static final long MILLISECOND = 1_000_000;

  private final EventLoop one = new DefaultEventLoop();
  private final EventLoop two = new DefaultEventLoop();
  private final Gate gate = new Gate(1);

  /** Nothing runs on these loops: they tell the lines apart. */
  private static Waiter waiter(EventLoop loop, Lessee lessee, long sinceMilliseconds) {
    var request = new LeaseDesk.Request("ds_0", false, loop, LeaseDesk.Commits.NOBODY, lessee);
    return new Waiter(request, (_, _) -> {}, sinceMilliseconds * MILLISECOND);
  }

  private static Waiter waiter(EventLoop loop, boolean hasLeases, long sinceMilliseconds) {
    return waiter(loop, new Session("", hasLeases), sinceMilliseconds);
  }

  private Waiter inLine(EventLoop loop, String user, long sinceMilliseconds) {
    Waiter waiter = waiter(loop, new Session(user, false), sinceMilliseconds);
    assertThat(gate.enter(waiter)).isEqualTo(Gate.Entry.IN_LINE);
    return waiter;
  }

  private Waiter inLine(EventLoop loop, boolean hasLeases, long sinceMilliseconds) {
    Waiter waiter = waiter(loop, hasLeases, sinceMilliseconds);
    assertThat(gate.enter(waiter)).isEqualTo(Gate.Entry.IN_LINE);
    return waiter;
  }

  private Waiter first(EventLoop loop, long nowMilliseconds) {
    return Objects.requireNonNull(gate.first(false, loop, nowMilliseconds * MILLISECOND));
  }

  private void takeThePermit() {
    assertThat(gate.enter(waiter(one, false, 0))).isEqualTo(Gate.Entry.GRANTED);
  }

  @Test
  void aConnectionStaysOnItsLoopWhileWaitsAreAlike() {
    takeThePermit();
    Waiter oldest = inLine(two, false, 0);
    Waiter here = inLine(one, false, 10);
    Waiter behind = inLine(one, false, 11);
    assertThat(gate.waiting()).isEqualTo(3);
    assertThat(first(one, 20)).isSameAs(here);
    assertThat(first(one, 21)).isSameAs(behind);
    assertThat(first(one, 22)).isSameAs(oldest);
    assertThat(gate.waiting()).isZero();
    assertThat(gate.first(false, one, 23 * MILLISECOND)).isNull();
  }

  @Test
  void whoeverHasWaitedTwiceAsLongIsNextOnWhicheverLoop() {
    takeThePermit();
    Waiter oldest = inLine(two, false, 0);
    Waiter here = inLine(one, false, 10);
    assertThat(first(one, 18)).isSameAs(oldest);
    assertThat(first(one, 18)).isSameAs(here);
  }

  @Test
  void anEndlessLineOfOneLoopDoesNotStarveAnother() {
    takeThePermit();
    Waiter other = inLine(two, false, 0);
    for (int now = 1; now < 100; now++) {
      inLine(one, false, now);
      if (first(one, now + 5).equals(other)) {
        assertThat(now).isLessThan(20);
        return;
      }
    }
    throw new AssertionError("never served");
  }

  @Test
  void whoHasConnectionsGoesInFrontOnAnyLoop() {
    takeThePermit();
    Waiter later = inLine(one, false, 0);
    Waiter joining = inLine(two, true, 5);
    assertThat(gate.inLine()).containsExactly(joining, later);
    assertThat(first(one, 6)).isSameAs(joining);
    assertThat(gate.freed()).isSameAs(later);
  }

  @Test
  void aPermitGoesToWhoHasWaitedLongest() {
    takeThePermit();
    Waiter later = inLine(one, false, 2);
    Waiter oldest = inLine(two, false, 1);
    assertThat(gate.freed()).isSameAs(oldest);
    assertThat(gate.freed()).isSameAs(later);
    assertThat(gate.taken()).isEqualTo(1);
    assertThat(gate.freed()).isNull();
    assertThat(gate.taken()).isZero();
  }

  @Test
  void anotherFlavourAtTheHeadIsLeftForItsPermit() {
    takeThePermit();
    Waiter waiter = inLine(one, false, 0);
    assertThat(gate.first(true, one, MILLISECOND)).isNull();
    assertThat(gate.waiting()).isEqualTo(1);
    assertThat(gate.freed()).isSameAs(waiter);
  }

  @Test
  void whoLeavesIsNotServed() {
    takeThePermit();
    Waiter left = inLine(one, true, 0);
    Waiter stays = inLine(one, false, 1);
    assertThat(gate.leave(left)).isTrue();
    assertThat(gate.leave(left)).isFalse();
    assertThat(first(two, 2)).isSameAs(stays);
  }

  @Test
  void closingTellsAllWhoWaitAndLetsNobodyIn() {
    takeThePermit();
    Waiter waiter = inLine(one, false, 0);
    Waiter joining = inLine(two, true, 1);
    assertThat(gate.close()).containsExactly(joining, waiter);
    assertThat(gate.close()).isNull();
    assertThat(gate.waiting()).isZero();
    assertThat(gate.enter(waiter(one, false, 2))).isEqualTo(Gate.Entry.CLOSED);
    assertThat(gate.isDeserted()).isFalse();
    assertThat(gate.freed()).isNull();
    assertThat(gate.isDeserted()).isTrue();
  }

  @Test
  void manyAreServedInOrderWithinALoop() {
    takeThePermit();
    List<Waiter> asked = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      asked.add(inLine(one, false, i));
    }
    List<Waiter> served = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      served.add(first(one, 60));
    }
    assertThat(served).containsExactlyElementsOf(asked);
  }

  @Test
  void usersTakeTurnsHoweverManySessionsOfOneWait() {
    takeThePermit();
    List<Waiter> many = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      many.add(inLine(one, "many", i));
    }
    Waiter few = inLine(one, "few", 6);
    Waiter last = inLine(one, "few", 7);
    assertThat(first(one, 10)).isSameAs(many.get(0));
    assertThat(first(one, 11)).isSameAs(few);
    assertThat(first(one, 12)).isSameAs(many.get(1));
    assertThat(gate.freed()).isSameAs(last);
    assertThat(first(one, 13)).isSameAs(many.get(2));
    assertThat(gate.inLine()).containsExactlyElementsOf(many.subList(3, 5));
  }

  @Test
  void aTurnIsHadOnAnyLoop() {
    takeThePermit();
    Waiter first = inLine(one, "many", 0);
    inLine(one, "many", 0);
    inLine(two, "many", 1);
    Waiter other = inLine(two, "few", 100);
    assertThat(first(one, 101)).isSameAs(first);
    assertThat(first(one, 101)).as("the connection leaves its loop").isSameAs(other);
    assertThat(gate.waiting()).isEqualTo(2);
  }

  @Test
  void usersOfOneSessionEachAreServedWhereAConnectionIs() {
    takeThePermit();
    Waiter oldest = inLine(two, "a", 0);
    Waiter here = inLine(one, "b", 10);
    Waiter behind = inLine(one, "c", 11);
    assertThat(first(one, 20)).isSameAs(here);
    assertThat(first(one, 31)).isSameAs(behind);
    assertThat(first(one, 32)).isSameAs(oldest);
  }

  @Test
  void whoHasConnectionsGoesInFrontOfOtherUsers() {
    takeThePermit();
    Waiter waits = inLine(one, "a", 0);
    inLine(one, "b", 1);
    Waiter joining = waiter(one, new Session("b", true), 2);
    assertThat(gate.enter(joining)).isEqualTo(Gate.Entry.IN_LINE);
    assertThat(first(one, 3)).isSameAs(joining);
    assertThat(first(one, 4)).isSameAs(waits);
    assertThat(gate.leave(joining)).isFalse();
    assertThat(gate.waiting()).isEqualTo(1);
  }

  @Test
  void higherPrioritiesOfAUserGoFirst() {
    takeThePermit();
    Waiter low = inLine(one, Priority.LOW, 0);
    Waiter normal = inLine(one, Priority.NORMAL, 1);
    Waiter high = inLine(one, Priority.HIGH, 2);
    assertThat(gate.inLine()).containsExactly(high, normal, low);
    assertThat(first(one, 3)).isSameAs(high);
    assertThat(first(one, 3)).isSameAs(normal);
    assertThat(first(one, 3)).isSameAs(low);
  }

  @Test
  void theLastOfTheLowestCanBeDoneWithout() {
    takeThePermit();
    Waiter early = inLine(one, Priority.LOW, 0);
    Waiter late = inLine(two, Priority.LOW, 1);
    Waiter normal = inLine(one, Priority.NORMAL, 2);
    inLine(one, true, 3);
    assertThat(gate.leastOf(Priority.LOW)).isSameAs(late);
    gate.leave(late);
    assertThat(gate.leastOf(Priority.HIGH)).isSameAs(early);
    gate.leave(early);
    assertThat(gate.leastOf(Priority.LOW)).isNull();
    assertThat(gate.leastOf(Priority.HIGH)).isSameAs(normal);
    gate.leave(normal);
    assertThat(gate.leastOf(Priority.HIGH)).as("who has connections stays").isNull();
  }

  @Test
  void aFloodSendsItselfAway() {
    takeThePermit();
    inLine(one, "flood", 0);
    inLine(two, "flood", 1);
    Waiter last = inLine(one, "flood", 2);
    Waiter other = inLine(one, "other", 3);
    assertThat(gate.leastOf(Priority.NORMAL)).isSameAs(last);
    gate.leave(last);
    gate.leave(Objects.requireNonNull(gate.leastOf(Priority.NORMAL)));
    assertThat(gate.leastOf(Priority.NORMAL)).as("one each: the later").isSameAs(other);
  }

  @Test
  void aLimitHoldsPermitsBack() {
    var limited = new Gate(3);
    assertThat(limited.limit(() -> 1)).isEmpty();
    assertThat(limited.enter(waiter(one, false, 0))).isEqualTo(Gate.Entry.GRANTED);
    Waiter waits = waiter(one, false, 1);
    assertThat(limited.enter(waits)).isEqualTo(Gate.Entry.IN_LINE);
    assertThat(limited.enter(waiter(one, true, 2)))
        .as("who has connections is not held back")
        .isEqualTo(Gate.Entry.GRANTED);
    assertThat(limited.isOver()).isTrue();
    assertThat(limited.first(false, one, 3)).as("it is to go back").isNull();
    assertThat(limited.freed()).isNull();
    assertThat(limited.isOver()).isFalse();
    assertThat(limited.freed()).isSameAs(waits);
    Waiter second = waiter(one, false, 4);
    assertThat(limited.enter(second)).isEqualTo(Gate.Entry.IN_LINE);
    assertThat(limited.limit(() -> 5)).containsExactly(second);
    assertThat(limited.limit()).isEqualTo(3);
    assertThat(limited.taken()).isEqualTo(2);
    assertThat(limited.waiting()).isZero();
  }

  private Waiter inLine(EventLoop loop, Priority priority, long sinceMilliseconds) {
    Waiter waiter = waiter(loop, new Session("a", false, priority), sinceMilliseconds);
    assertThat(gate.enter(waiter)).isEqualTo(Gate.Entry.IN_LINE);
    return waiter;
  }

  private record Session(String user, boolean hasLeases, Priority priority) implements Lessee {

    Session(String user, boolean hasLeases) {
      this(user, hasLeases, Priority.NORMAL);
    }

    @Override
    public long since() {
      return Long.MIN_VALUE;
    }

    @Override
    public void endWait(HeldLease waiting, RefusedException reason) {}
  }
}
