package io.anabranch.backend.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.balance.LoadBalancer;
import io.anabranch.rules.algorithm.balance.LoadBalancerCatalogue;
import io.anabranch.rules.algorithm.balance.LoadBalancerProvider;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static LoadBalancerProvider provider(LoadBalancer balancer) {
    return new LoadBalancerProvider() {
      @Override
      public String type() {
        return "own";
      }

      @Override
      public LoadBalancer create(Map<String, String> properties) {
        return balancer;
      }
    };
  }

  private static Topology topologyBy(LoadBalancer balancer, String... replicas) {
    var known = new LoadBalancerCatalogue(Balance.names(), List.of(provider(balancer)));
    Balancing own =
        Balancing.of(new Balancing.PlugIn("OWN", Map.of(), known.balancer("OWN", Map.of())));
    return Groups.topology(TransactionalReads.PRIMARY, own, Discovery.STATIC, replicas);
  }

  @Test
  void aPlugInChoosesAmongThoseThatAreFitAndNotTried() {
    var offered = new ArrayList<List<String>>();
    Topology topology =
        topologyBy(
            (group, replicas) -> {
              assertThat(group).isEqualTo("g");
              offered.add(replicas.stream().map(LoadBalancer.Replica::name).toList());
              return replicas.size() - 1;
            },
            "r0",
            "r1",
            "r2");
    assertThat(Groups.reader(topology, 0)).hasToString("r2");
    assertThat(Groups.reader(topology, 1L << 3)).hasToString("r1");
    topology.failed("r1", "gone");
    assertThat(Groups.reader(topology, 0)).hasToString("r2");
    // with one left there is nothing to choose
    assertThat(Groups.reader(topology, 1L << 3)).hasToString("r0");
    assertThat(offered)
        .containsExactly(List.of("r0", "r1", "r2"), List.of("r0", "r1"), List.of("r0", "r2"));
  }

  static Stream<LoadBalancer> failing() {
    return Stream.of(
        (_, _) -> {
          throw new IllegalStateException("not told");
        },
        (_, _) -> {
          throw new NoClassDefFoundError("org/example/Missing");
        },
        (_, _) -> {
          throw new StackOverflowError();
        },
        (_, _) -> -1,
        (_, replicas) -> replicas.size());
  }

  @ParameterizedTest
  @MethodSource("failing")
  void aPlugInThatFailsEndsTheReadAlone(LoadBalancer balancer) {
    Topology topology = topologyBy(balancer, "r0", "r1");
    assertThatThrownBy(() -> Groups.reader(topology, 0))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2092")
        .hasMessageContaining("OWN")
        .hasMessageNotContaining("not told");
    assertThat(name(topology, "g", Access.WRITE, null)).isEqualTo("p");
    assertThat(topology.isReachable("g")).isTrue();
    assertThat(topology.describing("g")).hasToString("p");
    topology.failed("p", "gone");
    topology.failed("p", "gone");
    assertThat(topology.isReachable("g")).isTrue();
    assertThat(topology.describing("g").name()).startsWith("r");
  }

  @Test
  void aPlugInMayNotTakeTheTypeOfABuiltInOne() {
    List<LoadBalancerProvider> own = List.of(provider((_, _) -> 0));
    assertThatThrownBy(() -> new LoadBalancerCatalogue(Set.of("OWN"), own))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OWN");
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
