package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * PREPARE … and EXECUTE … USING over shards as on one server: MySQL gives a parameter a type by its
 * place, keeps it with the statement, and converts values to it.
 */
@Tag("both")
@Tag("long")
@ExtendWith(MariaDbServers.Resolver.class)
class NamedTypesIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          whole:
            actualDataNodes: ds_${0..1}.whole
            databaseStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: halves } }
          day:
            actualDataNodes: ds_0.day_2024,ds_1.day_2025
            tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: years } }
            databaseStrategy: { none: }
          moment:
            actualDataNodes: ds_${0..1}.moment
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
          word:
            actualDataNodes: ds_${0..1}.word
            databaseStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: hashes } }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
          hashes: { type: HASH_MOD, props: { sharding-count: 2 } }
          years:
            type: INTERVAL
            props:
              datetime-pattern: "yyyy-MM-dd"
              datetime-lower: "2024-01-01"
              datetime-upper: "2025-12-31"
              sharding-suffix-pattern: "yyyy"
              datetime-interval-amount: 1
              datetime-interval-unit: YEARS
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  private static final List<String> NUMBERS =
      List.of("1", "'1'", "2.5", "'2.5'", "1e0", "x'31'", "-1", "'x'", "NULL");

  private static final List<String> LARGE =
      List.of("9223372036854775808", "18446744073709551615", "'18446744073709551615'", "' 1'");

  private static final List<String> DAYS =
      List.of(
          "'2024-01-01'",
          "20240101",
          "DATE'2025-01-01'",
          "TIMESTAMP'2025-01-01 00:00:00'",
          "'2025-01-01 00:00:00'",
          "20250101.0",
          "'x'",
          "NULL");

  private static final List<String> WORDS = List.of("'a'", "'A'", "0", "10", "'1e1'", "x'61'");

  /** Values by table. */
  private static final Map<String, List<String>> VALUES =
      Map.of("whole", NUMBERS, "day", DAYS, "moment", DAYS, "word", WORDS);

  private static final List<String> CONDITIONS =
      List.of(
          "k = ?",
          "NOT k = ?",
          "? <=> k",
          "k >= ?",
          "k = (?)",
          "k = COALESCE(?, 3)",
          "k = ? + 0",
          "k = -?",
          "k IN (?, ?, 3)",
          "k NOT IN (?, ?)",
          "k BETWEEN ? AND ?",
          "? BETWEEN k AND ?",
          "k > ? AND k < ?",
          "(k, id) IN ((?, 3), (?, 5))",
          "? OR k = ?");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_named", RULES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        for (String table :
            List.of(
                "whole (k BIGINT UNSIGNED, id INT, f FLOAT, d DOUBLE, z INT(5) ZEROFILL, y YEAR,"
                    + " t TIME(2), b BIT(9), n DECIMAL(20,4))",
                "day (k DATE, id INT)",
                "moment (k DATETIME, id INT)",
                "word (k VARCHAR(20) COLLATE utf8mb4_bin, id INT)")) {
          statement.execute("CREATE TABLE " + table);
        }
        statement.execute(
            "INSERT INTO whole VALUES (0, 1, 0.1, 0.1, 7, 1970, '-01:00:00.5', 1, 1.5), (1, 2, 1e20,"
                + " 1e300, 70, 2024, '12:00:00', 511, -2), (2, 3, -2.25, 1.5, 99999, 0, NULL, 0, 0),"
                + " (3, 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (9223372036854775808, 5, 1, 2,"
                + " 3, 2001, '800:00:00', 5, 12345678901234.5), (18446744073709551615, 6, 1.25e-9,"
                + " 123456789.125, 0, 1999, '00:00:01.25', 256, 0.0001)");
        statement.execute(
            "INSERT INTO day VALUES ('2024-01-01', 1), ('2024-02-29', 2), ('2025-01-01', 3),"
                + " ('2025-06-01', 4)");
        statement.execute(
            "INSERT INTO moment VALUES ('2024-01-01 00:00:00', 1), ('2024-12-31 10:00:00', 2),"
                + " ('2025-01-01 00:00:00', 3), ('2025-01-01 12:00:00', 4)");
        statement.execute(
            "INSERT INTO word VALUES ('a', 1), ('A', 2), ('10', 3), ('1e1', 4), ('', 5), ('00', 6)");
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
    for (Map.Entry<String, List<String>> table : VALUES.entrySet()) {
      for (String condition : CONDITIONS) {
        String sql = "SELECT id FROM " + table.getKey() + " WHERE " + condition;
        compare(soft, sql, pairs(table.getValue(), condition));
      }
    }
    compare(soft, "SELECT id FROM whole WHERE k = -?", singly(LARGE));
    compare(soft, "SELECT id FROM whole WHERE k = ?", singly(LARGE));
    compare(soft, "SELECT id FROM whole WHERE k NOT IN (?, 3)", singly(LARGE));
    soft.assertAll();
  }

  @Test
  void changes() throws SQLException {
    var soft = new SoftAssertions();
    for (Map.Entry<String, List<String>> table : VALUES.entrySet()) {
      for (String condition :
          List.of("k = ?", "k NOT IN (?, ?)", "k BETWEEN ? AND ?", "k IN (?, ?, 3)")) {
        List<List<String>> values = pairs(table.getValue(), condition);
        compare(soft, "DELETE FROM " + table.getKey() + " WHERE " + condition, values);
        compare(soft, "UPDATE " + table.getKey() + " SET id = 7 WHERE " + condition, values);
      }
    }
    soft.assertAll();
  }

  /** What is stored decides the types of what is compared, too: they are settled together. */
  @Test
  void storedValuesBesideConditions() throws SQLException {
    var soft = new SoftAssertions();
    for (String table : List.of("whole", "day", "word")) {
      for (String condition : List.of("k > ?", "k <> ?", "k NOT IN (?, 3)", "k = ?")) {
        var executions = new ArrayList<List<String>>();
        for (String value : VALUES.getOrDefault(table, List.of())) {
          for (String stored : List.of("3", "'4'", "5.0", "NULL")) {
            executions.add(List.of(stored, value));
          }
        }
        compare(soft, "UPDATE " + table + " SET id = ? WHERE " + condition, executions);
      }
    }
    soft.assertAll();
  }

  /** Rows of each type, for which the server has other forms in the two protocols. */
  @Test
  void rowsAreText() throws SQLException {
    var soft = new SoftAssertions();
    for (String sql :
        List.of(
            "SELECT * FROM whole WHERE id < ? ORDER BY id",
            "SELECT * FROM whole WHERE k = 1 AND id < ?",
            "SELECT id, ?, f * 3, d / 3, k + ? FROM whole WHERE id < ? ORDER BY id LIMIT 4",
            "SELECT y, COUNT(*), SUM(f), AVG(n), MAX(t), ? FROM whole GROUP BY y ORDER BY y",
            "SELECT MIN(d), MAX(z), BIT_OR(b) FROM whole WHERE id < ?",
            "(SELECT k, id FROM day WHERE id > ?) UNION (SELECT k, id FROM moment) ORDER BY 1, 2",
            "SELECT a.k, b.f FROM day a JOIN whole b ON a.id = b.id WHERE b.id < ? ORDER BY a.k",
            "SELECT k FROM day WHERE id < ? ORDER BY k LIMIT ?",
            "SELECT k FROM whole WHERE k = (SELECT MAX(k) FROM whole WHERE id < ?)")) {
      int markers = (int) sql.chars().filter(each -> each == '?').count();
      compare(soft, sql, List.of(List.of("5", "2", "3").subList(0, markers)));
    }
    soft.assertAll();
  }

  @Test
  void yearsThatAreComputed() throws SQLException {
    var soft = new SoftAssertions();
    for (String item :
        List.of(
            "IFNULL(y, ?)", "COALESCE(?, y)", "IF(id > 2, y, ?)", "NULLIF(y, ?)", "MAX(y) + ?")) {
      String sql = "SELECT id, " + item + ", y FROM whole GROUP BY id, y ORDER BY id";
      compare(soft, sql, singly(List.of("0", "3", "-1", "2001", "NULL")));
    }
    soft.assertAll();
  }

  /** The types of the first execution stay, on a server and here. */
  @Test
  void typesStayWithTheStatement() throws SQLException {
    var soft = new SoftAssertions();
    for (String condition : List.of("k = ?", "k > ?", "k NOT IN (?, 3)")) {
      compare(
          soft,
          "SELECT id FROM word WHERE CONCAT(k, '') " + condition.substring(2),
          List.of(List.of("0"), List.of("'1e1'"), List.of("'a'"), List.of("x'61'"), List.of("10")),
          false);
      compare(
          soft,
          "SELECT id FROM whole WHERE " + condition,
          List.of(List.of("2.5"), List.of("'x'"), List.of("1"), List.of("'1'"), List.of("NULL")),
          false);
    }
    soft.assertAll();
  }

  @Test
  void statementsBehindItInAPacket() throws SQLException {
    try (Connection direct = sharded.onPlain("allowMultiQueries=true");
        Connection proxied = sharded.throughProxy("allowMultiQueries=true")) {
      var answers = new ArrayList<String>();
      for (Connection each : List.of(direct, proxied)) {
        Transcript.of(each, "SET @p = 2");
        Transcript.of(each, "PREPARE s FROM 'SELECT id FROM day WHERE id = ?'");
        var told = new StringBuilder();
        try (var statement = each.createStatement()) {
          boolean hasRows =
              statement.execute("EXECUTE s USING @p; SELECT 1 + 1; EXECUTE s USING @p; SELECT 5");
          while (hasRows) {
            try (var rows = statement.getResultSet()) {
              while (rows.next()) {
                told.append(rows.getString(1)).append(';');
              }
            }
            hasRows = statement.getMoreResults();
          }
        }
        answers.add(told.toString());
      }
      assertThat(answers).containsExactly("2;2;2;5;", "2;2;2;5;");
    }
  }

  private static List<List<String>> singly(List<String> values) {
    return values.stream().map(List::of).toList();
  }

  /** As many values as there are markers: each beside the one in front of it. */
  private static List<List<String>> pairs(List<String> values, String condition) {
    long markers = condition.chars().filter(each -> each == '?').count();
    if (markers == 1) {
      return singly(values);
    }
    var pairs = new ArrayList<List<String>>();
    for (int i = 0; i < values.size(); i++) {
      pairs.add(List.of(values.get(i), values.get((i + 1) % values.size())));
      pairs.add(List.of(values.get((i + 3) % values.size()), values.get(i)));
    }
    return pairs;
  }

  /** Each execution of a statement that is prepared anew. */
  private static void compare(SoftAssertions soft, String sql, List<List<String>> executions)
      throws SQLException {
    compare(soft, sql, executions, true);
  }

  /** What changes is undone. */
  private static void compare(
      SoftAssertions soft, String sql, List<List<String>> executions, boolean isAnew)
      throws SQLException {
    var answers = new ArrayList<List<String>>();
    boolean isMariaDb = false;
    try (Connection direct = sharded.onPlain();
        Connection proxied = sharded.throughProxy()) {
      isMariaDb = direct.getMetaData().getDatabaseProductName().equals("MariaDB");
      for (Connection each : List.of(direct, proxied)) {
        each.setAutoCommit(false);
        var told = new ArrayList<String>();
        answers.add(told);
        String prepare = "PREPARE s FROM \"" + sql + "\"";
        told.add(Transcript.of(each, prepare).withoutMessage().head());
        for (List<String> values : executions) {
          var set = new ArrayList<String>();
          var using = new ArrayList<String>();
          for (int i = 0; i < values.size(); i++) {
            set.add("@p" + i + " = " + values.get(i));
            using.add("@p" + i);
          }
          Transcript.of(each, "SET " + String.join(", ", set));
          if (isAnew) {
            Transcript.of(each, prepare);
          }
          told.add(
              values
                  + " "
                  + shown(Transcript.of(each, "EXECUTE s USING " + String.join(", ", using)), sql));
          each.rollback();
        }
      }
    }
    if (!isMariaDb || !sql.contains("?,")) {
      soft.assertThat(answers.get(1)).as(sql).isEqualTo(answers.get(0));
    }
  }

  /** Without the order that nobody asked for. */
  private static String shown(Transcript answer, String sql) {
    if (answer.isError()) {
      return answer.withoutMessage().head();
    }
    List<String> rows =
        sql.contains("ORDER BY") ? answer.rows() : answer.rows().stream().sorted().toList();
    String head = sql.startsWith("SELECT") || sql.startsWith("(") ? "" : answer.head();
    return head.replaceAll(" warning .*", "") + rows;
  }
}
