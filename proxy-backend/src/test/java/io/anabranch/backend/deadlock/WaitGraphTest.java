package io.anabranch.backend.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.deadlock.WaitGraph.Deadlock;
import io.anabranch.backend.deadlock.WaitGraph.Permits;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitGraphTest {

  private final WaitGraph<String> graph = new WaitGraph<>();

  @Test
  void aChainThatEndsWithSomebodyWhoWaitsForNobodyGoesOn() {
    graph.waitsForLock("a", "b");
    graph.waitsForLock("b", "c");
    assertThat(graph.stuck()).isEmpty();
  }

  @Test
  void aCircleIsStuckAndWhoeverWaitsForIt() {
    graph.waitsForLock("a", "b");
    graph.waitsForLock("b", "a");
    graph.waitsForLock("c", "a");
    assertThat(graph.stuck()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(victims()).containsExactly("b");
  }

  @Test
  void oneOfSeveralHoldersOfALockThatIsStuckIsEnough() {
    graph.waitsForLock("a", "free");
    graph.waitsForLock("a", "b");
    graph.waitsForLock("b", "a");
    assertThat(graph.stuck()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aPermitOfSomebodyWhoGoesOnIsEnough() {
    graph.waitsForOne("a", new Permits<>(2, List.of("b", "free")));
    graph.waitsForLock("b", "a");
    assertThat(graph.stuck()).isEmpty();
  }

  @Test
  void aPermitThatNobodyKnownHasComesBack() {
    graph.waitsForOne("a", new Permits<>(2, List.of("b")));
    graph.waitsForLock("b", "a");
    assertThat(graph.stuck()).isEmpty();
  }

  @Test
  void twoPoolsWhoseHoldersWaitForEachOtherNeedOneVictim() {
    var first = new Permits<>(2, List.of("a", "b"));
    var second = new Permits<>(2, List.of("c", "d"));
    graph.waitsForOne("a", second);
    graph.waitsForOne("b", second);
    graph.waitsForOne("c", first);
    graph.waitsForOne("d", first);
    assertThat(graph.deadlocks(Comparator.reverseOrder()))
        .containsExactly(new Deadlock<>("d", Set.of("a", "b", "c", "d")));
  }

  @Test
  void permitsAndLocksTogetherMakeADeadlock() {
    graph.waitsForOne("a", new Permits<>(1, List.of("b")));
    graph.waitsForLock("b", "a");
    assertThat(victims()).containsExactly("b");
  }

  @Test
  void eachDeadlockHasItsVictim() {
    graph.waitsForLock("a", "b");
    graph.waitsForLock("b", "a");
    graph.waitsForLock("c", "d");
    graph.waitsForLock("d", "c");
    assertThat(victims()).containsExactlyInAnyOrder("b", "d");
  }

  /** The victim lets go of the first circle only; the second is not broken by it. */
  @Test
  void aSecondCircleBehindTheFirstIsBrokenToo() {
    graph.waitsForLock("a", "b");
    graph.waitsForLock("b", "a");
    graph.waitsForLock("c", "d");
    graph.waitsForLock("d", "c");
    graph.waitsForLock("c", "a");
    assertThat(victims()).containsExactly("b", "d");
  }

  @Test
  void whoWaitsForItselfAloneIsLeftToItsTimeout() {
    graph.waitsForOne("a", new Permits<>(1, List.of("a")));
    graph.waitsForLock("b", "a");
    assertThat(graph.stuck()).containsExactlyInAnyOrder("a", "b");
    assertThat(victims()).isEmpty();
  }

  @Test
  void whoOnlyStandsInLineIsNoVictim() {
    var one = new Permits<>(1, List.of("a"));
    var other = new Permits<>(1, List.of("b"));
    graph.waitsForOne("a", other);
    graph.waitsForOne("b", one);
    for (int i = 0; i < 1000; i++) {
      graph.waitsForOne("z" + i, one);
    }
    List<Deadlock<String>> found = graph.deadlocks(Comparator.reverseOrder());
    assertThat(found).containsExactly(new Deadlock<>("b", Set.of("a", "b")));
  }

  private List<String> victims() {
    return graph.deadlocks(Comparator.reverseOrder()).stream().map(Deadlock::victim).toList();
  }
}
