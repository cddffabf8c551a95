package io.anabranch.backend.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.topology.MemberReport.Membership;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.Discovery.Kind;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a group makes of what its members say. */
class ReplicaGroupTest {

  private static final Discovery HOLDING = new Discovery(Kind.REPLICATION, 60_000);

  private final Topology topology = discovering(HOLDING);

  private static Topology discovering(Discovery discovery) {
    return Groups.topology(
        TransactionalReads.PRIMARY, Balancing.ROUND_ROBIN, discovery, "r0", "r1");
  }

  private void allWell() {
    topology.answered("p", Groups.primary("1"));
    topology.answered("r0", Groups.replica("2", "1"));
    topology.answered("r1", Groups.replica("3", "1"));
  }

  private @Nullable String writer() {
    Member member = topology.member("g", Access.WRITE, null, 0);
    return member == null ? null : member.name();
  }

  private List<String> readers() {
    return topology.status().getFirst().readers();
  }

  private MemberState state(String name) {
    return Groups.condition(topology, name).state();
  }

  // ---------------------------------------------------------------- health

  @Test
  void oneFailureTakesAReplicaOutOfTheChoiceAndTwoTakeItDown() {
    allWell();
    topology.failed("r0", "no answer");
    assertThat(state("r0")).isEqualTo(MemberState.ONLINE);
    assertThat(readers()).containsExactly("r1");
    topology.failed("r0", "no answer");
    assertThat(state("r0")).isEqualTo(MemberState.DOWN);
    topology.answered("r0", Groups.replica("2", "1"));
    assertThat(state("r0")).as("one answer is not enough").isEqualTo(MemberState.DOWN);
    topology.answered("r0", Groups.replica("2", "1"));
    assertThat(readers()).containsExactlyInAnyOrder("r0", "r1");
  }

  /** The usual wait is a second. */
  @Test
  void readsThatMustSeeAWriteWaitForNobodyWhoIsKnownToBeLate() {
    allWell();
    Position needed = Position.parse("0-1-100");
    assertThat(topology.late("g", needed)).isZero();
    topology.answered("r0", Groups.replica("2", "1", 2000));
    Member late = Groups.reader(topology, 0);
    Member timely = Groups.reader(topology, late.bit());
    if (timely.name().equals("r0")) {
      Member other = late;
      late = timely;
      timely = other;
    }
    assertThat(topology.late("g", needed)).isEqualTo(late.bit());
    timely.missed();
    assertThat(topology.late("g", needed)).as("nobody is better").isZero();
    late.reached(needed);
    assertThat(topology.late("g", needed)).isEqualTo(timely.bit());
    topology.answered("r1", Groups.replica("3", "1"));
    assertThat(topology.late("g", needed)).as("it has been asked again").isZero();
  }

  @Test
  void suspectsAreReadWhileThereIsNobodyElse() {
    allWell();
    topology.failed("r0", "no answer");
    topology.failed("r1", "no answer");
    assertThat(readers()).containsExactlyInAnyOrder("r0", "r1");
  }

  @Test
  void aReplicaBehindTheLimitTakesNoReadsUntilItHasCaughtUp() {
    allWell();
    topology.answered("r0", Groups.replica("2", "1", 5001));
    assertThat(state("r0")).isEqualTo(MemberState.LAGGING);
    assertThat(readers()).containsExactly("r1");
    topology.answered("r0", Groups.replica("2", "1", 5000));
    assertThat(state("r0")).isEqualTo(MemberState.ONLINE);
  }

  @Test
  void aReplicaThatStandsStillIsLaggingWhateverItsLag() {
    allWell();
    var broken = new MemberReport.Source("1", false, true, "SQL thread stopped: 1062");
    topology.answered("r0", Groups.report("2", true, broken, MemberReport.UNKNOWN_LAG));
    assertThat(state("r0")).isEqualTo(MemberState.LAGGING);
    assertThat(Groups.condition(topology, "r0").reason()).contains("1062");
  }

