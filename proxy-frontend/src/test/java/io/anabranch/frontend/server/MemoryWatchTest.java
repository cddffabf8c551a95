package io.anabranch.frontend.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.model.MemoryLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is ended when memory is short, which the test decides. */
class MemoryWatchTest {

  private static final long MEBIBYTE = 1L << 20;

  private final MemoryBudget budget =
      new MemoryBudget(new MemoryLimits(80 * MEBIBYTE, 80 * MEBIBYTE, 100, 100));
  private final SessionRegistry registry = new SessionRegistry();
  private final Set<MemoryKind> lacking = EnumSet.noneOf(MemoryKind.class);
  private final MemoryWatch watch = new MemoryWatch(budget, registry, lacking::contains);

  private final EmbeddedChannel small = client(1, MEBIBYTE * 2);
  private final EmbeddedChannel large = client(2, MEBIBYTE * 9);

  @AfterEach
  void end() {
    registry.all().forEach(each -> ((EmbeddedChannel) each.channel()).finishAndReleaseAll());
  }

  private EmbeddedChannel client(int id, long keeps) {
    var channel = new EmbeddedChannel();
    SessionMemory memory = budget.session("alice");
    var identity =
        new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", Capability.PROTOCOL_41, 45);
    var deployment = TestDeployment.create();
    registry.add(
        new Session(
            id, channel, identity, () -> deployment, Runnable::run, memory, SessionLimits.none()));
    memory.charge(MemoryKind.HEAP, "a test").grow(keeps);
    return channel;
  }

  private Session session(int id) {
    return requireNonNull(registry.find(id));
  }

  private void look() {
    watch.look();
    small.runPendingTasks();
    large.runPendingTasks();
  }

  @Test
  void theLargestIsToldAndEnded() {
    lacking.add(MemoryKind.HEAP);
    look();
    assertThat(large.isOpen()).isFalse();
    assertThat(small.isOpen()).isTrue();
    ByteBuf told = large.readOutbound();
    assertThat(told.toString(StandardCharsets.UTF_8)).contains("AB2010");
    told.release();
  }

  @Test
  void aStatementIsEndedBeforeItsSession() {
    Session busy = session(2);
    busy.command().started("Query", null);
    lacking.add(MemoryKind.HEAP);
    look();
    assertThat(large.isOpen()).isTrue();
  }

  @Test
  void nobodyIsEndedWhereClientsKeepLittle() {
    lacking.add(MemoryKind.DIRECT);
    look();
    assertThat(large.isOpen()).isTrue();
    large.close();
    registry.all().stream().filter(each -> each.id() == 2).forEach(this::leave);
    lacking.add(MemoryKind.HEAP);
    look();
    assertThat(small.isOpen()).isTrue();
  }

  private void leave(Session session) {
    registry.remove(session);
    session.memory().close();
  }

  @Test
  void nobodyIsEndedWhileThereIsEnough() {
    look();
    assertThat(large.isOpen()).isTrue();
  }

  @Test
  void whoWantsForLongEndsTheLargest() {
    client(3, MEBIBYTE * 60);
    SessionMemory another = budget.session("bob");
    for (int i = 0; i < 11; i++) {
      assertThat(another.take(MemoryKind.HEAP, MEBIBYTE * 20, "rows")).isNotNull();
      look();
      assertThat(budget.taken(MemoryKind.HEAP)).isGreaterThan(MEBIBYTE * 70);
    }
    Session third = session(3);
    assertThat(third.channel().isOpen()).isTrue();
    assertThat(another.take(MemoryKind.HEAP, MEBIBYTE * 20, "rows")).isNotNull();
    look();
    ((EmbeddedChannel) third.channel()).runPendingTasks();
    assertThat(third.channel().isOpen()).isFalse();
  }
}
