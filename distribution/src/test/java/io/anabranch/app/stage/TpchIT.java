package io.anabranch.app.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The 22 queries of TPC-H at scale 0.01 answer as on one plain database: orders by customer,
 * lineitem by order, partsupp by part, customer by its key over two data sources with four tables
 * each; nation and region everywhere, supplier and part in one data source each.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class TpchIT {

  private static final String SCHEMA = "it_tpch";
  private static final long SEED = 20;

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          orders:
            actualDataNodes: ds_${0..1}.orders_${0..3}
            databaseStrategy: { standard: { shardingColumn: o_custkey, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: o_orderkey, shardingAlgorithmName: quarters } }
          lineitem:
            actualDataNodes: ds_${0..1}.lineitem_${0..3}
            databaseStrategy: { standard: { shardingColumn: l_orderkey, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: l_partkey, shardingAlgorithmName: quarters } }
        autoTables:
          customer:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: c_custkey, shardingAlgorithmName: eighths } }
          partsupp:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: ps_partkey, shardingAlgorithmName: eighths } }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
          quarters: { type: MOD, props: { sharding-count: 4 } }
          eighths: { type: MOD, props: { sharding-count: 8 } }
      - !BROADCAST
        tables: [nation, region]
      - !SINGLE
        tables: [ds_0.supplier, ds_1.part]
        defaultDataSource: ds_0
      """;

  private static ShardedFixture fixture;
  private static Connection plain;
  private static Connection sharded;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, SCHEMA, RULES, List.of(TpchData.SCHEMA.get(2)));
    plain = fixture.onPlain();
    sharded = fixture.throughProxy();
    TpchData.fill(SEED, plain, sharded);
  }

  @AfterAll
  static void stop() throws SQLException {
    plain.close();
    sharded.close();
    fixture.close();
  }

  @ParameterizedTest(name = "Q{index}")
  @MethodSource("queries")
  void answersAsOneDatabase(String sql) {
    Transcript expected = Transcript.of(plain, sql);
    assertThat(expected.rows()).isNotEmpty();
    assertThat(Transcript.of(sharded, sql)).isEqualTo(expected);
  }

  static List<String> queries() throws IOException {
    var queries = new ArrayList<String>();
    try (InputStream in = TpchIT.class.getResourceAsStream("/tpch/queries.sql")) {
      new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("--"))
          .map(line -> line.substring(0, line.length() - 1))
          .forEach(queries::add);
    }
    assertThat(queries).hasSize(22);
    return queries;
  }
}