  @Test
  void anAdministratorTakesAMemberOutAndBackIn() {
    allWell();
    topology.offline("r0", true);
    assertThat(state("r0")).isEqualTo(MemberState.OFFLINE_SOFT);
    assertThat(readers()).containsExactly("r1");
    topology.offline("p", true);
    assertThat(writer()).as("writes wait while the primary is drained").isNull();
    topology.offline("r0", false);
    assertThat(readers()).containsExactlyInAnyOrder("r0", "r1");
    topology.offline("p", false);
    topology.answered("p", Groups.primary("1"));
    assertThat(writer()).isEqualTo("p");
  }

  @Test
  void whoComesBackIsAskedBeforeItIsThePrimaryAgain() {
    allWell();
    topology.offline("p", true);
    MemberReport before = Groups.primary("1");
    topology.offline("p", false);
    assertThat(writer()).as("another may have become the primary").isNull();
    topology.answered("p", before);
    assertThat(writer()).as("asked before it came back").isNull();
    topology.answered("p", Groups.replica("1", "2"));
    topology.answered("r0", Groups.primary("2"));
    assertThat(writer()).isEqualTo("r0");
    topology.offline("r0", true);
    topology.offline("r0", false);
    topology.failed("r0", "gone");
    assertThat(state("r0")).as("its failures count again").isEqualTo(MemberState.ONLINE);
  }

  // ---------------------------------------------------------------- discovery

  @Test
  void writesWaitUntilThePrimaryIsKnown() {
    assertThat(writer()).isNull();
    topology.answered("r0", Groups.replica("2", "1"));
    assertThat(writer()).isNull();
    topology.answered("p", Groups.primary("1"));
    assertThat(writer()).isEqualTo("p");
  }

  @Test
  void aPlannedChangeHoldsWritesInBetween() {
    allWell();
    topology.answered("p", Groups.report("1", true, null, -1));
    assertThat(writer()).isNull();
    topology.answered("r0", Groups.primary("2"));
    assertThat(writer()).isEqualTo("r0");
    assertThat(readers()).as("r1 still follows the old one").isEmpty();
    topology.answered("r1", Groups.replica("3", "2"));
    topology.answered("p", Groups.replica("1", "2"));
    assertThat(readers()).containsExactlyInAnyOrder("r1", "p");
  }

  @Test
  void aChangeWithThePrimaryDeadIsFollowedWhenTheOldOneIsDown() {
    allWell();
    topology.failed("p", "no answer");
    topology.answered("r0", Groups.primary("2"));
    assertThat(writer()).as("the old one could still be written to").isNull();
    topology.failed("p", "no answer");
    assertThat(writer()).isEqualTo("r0");
  }

  @Test
  void anAnswerFromBeforeTheChangeIsNoSplitBrain() {
    allWell();
    topology.answered("r0", Groups.primary("2"));
    assertThat(writer()).isNull();
    assertThat(topology.status().getFirst().writes()).isEqualTo("HELD");
    topology.answered("p", Groups.report("1", true, null, -1));
    assertThat(writer()).isEqualTo("r0");
  }

