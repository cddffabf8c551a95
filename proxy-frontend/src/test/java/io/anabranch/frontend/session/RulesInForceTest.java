package io.anabranch.frontend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.RefusedException;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a session's rules change, and what others see of it. */
class RulesInForceTest {

  private final Deployment first = TestDeployment.create();
  private final Deployment second = TestDeployment.create();

  /** What is in force at each look; the last stays. */
  private final Deque<Deployment> looks = new ArrayDeque<>(List.of(first));

  private final Session session =
      new Session(
          7,
          new EmbeddedChannel(),
          new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", Capability.PROTOCOL_41, 45),
          this::look,
          Runnable::run,
          MemoryBudget.unconfigured().session("test"),
          SessionLimits.none());

  private Deployment look() {
    return looks.size() > 1 ? looks.removeFirst() : looks.getFirst();
  }

  @Test
  void aStatementBeginsWithWhatIsInForceAndKeepsIt() {
    session.database().use("shop");
    assertThat(session.rules().used()).isNull();
    session.rules().begin();
    assertThat(session.rules().used()).isSameAs(first);
    looks.add(second);
    looks.removeFirst();
    assertThat(session.deployment()).isSameAs(first);
    session.rules().ended();
    assertThat(session.rules().used()).isNull();
    session.rules().begin();
    assertThat(session.deployment()).isSameAs(second);
    assertThat(session.backend()).isSameAs(second.backend("shop"));
  }

  @Test
  void whatIsSwappedBehindTheFirstLookIsSeenByTheSecond() {
    looks.add(second);
    session.rules().begin();
    assertThat(session.deployment()).isSameAs(second);
    assertThat(session.rules().used()).isSameAs(second);
  }

  @Test
  void aDatabaseThatIsGoneIsToldWhereItIsNeeded() {
    session.database().use("shop");
    Map<String, Backend> fewer = new LinkedHashMap<>(second.backends());
    fewer.remove("shop");
    looks.add(second.withBackends(fewer, (_, _) -> second.planner()));
    looks.removeFirst();
    session.rules().begin();
    assertThatThrownBy(() -> session.database().requirePresent())
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1049));
    looks.add(first);
    looks.removeFirst();
    session.rules().begin();
    session.database().requirePresent();
    assertThat(session.backend()).isSameAs(first.backend("shop"));
  }
}
