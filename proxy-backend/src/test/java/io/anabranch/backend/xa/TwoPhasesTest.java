package io.anabranch.backend.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.fakes.FakeDesk;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.anabranch.backend.transaction.commit.Xid;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TwoPhasesTest {

  private static final long PATIENCE = 30_000;
  private static final GlobalId TRANSACTION = GlobalId.of("cluster-code", "node.life", 1);
  private static final Xid ONE = new Xid(TRANSACTION.toString(), "1:a");
  private static final Xid TWO = new Xid(TRANSACTION.toString(), "2:b");

  private final FakeDatabase a = new FakeDatabase("a");
  private final FakeDatabase b = new FakeDatabase("b");
  private final FakeDatabase logged = new FakeDatabase("log");
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final Links links = new Links(loops, PATIENCE);
  private final LogStore store =
      new LogStore(links, new XaSource("fake.log", "fake", new FakeDesk(logged), () -> "log"));
  private final DecisionLog decisions = new DecisionLog(store, loops, XaListener.NONE, 0);
  private final CommitBarrier barrier = new CommitBarrier();
  private final Ledger ledger = new Ledger(barrier);
  private final List<String> toRecovery = Collections.synchronizedList(new ArrayList<>());
  private final String decision = store.decision(List.of(TRANSACTION));

  @AfterEach
  void close() {
    decisions.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private List<Ending> commit(long logTimeout, Branch... branches) throws Exception {
    var parts =
        new TwoPhases.Parts(
            decisions,
            ledger,
            barrier,
            new BranchPhases(loops, PATIENCE),
            loops,
            XaListener.NONE,
            () -> toRecovery.add("soon"),
            logTimeout);
    return new TwoPhases(parts, TRANSACTION, List.of(branches), System.nanoTime())
        .run()
        .get(PATIENCE, TimeUnit.MILLISECONDS);
  }

  private Branch changed(FakeDatabase database, Xid xid) {
    return new Branch(database.lease(), xid, true);
  }

  private static List<State> states(List<Ending> endings) {
    return endings.stream().map(Ending::state).toList();
  }

  @Test
  void theDecisionIsDurableBetweenThePhases() throws Exception {
    logged.ok(decision, 1, 0, 0, "");

    assertThat(states(commit(PATIENCE, changed(a, ONE), changed(b, TWO))))
        .containsExactly(State.COMMITTED, State.COMMITTED);
    assertThat(a.log())
        .containsExactly(
            "XA END " + ONE.sql(), "XA PREPARE " + ONE.sql(), "XA COMMIT " + ONE.sql());
    assertThat(b.log())
        .containsExactly(
            "XA END " + TWO.sql(), "XA PREPARE " + TWO.sql(), "XA COMMIT " + TWO.sql());
    assertThat(logged.log()).containsExactly(decision);
    assertThat(ledger.stage(TRANSACTION)).isNull();
    assertThat(toRecovery).isEmpty();
  }

  @Test
  void oneNoIsANoForAll() throws Exception {
    var refused = new ShardException.Database(1399, "XAE07", "rolled back");
    b.fails("XA PREPARE " + TWO.sql(), refused);

    List<Ending> endings = commit(PATIENCE, changed(a, ONE), changed(b, TWO));

    assertThat(states(endings)).containsExactly(State.ROLLED_BACK, State.ROLLED_BACK);
    assertThat(endings.getFirst().cause()).isSameAs(refused);
    assertThat(a.log()).endsWith("XA ROLLBACK " + ONE.sql()).doesNotContain("XA COMMIT");
    assertThat(logged.log()).isEmpty();
    assertThat(ledger.stage(TRANSACTION)).isNull();
  }

  @Test
  void aVoteThatWasLostIsForTheRecovery() throws Exception {
    b.fails("XA PREPARE " + TWO.sql(), new ShardException.Lost("cut", true));

    assertThat(states(commit(PATIENCE, changed(a, ONE), changed(b, TWO))))
        .containsExactly(State.ROLLED_BACK, State.ROLLED_BACK);
    assertThat(toRecovery).containsExactly("soon");
  }

  @Test
  void aProcessThatWasDeclaredDeadRollsBack() throws Exception {
    logged.ok(decision, 0, 0, 0, "");
    logged.rows(
        "SELECT transaction_id FROM anabranch_xa_log WHERE transaction_id IN ('"
            + TRANSACTION
            + "')",
        List.of(),
        List.of());

    List<Ending> endings = commit(PATIENCE, changed(a, ONE), changed(b, TWO));

    assertThat(states(endings)).containsExactly(State.ROLLED_BACK, State.ROLLED_BACK);
    assertThat(String.valueOf(endings.getFirst().cause())).contains("AB3009");
    assertThat(b.log()).endsWith("XA ROLLBACK " + TWO.sql());
  }

  @Test
  void whatCannotBeCommittedNowIsLeftToTheRecovery() throws Exception {
    logged.ok(decision, 1, 0, 0, "");
    a.fails("XA COMMIT " + ONE.sql(), new ShardException.Lost("cut", true));

    List<Ending> endings = commit(PATIENCE, changed(a, ONE), changed(b, TWO));

    assertThat(states(endings)).containsExactly(State.COMMITTED, State.COMMITTED);
    assertThat(endings.getFirst().isBroken()).isTrue();
    assertThat(ledger.stage(TRANSACTION)).isEqualTo(Ledger.Stage.UNFINISHED);
    assertThat(toRecovery).containsExactly("soon");
  }

  @Test
  void aBranchThatSomebodyElseEndedIsUnknown() throws Exception {
    logged.ok(decision, 1, 0, 0, "");
    a.fails("XA COMMIT " + ONE.sql(), new ShardException.Database(1397, "XAE04", "unknown XID"));

    assertThat(states(commit(PATIENCE, changed(a, ONE), changed(b, TWO))))
        .containsExactly(State.UNKNOWN, State.COMMITTED);
  }

  @Test
  void readersEndWhileOthersArePrepared() throws Exception {
    logged.ok(decision, 1, 0, 0, "");
    var c = new FakeDatabase("c");
    Xid three = new Xid(TRANSACTION.toString(), "3:c");

    assertThat(
            states(
                commit(
                    PATIENCE,
                    changed(a, ONE),
                    new Branch(c.lease(), three, false),
                    changed(b, TWO))))
        .containsExactly(State.COMMITTED, State.COMMITTED, State.COMMITTED);
    assertThat(c.log())
        .containsExactly("XA END " + three.sql(), "XA COMMIT " + three.sql() + " ONE PHASE");
  }

  @Test
  void aLogThatDoesNotAnswerLeavesItOpen() throws Exception {
    logged.fails(decision, new ShardException.Lost("cut", true));

    List<Ending> endings = commit(50, changed(a, ONE), changed(b, TWO));

    assertThat(states(endings)).containsExactly(State.UNKNOWN, State.UNKNOWN);
    assertThat(ledger.stage(TRANSACTION)).isEqualTo(Ledger.Stage.UNDECIDED);
    assertThat(a.log()).endsWith("XA PREPARE " + ONE.sql());
  }
}