  @Test
  void twoThatCanBeWrittenToStopWrites() {
    allWell();
    topology.answered("r0", Groups.primary("2"));
    topology.answered("r0", Groups.primary("2"));
    topology.answered("p", Groups.primary("1"));
    assertThatThrownBy(() -> topology.memberBlocking("g", Access.WRITE, null, new MemberWait()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB3011")
        .hasMessageContaining("[p, r0]");
    assertThat(topology.member("g", Access.READ, null, 0)).hasToString("r1");
    topology.answered("p", Groups.report("1", true, null, -1));
    assertThat(writer()).isEqualTo("r0");
  }

  @Test
  void aWritableReplicaIsStillAReplica() {
    allWell();
    topology.answered(
        "r0", Groups.report("2", false, new MemberReport.Source("1", true, true, ""), 0));
    assertThat(writer()).isEqualTo("p");
    assertThat(readers()).contains("r0");
  }

  @Test
  void replicasOfReplicasFollowThePrimary() {
    allWell();
    topology.answered("r1", Groups.replica("3", "2"));
    assertThat(readers()).containsExactlyInAnyOrder("r0", "r1");
    topology.answered("r1", Groups.replica("3", "99"));
    assertThat(readers()).containsExactly("r0");
  }

  @Test
  void whoTakesNothingThoughItIsWellSaysWhy() {
    allWell();
    assertThat(reason("r0")).isEmpty();
    topology.answered("r1", Groups.replica("3", "99"));
    assertThat(state("r1")).isEqualTo(MemberState.ONLINE);
    assertThat(reason("r1")).isEqualTo("does not follow p");
    var lost = new MemberReport.Source("1", true, false, "IO thread Connecting");
    topology.answered("r0", Groups.report("2", true, lost, MemberReport.UNKNOWN_LAG));
    assertThat(reason("r0")).contains("IO thread Connecting");
  }

  private String reason(String member) {
    GroupStatus group = topology.status().getFirst();
    return group.members().stream()
        .filter(each -> each.name().equals(member))
        .map(group::reason)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPrimaryWithAnOldHeartbeatIsNotBehind() {
    topology.answered("p", Groups.report("1", false, null, 99_000));
    assertThat(state("p")).isEqualTo(MemberState.ONLINE);
  }

  @Test
  void aTransactionKeepsItsPrimary() {
    allWell();
    var transaction = new TransactionMembers();
    assertThat(topology.member("g", Access.WRITE, transaction, 0)).hasToString("p");
    topology.answered("p", Groups.report("1", true, null, -1));
    topology.answered("r0", Groups.primary("2"));
    assertThat(topology.member("g", Access.WRITE, transaction, 0)).hasToString("p");
    assertThat(writer()).isEqualTo("r0");
  }

  @Test
  void whoWaitsIsToldOfTheChange() {
    var told = new ArrayList<@Nullable RuntimeException>();
    topology.await("g", Access.WRITE, null, new MemberWait(), Runnable::run, told::add);
    assertThat(told).isEmpty();
    topology.answered("p", Groups.primary("1"));
    assertThat(told).containsExactly((RuntimeException) null);
    assertThat(writer()).isEqualTo("p");
  }

  @Test
  void aReadThatWantsThePrimaryWaitsThoughReplicasAreFit() {
    topology.answered("r0", Groups.replica("2", "1"));
    var transaction = new TransactionMembers();
    assertThat(topology.member("g", Access.READ, transaction, 0)).isNull();
    var told = new ArrayList<@Nullable RuntimeException>();
    topology.await("g", Access.READ, transaction, new MemberWait(), Runnable::run, told::add);
    assertThat(told).as("nothing has changed: there is no point in asking again").isEmpty();
    topology.answered("p", Groups.primary("1"));
    assertThat(told).containsExactly((RuntimeException) null);
    assertThat(topology.member("g", Access.READ, transaction, 0)).hasToString("p");
  }

  @Test
  void aReadThatWantsThePrimaryIsRefusedAsWritesAre() throws Exception {
    var told = new LinkedBlockingQueue<RuntimeException>();
    Topology impatient = discovering(new Discovery(Kind.REPLICATION, 1));
    impatient.answered("r0", Groups.replica("2", "1"));
    var transaction = new TransactionMembers();
    impatient.await(
        "g",
        Access.READ,
        transaction,
        new MemberWait(),
        Runnable::run,
        refusal -> told.add(Objects.requireNonNull(refusal, "nothing to ask again for")));
    assertThat(told.take()).hasMessageContaining("AB3010");
    assertThatThrownBy(
            () -> impatient.memberBlocking("g", Access.READ, transaction, new MemberWait()))
        .hasMessageContaining("AB3010");
  }

  @Test
  void twoPrimariesStopReadsOfTransactionsToo() {
    allWell();
    topology.answered("r0", Groups.primary("2"));
    topology.answered("r0", Groups.primary("2"));
    topology.answered("p", Groups.primary("1"));
    var told = new ArrayList<@Nullable RuntimeException>();
    topology.await(
        "g", Access.READ, new TransactionMembers(), new MemberWait(), Runnable::run, told::add);
    assertThat(told)
        .singleElement()
        .satisfies(refusal -> assertThat(refusal).hasMessageContaining("AB3011"));
  }

  @Test
  void whoEndsTheStatementEndsItsWait() {
    var killed = new IllegalStateException("killed");
    var wait = new MemberWait();
    var told = new ArrayList<@Nullable RuntimeException>();
    topology.await("g", Access.WRITE, null, wait, Runnable::run, told::add);
    wait.end(killed);
    assertThat(told).containsExactly(killed);
    assertThatThrownBy(() -> topology.memberBlocking("g", Access.WRITE, null, wait))
        .isSameAs(killed);
  }

  @Test
  void whoWaitsTooLongIsToldWhy() {
    Topology impatient = discovering(new Discovery(Kind.REPLICATION, 1));
    assertThatThrownBy(() -> impatient.memberBlocking("g", Access.WRITE, null, new MemberWait()))
        .hasMessageContaining("AB3010")
        .hasMessageContaining("not been asked yet");
  }

  // ---------------------------------------------------------------- clusters

  private static MemberReport inCluster(boolean serving, boolean primary, String state) {
    return new MemberReport(
        System.nanoTime(),
        "8.4",
        "",
        false,
        null,
        0,
        new Membership(serving, primary, state),
        true);
  }

  @Test
  void galerasWriterIsKeptWhileItIsFit() {
    Topology galera = discovering(new Discovery(Kind.GALERA, 60_000));
    galera.answered("r0", inCluster(true, true, "Synced"));
    assertThat(galera.member("g", Access.WRITE, null, 0))
        .as("the configured writer is given the time to answer")
        .isNull();
    galera.answered("p", inCluster(true, true, "Synced"));
    galera.answered("r1", inCluster(true, true, "Synced"));
    assertThat(galera.member("g", Access.WRITE, null, 0)).hasToString("p");
    galera.answered("p", inCluster(false, false, "Donor/Desynced"));
    assertThat(galera.member("g", Access.WRITE, null, 0)).hasToString("r0");
    galera.answered("p", inCluster(true, true, "Synced"));
    assertThat(galera.member("g", Access.WRITE, null, 0)).hasToString("r0");
    assertThat(galera.status().getFirst().readers()).containsExactlyInAnyOrder("p", "r1");
  }

  @Test
  void galerasWriterIsReplacedWhileItIsTakenOut() {
    Topology galera = discovering(new Discovery(Kind.GALERA, 60_000));
    for (String each : List.of("p", "r0", "r1")) {
      galera.answered(each, inCluster(true, true, "Synced"));
    }
    galera.offline("p", true);
    assertThat(galera.member("g", Access.WRITE, null, 0)).hasToString("r0");
    galera.offline("r0", true);
    galera.offline("r1", true);
    assertThat(galera.member("g", Access.WRITE, null, 0))
        .as("where all are taken out writes wait")
        .isNull();
  }

  @Test
  void aMinorityOfAGroupTakesNothing() {
    Topology cluster = discovering(new Discovery(Kind.GROUP_REPLICATION, 1));
    cluster.answered("p", inCluster(true, true, "ONLINE"));
    cluster.answered("r0", inCluster(true, false, "ONLINE"));
    assertThat(cluster.member("g", Access.WRITE, null, 0)).hasToString("p");
    cluster.answered("p", inCluster(false, false, "sees 1 of 3 members"));
    assertThat(Groups.condition(cluster, "p").state()).isEqualTo(MemberState.DOWN);
    assertThatThrownBy(() -> cluster.memberBlocking("g", Access.WRITE, null, new MemberWait()))
        .hasMessageContaining("sees 1 of 3 members");
  }
}
