package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unique keys without the sharding columns, looked for on all nodes, as one server keeps them. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class CheckedKeysIT {

  private static final String SCHEMA = "it_checked";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        uniqueKeysWithoutShardingColumns: CHECK
        tables:
          u:
            actualDataNodes: ds_${0..1}.u_${0..1}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: pairs } }
          made:
            actualDataNodes: ds_${0..1}.made
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
            keyGenerateStrategy: { column: id, keyGeneratorName: flake }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
          pairs: { type: INLINE, props: { algorithm-expression: "u_${user_id.intdiv(2) % 2}" } }
        keyGenerators:
          flake: { type: SNOWFLAKE }
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture = ShardedFixture.start(servers, SCHEMA, RULES, List.of());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  /**
   * @param values six of the key's first column: the fifth is the second again, the sixth the first
   */
  record Kind(String name, String columns, List<String> values) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kind> kinds() {
    String rest = "user_id INT NOT NULL, n INT DEFAULT 5, v VARCHAR(20), ";
    List<String> numbers = List.of("1", "2", "3", "4", "2", "1");
    List<String> texts = List.of("'a\u00e9'", "'b'", "'c'", "'d'", "'B '", "'A\u00c9'");
    return Stream.of(
        new Kind("primary", "id INT NOT NULL, " + rest + "PRIMARY KEY (id)", numbers),
        new Kind(
            "nullable",
            "id INT, " + rest + "UNIQUE KEY k (id)",
            List.of("1", "2", "NULL", "4", "2", "1")),
        new Kind(
            "composite", "id INT NOT NULL DEFAULT 3, " + rest + "UNIQUE KEY k (id, n)", numbers),
        new Kind(
            "text",
            "id VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL, "
                + rest
                + "PRIMARY KEY (id)",
            texts),
        new Kind(
            "prefix",
            "id VARCHAR(90) COLLATE utf8mb4_general_ci NOT NULL, " + rest + "UNIQUE KEY k (id(1))",
            List.of("'a'", "'b'", "'c'", "'d'", "'B2'", "'A1'")),
        new Kind(
            "float",
            "id FLOAT NOT NULL, " + rest + "UNIQUE KEY k (id)",
            List.of("1.1", "16777217", "3", "4.5", "16777216", "1.10")),
        new Kind(
            "decimal",
            "id DECIMAL(9,1) NOT NULL, " + rest + "UNIQUE KEY k (id)",
            List.of("1.1", "2", "3", "4", "1.96", "1.14")),
        new Kind(
            "several",
            "id INT NOT NULL, "
                + rest
                + "PRIMARY KEY (id), UNIQUE KEY k (n), UNIQUE KEY z (user_id, v)",
            numbers));
  }

  private static List<String> writes(Kind kind, String verb, String tail) {
    List<String> v = kind.values();
    String all = verb + " INTO u (id, user_id, n, v) ";
    return List.of(
        all + "VALUES (" + v.get(2) + ", 1, 13, 'c')" + tail,
        all + "VALUES (" + v.get(4) + ", 1, 12, 'd')" + tail,
        all + "VALUES (" + v.get(5) + ", 1, 11, 'd')" + tail,
        all + "VALUES (" + v.get(5) + ", 3, 11, 'd')" + tail,
        all + "VALUES (" + v.get(4) + ", 1, 11, 'd')" + tail,
        all
            + "VALUES (%s, 1, 13, 'c'), (%s, 1, 12, 'd'), (%s, 2, 15, 'e')"
                .formatted(v.get(2), v.get(4), v.get(3))
            + tail,
        all
            + "VALUES (%1$s, 1, 13, 'c'), (%1$s, 2, 13, 'd'), (%2$s, 3, 15, 'e'), (%2$s, 4, 16, 'f')"
                .formatted(v.get(3), v.get(1))
            + tail,
        verb
            + " INTO u (id, user_id) VALUES (%s, 1), (%s, 2), (%1$s, 4)"
                .formatted(v.get(3), v.get(2))
            + tail,
        verb + " INTO u SET id = " + v.get(4) + ", user_id = 3, n = 12, v = 'x'" + tail);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void duplicatesAreFoundWhereverTheyLie(Kind kind) throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        Transcript.of(each, "DROP TABLE IF EXISTS u");
        assertThat(Transcript.of(each, "CREATE TABLE u (" + kind.columns() + ")").head())
            .startsWith("affected");
      }
      var writes = new ArrayList<String>();
      for (String verb : List.of("INSERT", "INSERT IGNORE", "REPLACE")) {
        writes.addAll(writes(kind, verb, ""));
      }
      writes.addAll(
          writes(kind, "INSERT", " ON DUPLICATE KEY UPDATE v = CONCAT(COALESCE(v, ''), '+')"));
      List<String> v = kind.values();
      String seed =
          "INSERT INTO u (id, user_id, n, v) VALUES (%s, 1, 11, 'a'), (%s, 2, 12, 'b')"
              .formatted(v.get(0), v.get(1));
      String read = "INSERT INTO u (id, user_id, n, v) SELECT ";
      writes.add(
          read + "CAST(" + v.get(3) + " AS CHAR), user_id + 1, n + 30, 'q' FROM u WHERE n = 11");
      writes.add(
          "INSERT IGNORE INTO u (id, user_id, n, v) SELECT id, 1, 11, v FROM u WHERE n = 11");
      for (String sql : writes) {
        for (String each : List.of("DELETE FROM u", seed, sql)) {
          both(proxied, direct, each, kind + ": " + sql, softly);
        }
        both(
            proxied,
            direct,
            "SELECT id, user_id, n, v FROM u ORDER BY user_id, n, v, id",
            kind + ": after " + sql,
            softly);
      }
    }
    softly.assertAll();
  }

  private static void both(
      Connection proxied, Connection direct, String sql, String as, SoftAssertions softly) {
    Transcript expected = Transcript.of(direct, sql);
    softly
        .assertThat(Transcript.of(proxied, sql).toString())
        .as(as)
        .isEqualTo(expected.toString().replace(fixture.plainSchema(), SCHEMA));
  }

  private static void table(Connection connection, String columns) {
    Transcript.of(connection, "DROP TABLE IF EXISTS u");
    assertThat(Transcript.of(connection, "CREATE TABLE u (" + columns + ")").head())
        .startsWith("affected");
  }

  /** What the proxy asks is read as the session's statements are. */
  @ParameterizedTest
  @ValueSource(strings = {"latin1", "gbk", "utf8mb4"})
  void columnsAreCalledInTheSessionsLetters(String charset) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        Transcript.of(each, "SET NAMES utf8mb4");
        table(each, "\u00e9 INT NOT NULL PRIMARY KEY, user_id INT NOT NULL, v VARCHAR(9)");
        Transcript.of(each, "SET NAMES " + charset);
      }
      var softly = new SoftAssertions();
      both(proxied, direct, "INSERT INTO u VALUES (1, 1, 'a'), (2, 2, 'b')", charset, softly);
      both(proxied, direct, "INSERT INTO u VALUES (1, 2, 'a')", charset, softly);
      both(proxied, direct, "INSERT IGNORE INTO u VALUES (1, 2, 'a')", charset, softly);
      softly.assertAll();
    }
  }

  private static final String SIMPLE =
      "id INT NOT NULL PRIMARY KEY, user_id INT NOT NULL, v VARCHAR(9)";

  @Test
  void parametersAndTransactions() throws SQLException {
    try (Connection proxied = fixture.throughProxy("useServerPrepStmts=true");
        Connection direct = fixture.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        table(each, SIMPLE);
      }
      var softly = new SoftAssertions();
      String insert = "INSERT INTO u VALUES (?, ?, 'x'), (?, ?, 'y')";
      for (Object[] row :
          List.of(
              new Object[] {1, 1, 2, 2}, new Object[] {3, 1, 2, 3}, new Object[] {4, 1, 4, 2})) {
        softly
            .assertThat(Transcript.of(proxied, insert, row))
            .isEqualTo(Transcript.of(direct, insert, row));
      }
      for (String sql :
          List.of(
              "START TRANSACTION",
              "INSERT INTO u VALUES (5, 1, 'a')",
              "INSERT INTO u VALUES (6, 1, 'a'), (5, 2, 'b')",
              "INSERT IGNORE INTO u VALUES (7, 1, 'a'), (5, 2, 'b')",
              "REPLACE INTO u VALUES (5, 2, 'r')",
              "SELECT * FROM u ORDER BY id",
              "COMMIT",
              "INSERT INTO u SELECT 5, 3, 'x'",
              "INSERT INTO u SELECT 8, 3, 'x'",
              "DELETE FROM u WHERE id = 5",
              "INSERT INTO u VALUES (5, 4, 'x')",
              "SELECT * FROM u ORDER BY id")) {
        both(proxied, direct, sql, sql, softly);
      }
      softly.assertAll();
    }
  }

  /** The second one waits for the first, whose key it would have. */
  @ParameterizedTest
  @ValueSource(strings = {"REPEATABLE READ", "READ COMMITTED"})
  void ofTwoAtTheSameMomentOneWins(String isolation) throws SQLException {
    try (Connection first = fixture.throughProxy();
        Connection second = fixture.throughProxy()) {
      table(first, SIMPLE);
      Transcript.of(first, "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
      Transcript.of(second, "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
      Transcript.of(first, "START TRANSACTION");
      assertThat(Transcript.of(first, "INSERT INTO u VALUES (1, 1, 'a')").isError()).isFalse();
      CompletableFuture<Transcript> later =
          CompletableFuture.supplyAsync(
              () -> Transcript.of(second, "INSERT INTO u VALUES (1, 2, 'b')"));
      assertThat(Transcript.of(first, "COMMIT").isError()).isFalse();
      assertThat(later.join().withoutMessage().head()).isEqualTo("error 1062 23000");
      assertThat(Transcript.of(first, "SELECT id, v FROM u").rows()).hasSize(1);
    }
  }

  @Test
  void keysThatTheProxyMakesAreNotAskedFor() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript.of(proxied, "DROP TABLE IF EXISTS made");
      Transcript.of(proxied, "CREATE TABLE made (id BIGINT PRIMARY KEY, user_id INT, c INT)");
      for (String sql :
          List.of(
              "INSERT INTO made (user_id, c) VALUES (1, 1), (2, 2)",
              "INSERT INTO made (id, user_id) VALUES (NULL, 1), (7, 2)")) {
        assertThat(Transcript.of(proxied, sql).head()).startsWith("affected 2");
      }
      assertThat(
              Transcript.of(proxied, "INSERT INTO made VALUES (7, 1, 1)").withoutMessage().head())
          .isEqualTo("error 1062 23000");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE u SET id = id + 1",
        "INSERT INTO u VALUES (1, 1, 'x') ON DUPLICATE KEY UPDATE id = 5",
        "REPLACE INTO u SELECT 1, 2, 'x'",
        "INSERT INTO u SELECT 1, 2, 'x' ON DUPLICATE KEY UPDATE v = 'y'",
      })
  void whatCannotBeCheckedIsRefusedByName(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      table(proxied, SIMPLE);
      Transcript.of(proxied, "INSERT INTO u VALUES (1, 1, 'a')");
      assertThat(Transcript.of(proxied, sql).head()).contains("AB2001").contains("unique key");
      assertThat(Transcript.of(proxied, "SELECT * FROM u").rows()).hasSize(1);
    }
  }
}
