package io.anabranch.backend.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopologyTest {

  @Test
  void aDataSourceIsItself() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0");
    assertThat(name(topology, "ds_7", Access.READ, null)).isEqualTo("ds_7");
  }

  @Test
  void readsGoRoundTheReplicasAndWritesToThePrimary() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r0");
    assertThat(name(topology, "g", Access.WRITE, null)).isEqualTo("p");
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r1");
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r0");
  }

  @Test
  void aGroupWithoutReplicasReadsFromItsPrimary() {
    Topology topology = topology(TransactionalReads.DYNAMIC, Balance.RANDOM);
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("p");
  }

  @Test
  void transactionsReadFromThePrimary() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    assertThat(name(topology, "g", Access.READ, new TransactionMembers())).isEqualTo("p");
  }

  @Test
  void fixedStaysWithTheFirstReplicaUntilTheTransactionEnds() {
    Topology topology = topology(TransactionalReads.FIXED, Balance.ROUND_ROBIN, "r0", "r1");
    var transaction = new TransactionMembers();
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r0");
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r0");
    transaction.clear();
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r1");
  }

  @Test
  void afterAWriteATransactionReadsItsOwnChanges() {
    for (TransactionalReads reads : TransactionalReads.values()) {
      Topology topology = topology(reads, Balance.ROUND_ROBIN, "r0", "r1");
      var transaction = new TransactionMembers();
      name(topology, "g", Access.READ, transaction);
      assertThat(name(topology, "g", Access.WRITE, transaction)).isEqualTo("p");
      assertThat(name(topology, "g", Access.READ, transaction)).as("%s", reads).isEqualTo("p");
    }
  }

  @Test
  void weightsDivideTheReads() {
    var weights = new Balancing(Balance.WEIGHT, Map.of("heavy", 3.0, "light", 1.0), "", Map.of());
    Topology topology =
        Groups.topology(TransactionalReads.PRIMARY, weights, Discovery.STATIC, "heavy", "light");
    int heavy = 0;
    for (int i = 0; i < 4000; i++) {
      heavy += name(topology, "g", Access.READ, null).equals("heavy") ? 1 : 0;
    }
    assertThat(heavy).isBetween(2850, 3150);
  }

  @Test
  void fewestStatementsUnderWayInProportionToTheWeight() {
    var weights = new Balancing(Balance.LEAST_CONNECTIONS, Map.of("big", 2.0), "", Map.of());
    Topology topology =
        Groups.topology(TransactionalReads.PRIMARY, weights, Discovery.STATIC, "big", "small");
    int big = 0;
    for (int i = 0; i < 9; i++) {
      Member member = Groups.reader(topology, 0);
      member.readBegins();
      big += member.name().equals("big") ? 1 : 0;
    }
    assertThat(big).isEqualTo(6);
  }

  @Test
  void theFasterReplicaIsReadAndTheSlowOneTriedFirstOfAll() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.LEAST_LATENCY, "r0", "r1");
    measure(topology, "r0", 50_000_000);
    measure(topology, "r1", 1_000_000);
    for (int i = 0; i < 10; i++) {
      assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r1");
    }
  }

  private static void measure(Topology topology, String name, long nanos) {
    Member member = Groups.reader(topology, 0);
    assertThat(member.name()).as("one that was never measured comes first").isEqualTo(name);
    member.readBegins();
    member.readEnded(nanos);
  }

  @Test
  void theOwnZoneFirstThenTheOthers() {
    var zones =
        new Balancing(Balance.LOCAL_ZONE, Map.of(), "here", Map.of("r0", "there", "r1", "here"));
    Topology topology =
        Groups.topology(TransactionalReads.PRIMARY, zones, Discovery.STATIC, "r0", "r1");
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r1");
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r1");
    topology.failed("r1", "gone");
    assertThat(name(topology, "g", Access.READ, null)).isEqualTo("r0");
  }

  @Test
  void aReadThatFailedIsTriedElsewhereAndAtLastOnThePrimary() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    Member first = Groups.reader(topology, 0);
    Member second = Groups.reader(topology, first.bit());
    assertThat(second).isNotSameAs(first);
    Member third = Groups.reader(topology, first.bit() | second.bit());
    assertThat(third).hasToString("p");
    assertThat(topology.member("g", Access.READ, null, first.bit() | second.bit() | third.bit()))
        .isNull();
  }

  @Test
  void aReadOnlyTransactionStaysWithOneReplica() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    var transaction = new TransactionMembers();
    transaction.readOnly(true);
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r0");
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r0");
  }

  @Test
  void aReadOnlyTransactionKeepsItsSnapshotAfterAWriteThatIsRefused() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    var transaction = new TransactionMembers();
    transaction.readOnly(true);
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r0");
    assertThat(name(topology, "g", Access.WRITE, transaction)).isEqualTo("p");
    assertThat(name(topology, "g", Access.READ, transaction)).isEqualTo("r0");
  }

  private static Topology topology(TransactionalReads reads, Balance balance, String... replicas) {
    return Groups.topology(reads, Balancing.of(balance), Discovery.STATIC, replicas);
  }

  private static String name(
      Topology topology, String endpoint, Access access, @Nullable TransactionMembers members) {
    return String.valueOf(topology.member(endpoint, access, members, 0));
  }
}
