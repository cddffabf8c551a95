package io.anabranch.app.query;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * IN lists on sharding columns of each type, of each pair of literals: also of what is none of that
 * type, which a server takes, warns of or refuses by what else is in the list. Each node's
 * statement has a part of the list.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ListsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          whole: { actualDataSources: "ds_${0..1}", shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: quarters } } }
          text: { actualDataSources: "ds_${0..1}", shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: quarters } } }
          day: { actualDataSources: "ds_${0..1}", shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: quarters } } }
          moment: { actualDataSources: "ds_${0..1}", shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: quarters } } }
        shardingAlgorithms:
          quarters: { type: HASH_MOD, props: { sharding-count: 4 } }
      """;

  /** A table for each type of sharding column, with rows and the literals of lists. */
  record Key(String table, String type, String rows, List<String> values) {}

  private static final List<Key> KEYS =
      List.of(
          new Key(
              "whole",
              "INT",
              "(1, 1), (2, 2), (3, 3), (4, 4), (-1, 5)",
              List.of(
                  "1",
                  "2",
                  "'1'",
                  "'3x'",
                  "'x'",
                  "2.0",
                  "2.5",
                  "3e0",
                  "NULL",
                  "TRUE",
                  "''",
                  "' 2'",
                  "'2 '",
                  "99999999999",
                  "0x31",
                  "DATE'2024-01-01'",
                  "'2.0'")),
          new Key(
              "text",
              "VARCHAR(20) COLLATE utf8mb4_bin",
              "('a', 1), ('b', 2), ('1', 3), ('2.5', 4), ('c ', 5)",
              List.of("'a'", "'b'", "'1'", "1", "2.5", "NULL", "'A'", "'a '", "0x61", "1e0")),
          new Key(
              "day",
              "DATE",
              "('2024-01-01', 1), ('2024-01-02', 2), ('2024-01-03', 3)",
              List.of(
                  "'2024-01-01'",
                  "'2024-01-02'",
                  "DATE'2024-01-03'",
                  "20240102",
                  "'2024-02-30'",
                  "'x'",
                  "'2024-1-2'",
                  "NULL",
                  "'2024-01-02 10:00:00'",
                  "''")),
          new Key(
              "moment",
              "DATETIME",
              "('2024-01-01', 1), ('2024-01-02', 2), ('2024-01-03 10:00:00', 3)",
              List.of(
                  "'2024-01-01'",
                  "'2024-01-02 00:00:00'",
                  "TIMESTAMP'2024-01-03 10:00:00'",
                  "20240102",
                  "'2024-02-30'",
                  "'x'",
                  "NULL",
                  "''")));

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) {
    sharded = ShardedFixture.start(servers, "it_lists", RULES, List.of());
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  static List<Key> keys() {
    return KEYS;
  }

  @ParameterizedTest
  @MethodSource("keys")
  void ofEachPair(Key key) throws SQLException {
    var statements = new ArrayList<String>();
    statements.add(
        "CREATE TABLE `%s` (k %s PRIMARY KEY, n INT)".formatted(key.table(), key.type()));
    statements.add("INSERT INTO `%s` VALUES %s".formatted(key.table(), key.rows()));
    for (String first : key.values()) {
      for (String second : key.values()) {
        for (String form :
            List.of(
                "UPDATE `%s` SET n = n + 1 WHERE k IN (%s, %s)",
                "DELETE FROM `%s` WHERE k IN (%s, %s) AND n > 100000",
                "SELECT n FROM `%s` WHERE k IN (%s, %s) ORDER BY n")) {
          statements.add(form.formatted(key.table(), first, second));
        }
      }
    }
    var softly = new SoftAssertions();
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      for (String sql : statements) {
        String wanted = told(plain, sql);
        softly.assertThat(told(proxied, sql)).as(sql).isEqualTo(wanted);
      }
    }
    softly.assertAll();
  }

  /** Which row an error is about, and what rows are warned of, tells the order of reading. */
  private static String told(Connection connection, String sql) {
    return Transcript.of(connection, sql).withoutMessage().withoutWarnings().toString();
  }
}
