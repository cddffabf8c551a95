package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * TIMESTAMP in a time zone whose summer time ends: servers sort by UTC and show one hour twice.
 * MariaDB groups by UTC, too, MySQL by what it shows.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class RepeatedHourIT {

  /** Two hours ahead of UTC until 01:00 of the 26th of October 2025, one hour from then on. */
  private static final List<String> ZONE =
      List.of(
          "DELETE FROM mysql.time_zone_name WHERE Time_zone_id = 77777",
          "DELETE FROM mysql.time_zone WHERE Time_zone_id = 77777",
          "DELETE FROM mysql.time_zone_transition WHERE Time_zone_id = 77777",
          "DELETE FROM mysql.time_zone_transition_type WHERE Time_zone_id = 77777",
          "INSERT INTO mysql.time_zone (Time_zone_id, Use_leap_seconds) VALUES (77777, 'N')",
          "INSERT INTO mysql.time_zone_name (Name, Time_zone_id) VALUES ('Test/Autumn', 77777)",
          "INSERT INTO mysql.time_zone_transition_type (Time_zone_id, Transition_type_id, `Offset`,"
              + " Is_DST, Abbreviation) VALUES (77777, 0, 7200, 1, 'S'), (77777, 1, 3600, 0, 'W')",
          "INSERT INTO mysql.time_zone_transition (Time_zone_id, Transition_time,"
              + " Transition_type_id) VALUES (77777, 0, 0), (77777, 1761440400, 1)");

  /** Two tables in each data source, which a UNION reads together. */
  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          f:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
        shardingAlgorithms:
          quarters: { type: MOD, props: { sharding-count: 4 } }
      """;

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    for (DatabaseServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute(ZONE.toArray(String[]::new));
    }
    sharded = ShardedFixture.start(servers, "it_autumn", RULES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute("SET time_zone = '+00:00'");
        statement.execute("CREATE TABLE f (id INT PRIMARY KEY, seen TIMESTAMP(1) NULL)");
        statement.execute(
            "INSERT INTO f VALUES (1, '2025-10-26 00:10:00'), (2, '2025-10-26 00:30:00'),"
                + " (3, '2025-10-26 01:05:00'), (4, '2025-10-26 01:10:00'), (5, '2025-10-26"
                + " 01:10:00'), (6, '2025-10-26 00:10:00'), (7, NULL), (8, '2025-10-26 03:00:00.5'),"
                + " (9, '2025-10-26 00:30:00')");
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT seen FROM f ORDER BY seen",
        "SELECT seen FROM f ORDER BY seen DESC LIMIT 4",
        "SELECT id, seen FROM f ORDER BY seen, id",
        "SELECT seen, COUNT(*) FROM f GROUP BY seen ORDER BY seen",
        "SELECT seen, SUM(id) FROM f GROUP BY seen ORDER BY SUM(id), seen",
        "SELECT DISTINCT seen FROM f ORDER BY seen",
        "SELECT COUNT(DISTINCT seen) FROM f",
        "SELECT MIN(seen), MAX(seen) FROM f WHERE id < 6",
        "SELECT id % 2, MAX(seen) FROM f WHERE id IN (3, 2, 4, 1) GROUP BY id % 2 ORDER BY 1",
        "SELECT COUNT(*), MAX(seen) FROM f WHERE id IN (2, 3)",
        "SELECT seen FROM f WHERE seen > '2025-10-26 02:00:00' ORDER BY seen LIMIT 3"
      })
  void sortsAndGroupsByTheMoment(String sql) throws SQLException {
    try (Connection plain = sharded.onPlain();
        Connection proxied = sharded.throughProxy()) {
      for (Connection each : List.of(plain, proxied)) {
        assertThat(Transcript.of(each, "SET time_zone = 'Test/Autumn'").isError()).isFalse();
      }
      Transcript expected = Transcript.of(plain, sql);
      assertThat(expected.isError()).as(expected.head()).isFalse();
      assertThat(Transcript.of(proxied, sql).rows()).as(sql).isEqualTo(expected.rows());
    }
  }
}
