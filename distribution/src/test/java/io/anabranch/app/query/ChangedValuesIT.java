package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What servers make of rows on their own is that of one database, or refused. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ChangedValuesIT {

  private static final String SCHEMA = "changed_values";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: six } }
        shardingAlgorithms:
          six: { type: MOD, props: { sharding-count: 6 } }
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

  /** A UNION keeps its rows in a table, and the mode may not allow such dates there. */
  @Test
  void datesWithoutADayKeepTheirYear() throws SQLException {
    List<String> rows =
        List.of(
            "SET sql_mode = ''",
            "DROP TABLE IF EXISTS t",
            "CREATE TABLE t (id INT PRIMARY KEY, d DATE, m DATETIME(3))",
            "INSERT INTO t VALUES (1, '2024-00-00', '2024-05-00 10:00:00')",
            "INSERT INTO t VALUES (2, '2024-01-01', '2024-05-01 10:00:00')",
            "INSERT INTO t VALUES (3, '2024-00-00', '2024-05-00 10:00:00')",
            "INSERT INTO t VALUES (4, '2024-01-02', '2024-05-02 10:00:00')",
            "INSERT INTO t VALUES (8, '0000-00-00', '0000-00-00 00:00:00')");
    String none = " WHERE id IN (2, 4, 8)";
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String sql : rows) {
        same(proxied, direct, sql);
      }
      for (String mode : List.of("''", "'STRICT_TRANS_TABLES'", TRADITIONAL)) {
        same(proxied, direct, "SET sql_mode = " + mode);
        for (String query :
            List.of(
                "SELECT id, CONCAT(d), CONCAT(m) FROM t%s ORDER BY id",
                "SELECT id, d + 0, m + 0 FROM t%s ORDER BY id",
                "SELECT CONCAT(MAX(d)), CONCAT(MIN(m)) FROM t%s")) {
          same(proxied, direct, query.formatted(none));
          sameOrRefused(proxied, direct, query.formatted(""));
        }
        sameOrRefused(proxied, direct, "SELECT a.id FROM t a JOIN t b ON a.d = b.d ORDER BY 1");
      }
      // MySQL tells in its warnings alone that it has changed them
      same(proxied, direct, "SET max_error_count = 0");
      sameOrRefused(proxied, direct, "SELECT id, d, m FROM t ORDER BY id");
    }
  }

  private static final String TRADITIONAL =
      "'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO'";

  /** Servers order by a column in place of what it is computed by. */
  @Test
  void columnsMayStandForWhatTheyAreComputedBy() throws SQLException {
    String column = "w VARCHAR(9) AS (JSON_UNQUOTE(JSON_EXTRACT(doc, '$.k'))) STORED";
    String key = "JSON_UNQUOTE(JSON_EXTRACT(doc, '$.k'))";
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      same(proxied, direct, "DROP TABLE IF EXISTS t");
      same(
          proxied,
          direct,
          "CREATE TABLE t (id INT PRIMARY KEY, doc JSON, " + column + ", KEY (w)) CHARSET utf8mb4");
      int id = 0;
      for (String value : List.of("a", "A", "\u00e1", "b", "B", "c")) {
        String document = "'{\"k\": \"" + value + "\"}'";
        same(proxied, direct, "INSERT INTO t (id, doc) VALUES (" + ++id + ", " + document + ")");
      }
      same(proxied, direct, "SELECT COUNT(*) FROM t GROUP BY w ORDER BY 1");
      same(proxied, direct, "SELECT id FROM t ORDER BY w, id");
      same(proxied, direct, "SELECT id FROM t ORDER BY " + key + " COLLATE utf8mb4_bin");
      sameOrRefused(proxied, direct, "SELECT COUNT(*) FROM t GROUP BY " + key + " ORDER BY 1");
      sameOrRefused(proxied, direct, "SELECT id FROM t ORDER BY " + key + " DESC, id LIMIT 3");
      sameOrRefused(proxied, direct, "SELECT COUNT(DISTINCT " + key + ") FROM t");
      String join = " FROM t JOIN t u ON u.id = t.id + 1 ";
      String ofFirst = key.replace("doc", "t.doc");
      sameOrRefused(
          proxied, direct, "SELECT t.id" + join + "WHERE " + ofFirst + " = 'B' ORDER BY t.id");
      sameOrRefused(proxied, direct, "SELECT t.id" + join + "ORDER BY " + ofFirst + ", t.id");
      sameOrRefused(
          proxied, direct, "SELECT COUNT(*)" + join + "GROUP BY " + ofFirst + " ORDER BY 1");
      sameOrRefused(
          proxied,
          direct,
          "SELECT k, COUNT(*) FROM (SELECT " + key + " k FROM t) q GROUP BY k ORDER BY 2, 1");
      sameOrRefused(
          proxied,
          direct,
          "UPDATE t JOIN t u ON u.id = t.id + 1 SET t.doc = t.doc WHERE " + ofFirst + " = 'B'");
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM t GROUP BY " + key + " ORDER BY 1",
              "SELECT id FROM t ORDER BY " + key + ", id",
              "SELECT COUNT(DISTINCT " + key + ") FROM t",
              "SELECT t.id" + join + "WHERE " + ofFirst + " IS NULL ORDER BY t.id")) {
        // of other paths nothing stands there, whichever was asked for before
        same(proxied, direct, sql.replace("$.k", "$.x"));
      }
      same(proxied, direct, "SELECT " + ofFirst + ", u.id" + join + "ORDER BY u.id");
      same(proxied, direct, "SELECT id FROM t WHERE " + key + " = 'B' ORDER BY id");
    }
  }

  /** Texts that show floating numbers are longer than servers say: a UNION would cut them. */
  @Test
  void floatingNumbersKeepTheirExponents() throws SQLException {
    List<String> numbers =
        List.of("f", "g", "n * 1e-300", "n * POW(10, 250)", "(s + 0)", "-1.2345678901234567e-300");
    List<String> texts =
        List.of(
            "CONCAT(%s)",
            "CAST(%s AS CHAR)",
            "CONCAT_WS('|', n, %s)",
            "IFNULL(%s, s)",
            "COALESCE(NULL, %s, s)",
            "CASE WHEN n < 9 THEN %s ELSE s END",
            "IF(n < 9, %s, s)",
            "REPLACE(%s, 'x', 'y')",
            "UPPER(%s)",
            "GREATEST(%s, s)");
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      same(proxied, direct, "DROP TABLE IF EXISTS t");
      same(
          proxied,
          direct,
          "CREATE TABLE t (id INT PRIMARY KEY, n INT, f DOUBLE, g FLOAT, s VARCHAR(30))");
      int id = 0;
      for (String number :
          List.of(
              "-1.2345678901234567e-300", "1.5", "-1.7976931348623157e308", "-1.23456789e-10")) {
        String float32 = number.endsWith("0") && number.length() > 20 ? "1e-30" : "-1.234567e-30";
        String row = "%d, %d, %s, %s, '%s'".formatted(id, id, number, float32, number);
        for (int twice = 0; twice < 2; twice++) {
          same(
              proxied,
              direct,
              "INSERT INTO t VALUES (" + row.replaceFirst("^\\d+", "" + ++id) + ")");
        }
      }
      for (String number : numbers) {
        for (String text : texts) {
          String shown = text.formatted(number);
          same(proxied, direct, "SELECT id, " + shown + " FROM t ORDER BY id");
          sameOrRefused(
              proxied, direct, "SELECT " + shown + " k, COUNT(*) FROM t GROUP BY k ORDER BY 2, 1");
          sameOrRefused(
              proxied,
              direct,
              "SELECT id, k FROM (SELECT id, " + shown + " k FROM t) q ORDER BY id");
          sameOrRefused(proxied, direct, "SELECT DISTINCT " + shown + " k FROM t ORDER BY k");
          sameOrRefused(proxied, direct, "SELECT MAX(" + shown + ") FROM t");
        }
      }
      same(
          proxied,
          direct,
          "SELECT id, FORMAT(12345678901234567890.123, 3, 'en_IN') FROM t ORDER BY 1");
    }
  }

  /** Behind the digits that a floating number has there are zeros. */
  @Test
  void sumsOfFixedDecimalsHaveTheDigitsOfFloatingNumbers() throws SQLException {
    allSame(
        "CREATE TABLE t (id INT PRIMARY KEY, f DOUBLE(30,2), b BIGINT, g FLOAT(10,4))",
        "INSERT INTO t VALUES (1, 12345678901234567890.12, 9123456789012345678, 1.1),"
            + " (2, 12345678901234567890.12, 2, 2.2), (3, 1, 4, 3.3), (4, 2.675, 5, 4.4),"
            + " (5, 0.1, 6, 5.5), (6, 0.2, 7, 6.6), (7, NULL, NULL, NULL)",
        "SELECT SUM(f), AVG(f) FROM t",
        "SELECT SUM(g), AVG(g) FROM t",
        "SELECT SUM(ROUND(b * 1e0, 2)) FROM t",
        "SELECT SUM(ROUND(f, 30)) FROM t",
        "SELECT SUM(f), AVG(f), SUM(g) FROM t WHERE id > 2",
        "SELECT id % 2, SUM(f), AVG(g), MAX(f) FROM t WHERE id > 2 GROUP BY id % 2 ORDER BY 1",
        "SELECT id, f, g FROM t ORDER BY f, id");
  }

  /** MariaDB's YEAR(2) shows 1970 as it shows 2070. */
  @Test
  void yearsOfTwoDigitsAreOfTheirCentury() throws SQLException {
    allSame(
        "CREATE TABLE t (id INT PRIMARY KEY, y YEAR(2))",
        "INSERT INTO t VALUES (1, 1970), (2, 1999), (3, 2000), (4, 2001), (5, 2069), (6, 0), (7, NULL)",
        "SELECT id, y FROM t ORDER BY y, id LIMIT 2",
        "SELECT id, y FROM t ORDER BY y DESC, id DESC LIMIT 2",
        "SELECT MIN(y), MAX(y), COUNT(DISTINCT y) FROM t",
        "SELECT y, COUNT(*) FROM t GROUP BY y ORDER BY y",
        "SELECT DISTINCT y FROM t ORDER BY y");
  }

  /** Whichever node has the rows that an ALTER changes, it says so. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void definitionsTellWhichRowsTheyCut(int id) throws SQLException {
    allSame(
        "SET sql_mode = ''",
        "CREATE TABLE t (id INT PRIMARY KEY, b INT, c VARCHAR(9))",
        "INSERT INTO t VALUES (" + id + ", NULL, 'x')",
        "ALTER TABLE t MODIFY b INT NOT NULL, MODIFY c INT",
        "SHOW WARNINGS",
        "SELECT * FROM t");
  }

  private static void allSame(String... statements) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      same(proxied, direct, "DROP TABLE IF EXISTS t");
      for (String sql : statements) {
        same(proxied, direct, sql);
      }
    }
  }

  /** Tables may have 64 keys, and joins more columns. */
  @Test
  void joinsByManyColumns() throws SQLException {
    var columns = new StringBuilder("id INT PRIMARY KEY");
    var values = new StringBuilder("1");
    var conditions = new StringBuilder("a.id = b.id + 0");
    for (int i = 0; i < 70; i++) {
      columns.append(", c").append(i).append(" INT");
      values.append(", ").append(i);
      conditions.append(" AND a.c").append(i).append(" = b.c").append(i);
    }
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      same(proxied, direct, "DROP TABLE IF EXISTS t");
      same(proxied, direct, "CREATE TABLE t (" + columns + ")");
      same(proxied, direct, "INSERT INTO t VALUES (" + values + ")");
      same(proxied, direct, "SELECT a.id FROM t a JOIN t b ON " + conditions);
    }
  }

  private static void same(Connection proxied, Connection direct, String sql) {
    assertThat(answer(proxied, sql)).as(sql).isEqualTo(answer(direct, sql));
  }

  private static void sameOrRefused(Connection proxied, Connection direct, String sql) {
    String seen = answer(proxied, sql);
    String wanted = answer(direct, sql);
    if (!seen.contains("AB2001")) {
      assertThat(seen).as(sql).isEqualTo(wanted);
    }
  }

  private static String answer(Connection connection, String sql) {
    return Transcript.of(connection, sql)
        .withSortedWarnings()
        .toString()
        .replace(fixture.plainSchema(), SCHEMA);
  }
}
