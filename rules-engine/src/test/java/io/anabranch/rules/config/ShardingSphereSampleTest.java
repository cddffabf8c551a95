package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Files as they are written for ShardingSphere load unchanged. */
class ShardingSphereSampleTest {

  private static final String GLOBAL =
      """
      mode:
        type: Standalone
        repository:
          type: JDBC
          props: { provider: H2 }
      authority:
        users:
          - user: root@%
            password: root
            admin: true
          - user: app@10.0.0.0
            password: secret
        privilege:
          type: DATABASE_PERMITTED
          props:
            user-database-mappings: root@%=*, app@10.0.0.0=shop
      sqlParser:
        sqlStatementCache: { initialCapacity: 2000, maximumSize: 65535 }
        parseTreeCache:    { initialCapacity: 128,  maximumSize: 1024 }
      sqlFederation:
        sqlFederationEnabled: true
        allQueryUseSQLFederation: true
        executionPlanCache: { initialCapacity: 2000, maximumSize: 65535 }
      props:
        sql-show: true
        proxy-default-port: 3308
      """;

  private static final String SHOP =
      """
      databaseName: shop
      dataSources:
        p0: &pool { url: "jdbc:mysql://mysql-p0:3306/shop?useSSL=false", username: root, password: root, maxPoolSize: 100, minPoolSize: 10 }
        r0: { <<: *pool, url: "jdbc:mysql://mysql-r0:3306/shop?useSSL=false" }
        p1: { <<: *pool, url: "jdbc:mysql://mysql-p1:3306/shop?useSSL=false" }
        r1: { <<: *pool, url: "jdbc:mysql://mysql-r1:3306/shop?useSSL=false" }
      rules:
      - !READWRITE_SPLITTING
        dataSourceGroups:
          rw_0: { writeDataSourceName: p0, readDataSourceNames: [r0], loadBalancerName: rr }
          rw_1: { writeDataSourceName: p1, readDataSourceNames: [r1], loadBalancerName: rr }
        loadBalancers: { rr: { type: ROUND_ROBIN } }
      - !SHARDING
        tables:
          t_order:
            actualDataNodes: rw_${0..1}.t_order_${0..3}
            databaseStrategy: { standard: { shardingColumn: user_id,  shardingAlgorithmName: db2 } }
            tableStrategy:    { standard: { shardingColumn: order_id, shardingAlgorithmName: tb4 } }
            keyGenerateStrategy: { column: order_id, keyGeneratorName: sf }
        shardingAlgorithms:
          db2: { type: MOD,      props: { sharding-count: 2 } }
          tb4: { type: HASH_MOD, props: { sharding-count: 4 } }
        keyGenerators: { sf: { type: SNOWFLAKE, props: { worker-id: 1, max-vibration-offset: 3 } } }
      - !BROADCAST
        tables: [t_dict]
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: rw_0
      """;

  @Test
  void twoShardsWithAReplicaEach() {
    Configuration configuration = load(SHOP);

    LogicalDatabase shop = database(configuration, "shop");
    assertThat(shop.dataSources().keySet()).containsExactly("p0", "r0", "p1", "r1");
    assertThat(shop.dataSources().get("r1"))
        .returns("jdbc:mysql://mysql-r1:3306/shop?useSSL=false", source -> source.url())
        .returns("root", source -> source.password())
        .returns(100, source -> source.maxPoolSize())
        .returns(10, source -> source.minPoolSize());
    assertThat(shop.groups().get("rw_1"))
        .returns("p1", ReplicationGroup::primary)
        .returns(List.of("r1"), ReplicationGroup::replicas)
        .returns(ReplicationGroup.TransactionalReads.PRIMARY, ReplicationGroup::transactionalReads);
    assertThat(shop.endpoints()).containsExactly("rw_0", "rw_1");
    ShardedTable orders = Objects.requireNonNull(shop.shardedTables().get("t_order"));
    assertThat(orders.nodes())
        .hasSize(8)
        .startsWith(new DataNode("rw_0", "t_order_0"), new DataNode("rw_0", "t_order_1"))
        .endsWith(new DataNode("rw_1", "t_order_3"));
    assertThat(orders.databaseStrategy()).isInstanceOf(ShardingStrategy.Standard.class);
    assertThat(Objects.requireNonNull(orders.keyGeneration()).column()).isEqualTo("order_id");
    assertThat(shop.broadcastTables()).containsEntry("t_dict", "t_dict");
    assertThat(shop.single().tables()).containsExactly("*.*");
    assertThat(shop.single().defaultDataSource()).isEqualTo("rw_0");
    assertThat(configuration.notices()).hasSize(2);
    assertThat(configuration.ruleSet().properties().sqlShow()).isTrue();
    assertThat(configuration.ruleSet().properties().defaultPort()).isEqualTo(3308);
    assertThat(configuration.ruleSet().authority().databaseGrants())
        .containsEntry("app@10.0.0.0", java.util.Set.of("shop"))
        .containsEntry("root@%", java.util.Set.of("*"));
  }

  private static Configuration load(String database) {
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText("global.yaml", GLOBAL),
                new ConfigurationText("database-shop.yaml", database)));
  }

  private static LogicalDatabase database(Configuration configuration, String name) {
    return Objects.requireNonNull(configuration.ruleSet().databases().get(name));
  }

  @Test
  void hundredDataSourcesMayShareOneAnchor() throws ConfigurationException {
    var yaml = new StringBuilder("databaseName: wide\ndataSources:\n");
    yaml.append(
        "  ds_0: &pool { url: 'jdbc:mysql://127.0.0.1:3306/d', username: u, password: p }\n");
    for (int i = 1; i < 100; i++) {
      yaml.append("  ds_%d: { <<: *pool, maxPoolSize: %d }\n".formatted(i, i));
    }
    yaml.append("rules:\n- !SINGLE\n  tables: ['*.*']\n");
    LogicalDatabase wide =
        Objects.requireNonNull(
            new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                .load(
                    List.of(
                        new ConfigurationText(
                            "global.yaml", GLOBAL.replace(", app@10.0.0.0=shop", "")),
                        new ConfigurationText("database-wide.yaml", yaml.toString())))
                .ruleSet()
                .databases()
                .get("wide"));
    assertThat(wide.dataSources()).hasSize(100);
    assertThat(Objects.requireNonNull(wide.dataSources().get("ds_99")).maxPoolSize()).isEqualTo(99);
  }

  @Test
  void anUnquotedAsteriskIsExplained() {
    assertThatThrownBy(
            () ->
                new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                    .load(
                        List.of(
                            new ConfigurationText(
                                "database-a.yaml",
                                "databaseName: a\nrules:\n- !SINGLE\n  tables: [*.*]\n"))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("database-a.yaml:4:")
        .hasMessageContaining("quote a value that begins with an asterisk");
  }
}
