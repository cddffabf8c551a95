package io.anabranch.app.query;

import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** PARTITION (…) of a sharded table whose parts have other names, with and without an alias. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class NamedPartitionsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          f:
            actualDataNodes: ds_${0..1}.f_${0..1}
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: n, shardingAlgorithmName: halves } }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  @Test
  void partitionsAreReadAndWritten(DatabaseServers servers) throws SQLException {
    try (ShardedFixture sharded = ShardedFixture.start(servers, "it_parts", RULES, List.of())) {
      for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
        try (each;
            var statement = each.createStatement()) {
          statement.execute(
              "CREATE TABLE f (id INT, n INT, PRIMARY KEY (id, n)) PARTITION BY RANGE (id)"
                  + " (PARTITION p0 VALUES LESS THAN (3), PARTITION p1 VALUES LESS THAN MAXVALUE)");
          statement.execute("INSERT INTO f VALUES (1, 1), (2, 1), (3, 2), (4, 2), (5, 1)");
        }
      }
      sharded.same(
          "SELECT * FROM f PARTITION (p1) ORDER BY id DESC",
          "SELECT * FROM f PARTITION (p0, p1) WHERE id > 1 ORDER BY f.id LIMIT 2",
          "SELECT f.n, COUNT(*) FROM f PARTITION (p1) GROUP BY f.n ORDER BY f.n",
          "SELECT * FROM f PARTITION (p1) WHERE id = 3 AND n = 2",
          "SELECT * FROM `f` PARTITION (p0) AS g ORDER BY g.id",
          "SELECT a.id FROM f PARTITION (p0) a WHERE a.id = 1 ORDER BY id",
          "UPDATE f PARTITION (p0) SET n = n WHERE id > 0",
          "DELETE FROM f PARTITION (p1) WHERE id > 4",
          "SELECT * FROM f ORDER BY id");
    }
  }
}
