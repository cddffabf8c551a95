package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * User variables in conditions over two data sources as on one server: their collation counts as
 * much as a column's, and their type is their own.
 */
@Tag("both")
@Tag("long")
@ExtendWith(MariaDbServers.Resolver.class)
class VariableCollationsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          f:
            actualDataNodes: ds_${0..1}.f
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
          w:
            actualDataNodes: ds_${0..1}.w
            databaseStrategy: { standard: { shardingColumn: word, shardingAlgorithmName: hashes } }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
          hashes: { type: HASH_MOD, props: { sharding-count: 2 } }
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  private static final List<String> COLUMNS = List.of("g", "u", "b", "l", "lg");

  private static final List<String> VALUES =
      List.of(
          "'a'",
          "'a' COLLATE utf8mb4_general_ci",
          "'A' COLLATE utf8mb4_unicode_ci",
          "'a' COLLATE utf8mb4_bin",
          "_latin1'a'",
          "_latin1'A' COLLATE latin1_general_cs",
          "'ä' COLLATE utf8mb4_general_ci",
          "x'61'",
          "1",
          "NULL");

  private static final List<String> CONDITIONS =
      List.of(
          "%s = @v",
          "@v <> %s",
          "%s IN ('b', @v)",
          "%s LIKE @v",
          "%s BETWEEN @v AND 'b'",
          "CONCAT(%s, '') = @v",
          "@v = 'A' AND %s IS NOT NULL",
          "%s COLLATE utf8mb4_general_ci = @v",
          "%s LIKE @v COLLATE utf8mb4_unicode_ci",
          "CONCAT(@v, 'b') COLLATE utf8mb4_general_ci = CONCAT(%s, 'b')",
          "id = 1 AND %s = @v");

  private static final List<String> STATEMENTS =
      List.of(
          "DELETE FROM f WHERE g = @v",
          "UPDATE f SET n = 9 WHERE u = @v",
          "UPDATE f SET b = @v WHERE lg = @v",
          "INSERT INTO f (id, b) SELECT id + 10, b FROM f WHERE g = @v",
          "SELECT f.id FROM f JOIN w ON w.word = f.b AND w.note = @v",
          "SELECT id FROM f WHERE u IN (SELECT note FROM w WHERE note = @v)",
          "SELECT MIN(id), COUNT(*) FROM f WHERE g = @v GROUP BY g",
          "SELECT id FROM f WHERE d >= @v",
          "SELECT word FROM w WHERE word = @v AND note = @v",
          "SELECT word FROM w WHERE word = @v",
          "SELECT word FROM w WHERE word COLLATE utf8mb4_general_ci = @v",
          "SELECT word FROM w WHERE word COLLATE utf8mb4_general_ci LIKE @v",
          "SELECT word FROM w WHERE word IN ('b' COLLATE utf8mb4_general_ci, @v)",
          "SELECT note FROM w WHERE @v = word COLLATE utf8mb4_general_ci OR word = 'b'",
          "DELETE FROM w WHERE word COLLATE utf8mb4_general_ci = @v",
          "UPDATE w SET note = 'x' WHERE word COLLATE utf8mb4_unicode_ci = @v",
          "SELECT MIN(id), COUNT(*) FROM f GROUP BY b HAVING b COLLATE utf8mb4_general_ci = @v",
          "SELECT u, @v = u COLLATE utf8mb4_unicode_ci FROM f WHERE id = 1",
          "SELECT id FROM f ORDER BY u COLLATE utf8mb4_unicode_ci = @v, id");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_own_collations", RULES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE f (id INT PRIMARY KEY, n INT, d DATETIME,"
                + " g VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,"
                + " u VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,"
                + " b VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,"
                + " l VARCHAR(9) CHARACTER SET latin1,"
                + " lg VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_general_cs)");
        statement.execute(
            "CREATE TABLE w (word VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PRIMARY KEY,"
                + " note VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci)");
        statement.execute(
            "INSERT INTO f VALUES (1, 1, '2025-01-01', 'a', 'a', 'a', 'a', 'a'), (2, 2, '2025-02-01',"
                + " 'A', 'A', 'A', 'A', 'A'), (3, 3, NULL, 'b', 'b', 'b', 'b', 'b'), (4, 4,"
                + " '2024-01-01', 'ä', 'ä', 'ä', 'ä', 'ä')");
        statement.execute("INSERT INTO w VALUES ('a', 'a'), ('A', 'A'), ('b', 'ä'), ('ä', 'b')");
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @Test
  void conditions() throws SQLException {
    var soft = new SoftAssertions();
    for (String value : VALUES) {
      var statements = new ArrayList<String>();
      for (String column : COLUMNS) {
        for (String condition : CONDITIONS) {
          statements.add("SELECT id FROM f WHERE " + condition.formatted(column));
        }
      }
      statements.addAll(STATEMENTS);
      compare(soft, value, statements);
    }
    soft.assertAll();
  }

  /** Values that decide routing are looked at still. */
  @Test
  void conditionsThatRoute() throws SQLException {
    try (Connection proxied = sharded.throughProxy()) {
      for (String set : List.of("SET @v = 2, @w = 'a'", "SET @v = '2', @w = 'a'")) {
        Transcript.of(proxied, set);
        for (String sql :
            List.of(
                "SELECT g FROM f WHERE id = @v AND g = @w",
                "SELECT g FROM f WHERE g = @w AND (id = @v)",
                "DELETE FROM f WHERE id IN (@v, 4) AND g = @w",
                "UPDATE w SET note = @w WHERE word = @w")) {
          String plan = Transcript.of(proxied, "EXPLAIN ROUTE " + sql).toString();
          assertThat(plan.contains("ds_0") && plan.contains("ds_1"))
              .as(sql + ": " + plan)
              .isFalse();
        }
      }
    }
  }

  private static void compare(SoftAssertions soft, String value, List<String> statements)
      throws SQLException {
    var answers = new ArrayList<List<String>>();
    try (Connection direct = sharded.onPlain();
        Connection proxied = sharded.throughProxy()) {
      for (Connection each : List.of(direct, proxied)) {
        each.setAutoCommit(false);
        var told = new ArrayList<String>();
        answers.add(told);
        for (String sql : statements) {
          Transcript.of(each, "SET @v = " + value);
          Transcript answer = Transcript.of(each, sql);
          List<String> after = Transcript.of(each, "SELECT id, n, b FROM f ORDER BY id").rows();
          String head =
              answer.isError()
                  ? answer.withoutMessage().head()
                  : answer.rows().stream().sorted().toList().toString();
          told.add(sql + ": " + head + (sql.startsWith("SELECT") ? "" : after));
          each.rollback();
        }
      }
    }
    for (int i = 0; i < statements.size(); i++) {
      soft.assertThat(answers.get(1).get(i)).as(value).isEqualTo(answers.get(0).get(i));
    }
  }
}
