package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.model.ReadPolicy.Destination;
import io.anabranch.rules.model.ReadPolicy.NoReplica;
import io.anabranch.rules.model.ReadPolicy.UserReads;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The keys of read/write groups that ShardingSphere does not know. */
class GroupPolicyTest {

  private static final String GLOBAL =
      """
      authority:
        users:
        - { user: "root@127.0.0.1", password: secret }
        - { user: "reports@%", password: secret }
        - { user: "bank@%", password: secret }
      """;

  private static ReplicationGroup group(String keys, String balancers) {
    return group("[b, c]", keys, balancers);
  }

  private static ReplicationGroup group(String readers, String keys, String balancers) {
    String database =
        """
        databaseName: shop
        dataSources:
          a: { url: "jdbc:mysql://127.0.0.1/x", username: u }
          b: { url: "jdbc:mysql://127.0.0.2/x", username: u }
          c: { url: "jdbc:mysql://127.0.0.3/x", username: u }
        rules:
        - !READWRITE_SPLITTING
          dataSourceGroups:
            g:
              writeDataSourceName: a
              readDataSourceNames: %s
        """
                .formatted(readers)
            + keys.indent(6)
            + balancers.indent(2);
    Configuration read =
        new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
            .load(
                List.of(
                    new ConfigurationText("global.yaml", GLOBAL),
                    new ConfigurationText("database-shop.yaml", database)));
    return read.ruleSet()
        .databases()
        .values()
        .iterator()
        .next()
        .groups()
        .values()
        .iterator()
        .next();
  }

  @Test
  void withoutThemAGroupIsAsItWas() {
    ReplicationGroup group = group("", "");
    assertThat(group.health()).isEqualTo(HealthCheck.DEFAULT);
    assertThat(group.discovery()).isEqualTo(Discovery.STATIC);
    assertThat(group.reads()).isEqualTo(ReadPolicy.DEFAULT);
  }

  @Test
  void allOfThem() {
    ReplicationGroup group =
        group(
            """
            loadBalancerName: near
            healthCheck:
              { intervalMilliseconds: 500, timeoutMilliseconds: 200, rise: 3, fall: 4,
                maxReplicationLagMilliseconds: 5000, heartbeatTable: ops.heartbeat }
            discovery: { type: replication, holdWritesMilliseconds: 15000 }
            readConsistency: SESSION
            consistencyTimeoutMilliseconds: 250
            primaryAfterWriteMilliseconds: 100
            readOnlyTransactionsOnReplicas: false
            noReplica: WAIT
            noReplicaWaitMilliseconds: 300
            userReads:
              reports: { readConsistency: EVENTUAL }
              bank: { destination: PRIMARY }
            statementReads:
            - { statement: "SELECT  balance FROM account WHERE id = 17", destination: PRIMARY }
            """,
            """
            loadBalancers:
              near: { type: LOCAL_ZONE, props: { local-zone: here, b: here, c: there } }
            """);
    assertThat(group.balancing().balance()).isEqualTo(Balance.LOCAL_ZONE);
    assertThat(group.balancing().localZone()).isEqualTo("here");
    assertThat(group.balancing().zones()).isEqualTo(Map.of("b", "here", "c", "there"));
    assertThat(group.health()).isEqualTo(new HealthCheck(500, 200, 3, 4, 5000, "ops.heartbeat"));
    assertThat(group.discovery()).isEqualTo(new Discovery(Discovery.Kind.REPLICATION, 15000));
    assertThat(group.reads())
        .isEqualTo(
            new ReadPolicy(
                Consistency.SESSION,
                250,
                100,
                false,
                NoReplica.WAIT,
                300,
                Map.of(
                    "reports", new UserReads(Consistency.EVENTUAL, Destination.REPLICA),
                    "bank", new UserReads(Consistency.SESSION, Destination.PRIMARY)),
                Map.of("select balance from account where id = ?", Destination.PRIMARY)));
  }

  @Test
  void eachReaderIsNamedOnce() {
    assertThatThrownBy(() -> group("[b, c, b]", "", ""))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("a reader is named twice");
  }

  @Test
  void mistakesAreNamedWithTheirPlace() {
    assertThatThrownBy(
            () ->
                group(
                    """
                    loadBalancerName: near
                    healthCheck: { interval: 5, heartbeatTable: heartbeat }
                    discovery: { type: GROUP_REPLICATON }
                    readConsistency: SESION
                    """,
                    "loadBalancers: { near: { type: LOCAL_ZONE, props: { local-zone: x, b: x } } }\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("unknown key `interval`")
        .hasMessageContaining("write schema.table")
        .hasMessageContaining("did you mean `GROUP_REPLICATION`?")
        .hasMessageContaining("did you mean `SESSION`?")
        .hasMessageContaining("no zone for `c`");
  }

  @Test
  void whatHasNoEffectIsAMistake() {
    assertThatThrownBy(
            () ->
                group(
                    """
                    healthCheck: { intervalMilliseconds: 500, timeoutMilliseconds: 501 }
                    noReplica: SOMETIMES
                    userReads: { report: { destination: PRIMARY } }
                    statementReads:
                    - { statement: "UPDATE t SET a = 1", destination: REPLICA }
                    - { statement: "SELECT a FROM t WHERE b = 1", destination: REPLICA }
                    - { statement: "select a from t where b = ?", destination: PRIMARY }
                    """,
                    ""))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("is longer than intervalMilliseconds (500)")
        .hasMessageContaining("there are `PRIMARY`, `WAIT`, `ERROR`")
        .hasMessageContaining("there is no user `report`; did you mean `reports`?")
        .hasMessageContaining("`UPDATE t SET a = 1` is no SELECT, WITH or VALUES")
        .hasMessageContaining("the statement is there twice");
  }
}
