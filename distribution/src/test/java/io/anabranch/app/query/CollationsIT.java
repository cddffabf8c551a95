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
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables sharded by texts: whatever a column's type and collation call equal is found, joined and
 * changed as on one database, wherever the texts have placed their rows.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
@Tag("long")
class CollationsIT {

  private static final String SCHEMA = "it_collations";

  private static final List<String> VALUES =
      List.of("abc", "ABC", "\u00e4bc", "abc ", "abd", "abd    ", "\u00df", "ss", "", " ");

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t: &placed
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: w, shardingAlgorithmName: hashes } }
          s: *placed
        bindingTables: [ "t, s" ]
        shardingAlgorithms:
          hashes: { type: HASH_MOD, props: { sharding-count: 5 } }
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

  static Stream<String> columns() {
    boolean isMySql = DatabaseServers.areMySql();
    String noPad = isMySql ? "utf8mb4_0900_bin" : "utf8mb4_nopad_bin";
    String severalLevels = isMySql ? "utf8mb4_0900_as_cs" : "utf8mb4_uca1400_as_cs";
    return Stream.of(
            "CHAR(6) utf8mb4_bin",
            "VARCHAR(4) utf8mb4_general_ci",
            "CHAR(6) " + severalLevels,
            "VARCHAR(4) " + noPad,
            "CHAR(6) " + noPad,
            "TEXT latin1_general_cs")
        .map(
            column -> {
              String[] parts = column.split(" ", 2);
              return "%s CHARACTER SET %s COLLATE %s"
                  .formatted(parts[0], parts[1].substring(0, parts[1].indexOf('_')), parts[1]);
            });
  }

  private static List<String> rows() {
    var t = new StringBuilder("INSERT INTO t (id, w, n) VALUES ");
    var s = new StringBuilder("INSERT INTO s (id, w, n) VALUES ");
    for (int i = 0; i < VALUES.size(); i++) {
      String value = "('" + VALUES.get(i) + "')";
      t.append(i == 0 ? "" : ", ").append("(").append(i).append(", ").append(value);
      t.append(", ").append(i).append("0)");
      s.append(i == 0 ? "" : ", ").append("(").append(i).append(", ").append(value);
      s.append(", ").append(i).append("00)");
    }
    return List.of("DELETE FROM t", "DELETE FROM s", t.toString(), s.toString());
  }

  /** The second one finds the rows by their texts. */
  private static final List<String> CONTENTS =
      List.of(
          "SELECT id, HEX(w), n FROM t ORDER BY id",
          "SELECT id, n FROM t WHERE w IN ('abc', 'abd', 'ss', '', 'Abd', 'ABC', '1') ORDER BY id");

  private static List<String> reading() {
    var all = new ArrayList<String>();
    for (String text : List.of("abc", "abd ", "\u00df", "")) {
      String v = "'" + text + "'";
      all.add("SELECT id FROM t WHERE w = " + v + " ORDER BY id");
      all.add("SELECT COUNT(*) FROM t WHERE w <=> " + v);
      all.add("SELECT id FROM t WHERE w IN (" + v + ", 'zz') ORDER BY id");
      all.add("SELECT id FROM t WHERE w BETWEEN " + v + " AND " + v + " ORDER BY id");
      all.add("SELECT id FROM t WHERE w = " + v + " COLLATE utf8mb4_general_ci ORDER BY id");
      all.add("SELECT id FROM t WHERE w COLLATE utf8mb4_general_ci = " + v + " ORDER BY id");
      all.add(
          "SELECT id FROM t WHERE w IN ('zz', " + v + " COLLATE utf8mb4_general_ci) ORDER BY id");
      all.add("SELECT id FROM t WHERE w = _utf8mb4" + v + " OR w = N" + v + " ORDER BY id");
      all.add("SELECT id FROM t WHERE NOT (w <> " + v + ") ORDER BY id");
      all.add("SELECT t.id, s.id FROM t JOIN s ON t.w = s.w WHERE s.w = " + v + " ORDER BY 1, 2");
      all.add("SELECT t.id, s.id FROM t LEFT JOIN s USING (w) WHERE t.w = " + v + " ORDER BY 1, 2");
      all.add("SELECT id FROM t WHERE w IN (SELECT w FROM s WHERE w = " + v + ") ORDER BY id");
      all.add(
          "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.w = t.w AND s.id <> t.id AND s.w = "
              + v
              + ") ORDER BY id");
    }
    all.add("SELECT COUNT(*), SUM(n) FROM t GROUP BY w ORDER BY 1, 2");
    all.add("SELECT COUNT(DISTINCT w) FROM t");
    all.add("SELECT t.id, s.id FROM t JOIN s ON t.w = s.w ORDER BY 1, 2");
    return all;
  }

  private static List<String> changing() {
    var all = new ArrayList<String>();
    for (String text : List.of("abc", "abd ")) {
      String v = "'" + text + "'";
      all.add("UPDATE t SET n = n + 1 WHERE w = " + v);
      all.add("UPDATE t SET n = n + 1 WHERE w = " + v + " ORDER BY id DESC LIMIT 2");
      all.add("UPDATE t JOIN s ON t.w = s.w SET t.n = s.n WHERE s.id = 4 AND t.w = " + v);
      all.add("UPDATE t SET n = -2 WHERE w IN (SELECT w FROM s WHERE s.w = " + v + ")");
      all.add("DELETE FROM t WHERE w = " + v + " ORDER BY id LIMIT 1");
      all.add("UPDATE t SET w = 'Abd' WHERE w = " + v);
      all.add("UPDATE t SET w = " + v + " WHERE w = " + v);
      all.add("UPDATE t SET w = CONCAT(UPPER(w), ' ') WHERE w = " + v + " OR id = 5");
      all.add("DELETE FROM t WHERE w = " + v);
    }
    all.add("UPDATE t SET w = CONCAT(w, '  ')");
    all.add("UPDATE t SET w = id");
    all.add("UPDATE t SET w = 'abcdefgh' WHERE id < 3");
    all.add("INSERT INTO t (id, w, n) SELECT id + 100, CONCAT(w, ' '), n FROM s");
    all.add("REPLACE INTO t (id, w, n) SELECT id, w, n + 1 FROM s WHERE w = 'abc'");
    all.add("DELETE t FROM t JOIN s ON t.w = s.w WHERE s.id = 0");
    all.add("UPDATE t SET n = 7 ORDER BY id DESC LIMIT 9");
    all.add("DELETE FROM t ORDER BY id LIMIT 9");
    return all;
  }

  @ParameterizedTest
  @MethodSource("columns")
  void answersLikeOneDatabase(String type) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        tables(each, type, type.startsWith("TEXT") ? "(id, w(4))" : "(id, w)");
      }
      var softly = new SoftAssertions();
      for (String sql : rows()) {
        both(proxied, direct, sql, softly);
      }
      for (String sql : reading()) {
        both(proxied, direct, sql, softly);
      }
      for (String sql : changing()) {
        both(proxied, direct, "START TRANSACTION", softly);
        both(proxied, direct, sql, softly);
        for (String shown : CONTENTS) {
          softly
              .assertThat(Transcript.of(proxied, shown).toString())
              .as("after " + sql)
              .isEqualTo(Transcript.of(direct, shown).toString());
        }
        both(proxied, direct, "ROLLBACK", softly);
      }
      softly.assertAll();
    }
  }

  /** Expressions have the connection's collation, however it was set; one plan was for all. */
  @Test
  void ordersExpressionsAsTheConnectionDoes() throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        tables(each, "VARCHAR(9) CHARACTER SET utf8mb4", "(id, w)");
      }
      both(proxied, direct, "DELETE FROM t", softly);
      both(
          proxied,
          direct,
          "INSERT INTO t (id, w, n) VALUES (1, 'a', 1), (10, 'a\\t', 1), (1000000007, 'B', 2), (2, 'b ', 3)",
          softly);
      for (String setting :
          List.of(
              "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci",
              "SET collation_connection = utf8mb4_bin",
              "SET collation_connection = utf8mb4_unicode_ci",
              "SET character_set_connection = latin1",
              "SET NAMES latin1",
              "SET collation_connection = latin1_general_cs",
              "SET NAMES utf8mb4")) {
        both(proxied, direct, setting, softly);
        both(
            proxied,
            direct,
            "/* " + setting + " */ SELECT CAST(id AS CHAR) x FROM t ORDER BY x",
            softly);
        both(
            proxied,
            direct,
            "/* " + setting + " */ SELECT CONCAT('', id) x FROM t ORDER BY x DESC LIMIT 3",
            softly);
        both(
            proxied,
            direct,
            "/* " + setting + " */ SELECT id, IF(n = 1, 'a', 'a\\t') x FROM t ORDER BY x, id",
            softly);
        both(
            proxied,
            direct,
            "/* " + setting + " */ SELECT MIN(CONCAT(id)), MAX(CONCAT(id, '')) FROM t",
            softly);
        both(
            proxied,
            direct,
            "/* " + setting + " */ SELECT COUNT(*) FROM t GROUP BY IF(n = 1, 'x', 'X ') ORDER BY 1",
            softly);
      }
    }
    softly.assertAll();
  }

  private static void tables(Connection connection, String type, String key) {
    for (String table : List.of("t", "s")) {
      Transcript.of(connection, "DROP TABLE IF EXISTS " + table);
      Transcript made =
          Transcript.of(
              connection,
              "CREATE TABLE %s (id INT NOT NULL, w %s NOT NULL, n INT, PRIMARY KEY %s)"
                  .formatted(table, type, key));
      assertThat(made.isError()).as(made.head()).isFalse();
    }
  }

  private static void both(
      Connection proxied, Connection direct, String sql, SoftAssertions softly) {
    softly
        .assertThat(withoutRowNumbers(Transcript.of(proxied, sql)))
        .as(sql)
        .isEqualTo(
            withoutRowNumbers(Transcript.of(direct, sql)).replace(fixture.plainSchema(), SCHEMA));
  }

  /**
   * Rows of several nodes are numbered as they come, and which variable of SET NAMES a driver
   * dislikes first depends on the server's memory.
   */
  private static String withoutRowNumbers(Transcript answer) {
    return answer
        .toString()
        .replaceAll(" at row \\d+", "")
        .replace("character_set_results was changed", "character set was changed");
  }

  /**
   * Types of which a value may be written in several ways: rows that are found first are changed
   * wherever they lie, and no others.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          FLOAT         | 16777217; 16777219; 3e3; '12'; 5
          DOUBLE        | 9007199254740993; '17'; 3e3; 4.0; 5
          YEAR          | '24'; 2023; 71; '2021'; 5
          TIME          | '1:02:03'; '10:11:12'; 101113; '101114'; '9:11:12'
          ENUM('a','b') | 'A'; 1; 'b'; 2; '2'
          SET('a','b')  | 'A'; 1; 'b,a'; 3; 'a,b'
          BIT(8)        | 1; 2; '3'; 4; 5
          VARBINARY(8)  | 'a'; 'b'; 3; 4; '\u00fc'
          BLOB          | 'a'; 'b'; 3; 4; '\u00fc'
          TIMESTAMP     | '2024-1-5'; '20240106'; 20240107030405; '2024-01-08 01:02:03'; '2024-01-09'
          DECIMAL(20,2) | 7; '8.00'; 9.0; 10; 11
          JSON          | '{"a":1}'; '[ 1,2 ]'; '3'; '{"b":1, "a":2}'; 'null'
          """)
  void valuesOfOtherTypesAreFoundWhereverTheyLie(String type, String values) throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      var rows = new StringBuilder("INSERT INTO t (id, w, n) VALUES ");
      int id = 0;
      for (String value : values.split("; ", -1)) {
        rows.append(id == 0 ? "" : ", ").append("(%d, %s, 0)".formatted(++id, value));
      }
      for (String sql :
          List.of(
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, w %s NOT NULL, n INT)".formatted(type),
              rows.toString(),
              "UPDATE t SET n = n + 1 ORDER BY id LIMIT 9",
              "UPDATE t SET n = n + 10 WHERE id > 1 ORDER BY id DESC LIMIT 2",
              "SELECT id, n FROM t ORDER BY id",
              "DELETE FROM t ORDER BY id LIMIT 2",
              "SELECT id, n FROM t ORDER BY id")) {
        softly
            .assertThat(Transcript.of(proxied, sql).withoutWarnings())
            .as(type + ": " + sql)
            .isEqualTo(Transcript.of(direct, sql).withoutWarnings());
      }
    }
    softly.assertAll();
  }

  /** Characters that a column has not got are stored as question marks, and placed as those. */
  @ParameterizedTest
  @ValueSource(strings = {"latin1_bin", "ascii_bin", "utf8mb3_bin", "ucs2_bin", "utf8mb4_bin"})
  void charactersThatAColumnHasNotGotArePlacedAsTheyAreStored(String collation)
      throws SQLException {
    var softly = new SoftAssertions();
    String charset = collation.substring(0, collation.indexOf('_'));
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      String column = "w VARCHAR(9) CHARACTER SET " + charset + " COLLATE " + collation;
      for (Connection each : List.of(proxied, direct)) {
        Transcript.of(each, "DROP TABLE IF EXISTS t");
        Transcript.of(each, "CREATE TABLE t (id INT, " + column + " NOT NULL PRIMARY KEY)");
      }
      for (String sql :
          List.of(
              "INSERT INTO t VALUES (1, 'a\u0436')",
              "DELETE FROM t",
              "INSERT IGNORE INTO t VALUES (1, 'a\u0436'), (2, '\u20ac\u00e9'), (3, 'b\ud83d\ude00c')",
              "SET sql_mode = ''",
              "INSERT INTO t VALUES (4, '\u0436\ud83d\ude00 '), (5, '\u0081')",
              "INSERT IGNORE INTO t VALUES (6, 'a?'), (7, 'b?c'), (8, '\u20ac\u00e9')",
              "INSERT INTO t SELECT id + 10, CONCAT(w, '\u0451') FROM t WHERE id = 1",
              "SELECT id, HEX(w) FROM t ORDER BY id",
              "SELECT id FROM t WHERE w IN ('a?', 'b?c', '??', '?', 'a??') ORDER BY id",
              "SELECT id FROM t WHERE w = 'a?'",
              "SELECT id FROM t WHERE w = '??'",
              "UPDATE t SET id = id + 20 ORDER BY id LIMIT 9",
              "SELECT id FROM t ORDER BY id")) {
        softly
            .assertThat(Transcript.of(proxied, sql).withSortedWarnings().toString())
            .as(sql)
            .isEqualTo(
                Transcript.of(direct, sql)
                    .withSortedWarnings()
                    .toString()
                    .replace(fixture.plainSchema(), SCHEMA));
      }
    }
    softly.assertAll();
  }

  @Test
  void rowsMoveToTheDefault() throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String sql :
          List.of(
              "DROP TABLE IF EXISTS t, s",
              "CREATE TABLE t (id INT, w INT NOT NULL DEFAULT 7, n INT DEFAULT 3, PRIMARY KEY (id, w))",
              "CREATE TABLE s (id INT, w VARCHAR(9) NOT NULL, PRIMARY KEY (id, w))",
              "INSERT INTO t (id, w, n) VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)",
              "INSERT INTO s VALUES (1, 'a')",
              "UPDATE t SET w = DEFAULT, n = DEFAULT WHERE id = 1",
              "SELECT * FROM t WHERE w = 7",
              "UPDATE t SET n = n + 1, w = DEFAULT",
              "SELECT id, n FROM t WHERE w = 7 ORDER BY id",
              "SELECT COUNT(*) FROM t",
              "DROP TABLE t")) {
        both(proxied, direct, sql, softly);
      }
      softly
          .assertThat(Transcript.of(proxied, "UPDATE s SET w = DEFAULT").withoutMessage().head())
          .isEqualTo("error 1364 HY000");
    }
    softly.assertAll();
  }

  /** What a trigger writes to a bound table has to lie beside its row. */
  @Test
  void triggersFindEqualTextsOnTheirNodeOnly() throws SQLException {
    String update =
        "CREATE TRIGGER follows AFTER UPDATE ON t FOR EACH ROW UPDATE s SET n = NEW.n WHERE w = OLD.w";
    try (Connection proxied = fixture.throughProxy()) {
      tables(proxied, "VARCHAR(9) COLLATE utf8mb4_general_ci", "(id, w)");
      assertThat(Transcript.of(proxied, update).head())
          .contains("AB2002")
          .contains("binary collation");
      assertThat(
              Transcript.of(
                      proxied,
                      "CREATE TRIGGER copies AFTER INSERT ON t FOR EACH ROW"
                          + " INSERT INTO s (id, w) VALUES (NEW.id, NEW.w)")
                  .isError())
          .isFalse();
      tables(proxied, "VARCHAR(9) COLLATE utf8mb4_bin", "(id, w)");
      assertThat(Transcript.of(proxied, update).head()).doesNotStartWith("error");
    }
  }
}
