package io.anabranch.backend.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopologyTest {

  @Test
  void aDataSourceIsItself() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0");
    assertThat(topology.dataSource("ds_7", Access.READ, null)).isEqualTo("ds_7");
  }

  @Test
  void readsGoRoundTheReplicasAndWritesToThePrimary() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    assertThat(topology.dataSource("g", Access.READ, null)).isEqualTo("r0");
    assertThat(topology.dataSource("g", Access.WRITE, null)).isEqualTo("p");
    assertThat(topology.dataSource("g", Access.READ, null)).isEqualTo("r1");
    assertThat(topology.dataSource("g", Access.READ, null)).isEqualTo("r0");
  }

  @Test
  void aGroupWithoutReplicasReadsFromItsPrimary() {
    Topology topology = topology(TransactionalReads.DYNAMIC, Balance.RANDOM);
    assertThat(topology.dataSource("g", Access.READ, null)).isEqualTo("p");
  }

  @Test
  void transactionsReadFromThePrimary() {
    Topology topology = topology(TransactionalReads.PRIMARY, Balance.ROUND_ROBIN, "r0", "r1");
    assertThat(topology.dataSource("g", Access.READ, new TransactionMembers())).isEqualTo("p");
  }

  @Test
  void fixedStaysWithTheFirstReplicaUntilTheTransactionEnds() {
    Topology topology = topology(TransactionalReads.FIXED, Balance.ROUND_ROBIN, "r0", "r1");
    var transaction = new TransactionMembers();
    assertThat(topology.dataSource("g", Access.READ, transaction)).isEqualTo("r0");
    assertThat(topology.dataSource("g", Access.READ, transaction)).isEqualTo("r0");
    transaction.clear();
    assertThat(topology.dataSource("g", Access.READ, transaction)).isEqualTo("r1");
  }

  @Test
  void afterAWriteATransactionReadsItsOwnChanges() {
    for (TransactionalReads reads : TransactionalReads.values()) {
      Topology topology = topology(reads, Balance.ROUND_ROBIN, "r0", "r1");
      var transaction = new TransactionMembers();
      topology.dataSource("g", Access.READ, transaction);
      assertThat(topology.dataSource("g", Access.WRITE, transaction)).isEqualTo("p");
      assertThat(topology.dataSource("g", Access.READ, transaction)).as("%s", reads).isEqualTo("p");
    }
  }

  @Test
  void weightsDivideTheReads() {
    Topology topology =
        Topology.of(
            database(
                new ReplicationGroup(
                    "g",
                    "p",
                    List.of("heavy", "light"),
                    TransactionalReads.PRIMARY,
                    Balance.WEIGHT,
                    Map.of("heavy", 3.0, "light", 1.0))),
            new Random(42));
    int heavy = 0;
    for (int i = 0; i < 4000; i++) {
      heavy += topology.dataSource("g", Access.READ, null).equals("heavy") ? 1 : 0;
    }
    assertThat(heavy).isBetween(2850, 3150);
  }

  private static Topology topology(TransactionalReads reads, Balance balance, String... replicas) {
    return Topology.of(
        database(new ReplicationGroup("g", "p", List.of(replicas), reads, balance, Map.of())),
        new Random(1));
  }

  private static LogicalDatabase database(ReplicationGroup group) {
    return new LogicalDatabase(
        "shop",
        Map.of(),
        Map.of("g", group),
        Map.of(),
        Map.of(),
        new LogicalDatabase.SingleTables(List.of(), null));
  }
}
