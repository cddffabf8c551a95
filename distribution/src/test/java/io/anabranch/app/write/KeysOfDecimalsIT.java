package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * DECIMAL keys by HASH_MOD, whose hash code depends on digits that mean nothing: whatever a value
 * is written like, its row has one place, where the same value is a duplicate.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class KeysOfDecimalsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          f: { actualDataSources: "ds_${0..1}", shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: quarters } } }
        shardingAlgorithms:
          quarters: { type: HASH_MOD, props: { sharding-count: 4 } }
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  private static final List<List<String>> VALUES =
      List.of(
          List.of("1.5", "1.50", "'1.5'", "'1.500'", "1.4999", "' 1.5'", "+1.5", "'+01.50'"),
          List.of("-7.25", "'-7.25'", "-7.250", "-7.2499"),
          List.of("5", "5.0", "'5'", "5.00", "'5.000'", "4.999", "05"),
          List.of("0", "0.00", "'0'", "-0.0", "0.001", "'-0'"),
          List.of("123456.78", "'123456.78'", "123456.7800"),
          List.of("999999.99", "'999999.99'"));

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) {
    sharded = ShardedFixture.start(servers, "it_decimals", RULES, List.of());
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @Test
  void haveOnePlaceForAllForms() throws SQLException {
    var statements = new ArrayList<String>();
    statements.add("CREATE TABLE f (k DECIMAL(8,2) PRIMARY KEY, n INT)");
    statements.add("CREATE TABLE s (k DECIMAL(20,5), n INT)");
    for (List<String> forms : VALUES) {
      for (String first : forms) {
        for (String second : forms) {
          statements.add("INSERT INTO f VALUES (%s, 1), (77.7, 2)".formatted(first));
          statements.add("INSERT INTO f VALUES (%s, 2)".formatted(second));
          statements.add(
              "INSERT INTO f VALUES (%s, 3) ON DUPLICATE KEY UPDATE n = n + 10".formatted(second));
          statements.add("SELECT * FROM f WHERE k = %s".formatted(second));
          statements.add("UPDATE f SET n = n + 1 WHERE k = %s".formatted(second));
          statements.add("REPLACE INTO f VALUES (%s, 7)".formatted(second));
          statements.add("SELECT * FROM f WHERE k IN (%s, 77.70) ORDER BY k".formatted(first));
          statements.add("UPDATE f SET k = k + 1.1 WHERE k = %s".formatted(first));
          statements.add("UPDATE f SET k = %s WHERE n = 7".formatted(second));
          statements.add("INSERT INTO s SELECT * FROM f");
          statements.add("INSERT INTO f SELECT k, 4 FROM s");
          statements.add("DELETE FROM f WHERE n <> 4");
          statements.add("INSERT INTO f SELECT k, 5 FROM s ORDER BY k");
          statements.add("SELECT * FROM f ORDER BY k");
          statements.add("DELETE FROM f");
          statements.add("DELETE FROM s");
        }
      }
    }
    compare(statements);
  }

  @Test
  void haveOnePlaceForAllParameters() throws SQLException {
    List<List<Object>> values =
        List.of(
            List.of(new BigDecimal("1.5"), new BigDecimal("1.50"), new BigDecimal("1.500"), "1.5"),
            List.of(5, 5L, new BigDecimal("5"), new BigDecimal("5.00"), "5", "5.0"));
    var softly = new SoftAssertions();
    try (Connection proxied = sharded.throughProxy("useServerPrepStmts=true");
        Connection plain = sharded.onPlain("useServerPrepStmts=true")) {
      for (Connection each : List.of(proxied, plain)) {
        Transcript.of(each, "DROP TABLE IF EXISTS f");
        Transcript.of(each, "CREATE TABLE f (k DECIMAL(8,2) PRIMARY KEY, n INT)");
      }
      for (List<Object> forms : values) {
        for (Object first : forms) {
          for (Object second : forms) {
            for (String sql :
                List.of(
                    "INSERT INTO f VALUES (?, 1)",
                    "REPLACE INTO f VALUES (?, 2)",
                    "DELETE FROM f WHERE k = ?")) {
              Object value = sql.startsWith("INSERT") ? first : second;
              softly
                  .assertThat(Transcript.of(proxied, sql, value).withoutMessage())
                  .as("%s: %s", sql, value)
                  .isEqualTo(Transcript.of(plain, sql, value).withoutMessage());
            }
          }
        }
      }
    }
    softly.assertAll();
  }

  private static void compare(List<String> statements) throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      Transcript.of(proxied, "DROP TABLE IF EXISTS f, s");
      Transcript.of(plain, "DROP TABLE IF EXISTS f, s");
      for (String sql : statements) {
        Transcript answer = Transcript.of(proxied, sql);
        assertThat(answer.isRefusal()).as("%s: %s", sql, answer.head()).isFalse();
        softly
            .assertThat(answer.withoutMessage().withoutWarnings())
            .as(sql)
            .isEqualTo(Transcript.of(plain, sql).withoutMessage().withoutWarnings());
      }
    }
    softly.assertAll();
  }
}
