package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
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
 * Values whose type only the execution tells, and values of which one is chosen, over two data
 * sources as on one server: user variables of each kind in each place, choices between aggregates.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class OpenValuesIT {

  private static final List<String> VARIABLES =
      List.of("@whole", "@fixed", "@floating", "@text", "@digits", "@nothing", "@none");

  private static final double REFUSED_AT_MOST = 0.05;

  private static final double REFUSED_LISTS_AT_MOST = 0.1;

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_open", ShardedFixture.HALVES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE f (id INT PRIMARY KEY, g VARCHAR(10), k INT, x DECIMAL(8,2), y DOUBLE,"
                + " s VARCHAR(20))");
        statement.execute(
            "INSERT INTO f VALUES (1, 'a', 1, 1.25, 0.5, 'abc'), (2, 'a', 2, 2.50, 0.25, 'n'),"
                + " (3, 'b', 3, 3.33, 2, 'x1.50'), (4, 'b', 4, NULL, 8, '1.50'), (5, 'c', 3, 5.55,"
                + " 4, NULL), (6, 'c', NULL, 7, 1, '3'), (7, 'a', 3, 1.5, 1.5, '12')");
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  /** Servers divide into whole words of nine digits; a UNION fills bytes up with zeros. */
  @Test
  void averagesAndChosenBytes() throws SQLException {
    compare(
        List.of(
            "SELECT AVG(k * 1.00000), AVG(k * 1.00000000000000), AVG(x * 1.000) FROM f",
            "SELECT g, AVG(k * 1.00000), AVG(DISTINCT k * 1.00000) FROM f GROUP BY g ORDER BY g",
            "SELECT g, AVG(k * 1.0), AVG(k) FROM f GROUP BY g HAVING AVG(k * 1.00000) > 1.666666666"
                + " ORDER BY g",
            "SELECT COALESCE(CAST(s AS BINARY(4)), k) FROM f ORDER BY id",
            "SELECT IF(k > 2, CAST(g AS BINARY(3)), id * 1000000) FROM f ORDER BY id",
            "SELECT DISTINCT IFNULL(CAST(s AS BINARY(4)), 1234567) FROM f ORDER BY 1",
            "SELECT GREATEST(CAST(g AS BINARY(2)), id * 1000) FROM f ORDER BY id",
            "SELECT f1.s, f2.s FROM f f1 JOIN f f2 ON f1.g = CONCAT(f2.g, '') ORDER BY f1.id, f2.id"));
    List<String> settings =
        List.of("SET div_precision_increment = 9", "SET div_precision_increment = 0");
    for (String setting : settings) {
      try (Connection direct = sharded.onPlain();
          Connection proxied = sharded.throughProxy()) {
        for (Connection each : List.of(direct, proxied)) {
          Transcript.of(each, setting);
        }
        String sql = "SELECT g, AVG(k), AVG(x), AVG(y) FROM f GROUP BY g ORDER BY g";
        assertThat(Transcript.of(proxied, sql).toString())
            .as(setting)
            .isEqualTo(
                Transcript.of(direct, sql)
                    .toString()
                    .replace(sharded.plainSchema(), sharded.schema()));
      }
    }
  }

  @Test
  void variablesInEachPlace() throws SQLException {
    List<String> places =
        List.of(
            "SELECT MAX(%s) FROM f",
            "SELECT MIN(%s), COUNT(%s), COUNT(DISTINCT %s) FROM f",
            "SELECT SUM(%s), AVG(%s) FROM f",
            "SELECT g, MAX(%s) FROM f GROUP BY g ORDER BY g",
            "SELECT MAX(COALESCE(k, %s)), MIN(COALESCE(s, %s)) FROM f",
            "SELECT MAX(k + %s), SUM(x * %s) FROM f",
            "SELECT MAX(CONCAT(s, %s)) FROM f",
            "SELECT GROUP_CONCAT(%s) FROM f",
            "SELECT id, %s FROM f ORDER BY id",
            "SELECT CONCAT(s, %s) FROM f ORDER BY id",
            "SELECT k + %s, x * %s, y - %s FROM f ORDER BY id",
            "SELECT IFNULL(s, %s), COALESCE(%s, k), IF(k > 2, %s, x) FROM f ORDER BY id",
            "SELECT DISTINCT CONCAT(g, %s) FROM f ORDER BY 1",
            "SELECT CONCAT(g, %s), COUNT(*) FROM f GROUP BY CONCAT(g, %s) ORDER BY 1",
            "SELECT CONCAT(g, %s) c, MAX(k) FROM f GROUP BY c ORDER BY c",
            "SELECT CONCAT(g, %s), STD(k) FROM f GROUP BY CONCAT(g, %s) ORDER BY CONCAT(g, %s)",
            "SELECT id FROM f WHERE s LIKE %s ORDER BY id",
            "SELECT id FROM f WHERE k LIKE %s ORDER BY id",
            "SELECT COUNT(*) FROM f WHERE s NOT LIKE %s",
            "SELECT id FROM f WHERE s REGEXP %s ORDER BY id",
            "SELECT id FROM f WHERE %s RLIKE s ORDER BY id",
            "SELECT COUNT(*) FROM f WHERE s NOT REGEXP CONCAT('a', %s)",
            "SELECT id FROM f WHERE REGEXP_INSTR(s, %s) ORDER BY id",
            "SELECT id FROM f WHERE REGEXP_REPLACE(s, %s, 'x') = 'x' ORDER BY id",
            "SELECT id FROM f WHERE id = %s AND s REGEXP %s",
            "SELECT id FROM f WHERE INSTR(s, %s) ORDER BY id",
            "SELECT id FROM f WHERE LOCATE(%s, s) ORDER BY id",
            "SELECT id FROM f WHERE REPLACE(s, %s, '') = '' ORDER BY id",
            "SELECT id FROM f WHERE LENGTH(%s) > 3 ORDER BY id",
            "SELECT id FROM f WHERE LENGTH(%s + 1) > 3 ORDER BY id",
            "SELECT id FROM f WHERE s = %s ORDER BY id",
            "SELECT id FROM f WHERE k = %s ORDER BY id",
            "SELECT id FROM f WHERE id = %s",
            "SELECT id FROM f WHERE x = %s ORDER BY id",
            "SELECT id FROM f WHERE s IN (%s, 'n') ORDER BY id",
            "SELECT id FROM f WHERE id IN (%s, 2) ORDER BY id",
            "SELECT id FROM f WHERE x BETWEEN %s AND 4 ORDER BY id",
            "SELECT id FROM f WHERE CONCAT(s, '') = CONCAT('', %s) ORDER BY id");
    var statements = new ArrayList<String>();
    for (String place : places) {
      for (String variable : VARIABLES) {
        statements.add(place.replace("%s", variable));
      }
    }
    compare(statements);
  }

  @Test
  void oneOfSeveralAggregates() throws SQLException {
    List<String> aggregates =
        List.of("SUM(k)", "AVG(k)", "SUM(x)", "AVG(x)", "MAX(x)", "COUNT(*)", "1.2345678");
    List<String> choices =
        List.of(
            "IF(SUM(k) > 5, %1$s, %2$s)",
            "IF(AVG(k) < 0, %1$s, %2$s)",
            "CASE WHEN MAX(x) < 6 THEN %1$s ELSE %2$s END",
            "CASE COUNT(*) WHEN 3 THEN %1$s WHEN 2 THEN %2$s END",
            "IF(SUM(k) > 5, IF(MAX(x) > 4, %1$s, %2$s), %1$s)",
            "IF(SUM(k) > 5, %1$s, %2$s) + 1",
            "COALESCE(IF(SUM(k) > 5, %1$s, NULL), %2$s)",
            "ROUND(IF(SUM(k) > 5, %1$s, %2$s), 3)",
            "GREATEST(%1$s, %2$s)",
            "NULLIF(%1$s, %2$s)",
            "IFNULL(%1$s, %2$s)");
    var statements = new ArrayList<String>();
    for (String choice : choices) {
      for (String first : aggregates) {
        for (String second : aggregates) {
          String chosen = choice.formatted(first, second);
          statements.add("SELECT " + chosen + " v FROM f");
          statements.add("SELECT g, " + chosen + " v FROM f GROUP BY g ORDER BY g");
        }
      }
    }
    compare(statements);
  }

  @Test
  void textsOfBits() throws SQLException {
    var statements = new ArrayList<String>();
    for (String bits : List.of("BIT_OR(k)", "BIT_AND(k)", "BIT_XOR(id)")) {
      for (String text :
          List.of(
              "%s",
              "CONCAT(%s)",
              "CONCAT('a', %s)",
              "HEX(%s)",
              "LEFT(%s, 1)",
              "COALESCE(%s, 'x')",
              "IF(COUNT(*) > 2, %s, 'x')",
              "%s + 1",
              "%s | 8",
              "LENGTH(%s)")) {
        String item = text.formatted(bits);
        statements.add("SELECT " + item + " FROM f");
        statements.add("SELECT g, " + item + " v FROM f GROUP BY g ORDER BY g");
      }
    }
    compare(statements);
  }

  /** The values of one list go to several nodes; MySQL gives all of them types together. */
  @Test
  void listsOfValuesOfSeveralTypes() throws SQLException {
    List<Object> values =
        List.of(
            1,
            2,
            3L,
            new BigDecimal("2.0"),
            new BigDecimal("3.5"),
            4.0,
            "1",
            "2.0",
            "x",
            Date.valueOf("2024-01-05"));
    List<String> lists =
        List.of(
            "SELECT id FROM f WHERE id IN (?, ?) ORDER BY id",
            "SELECT id, k FROM f WHERE id IN (?, ?, 7) ORDER BY id LIMIT 3",
            "UPDATE f SET k = k WHERE id IN (?, ?)",
            "UPDATE f SET y = y + 1 WHERE id IN (?, ?) AND k > 0",
            "DELETE FROM f WHERE id IN (?, ?) AND k > 1000");
    var softly = new SoftAssertions();
    int refused = 0;
    try (Connection proxied =
            sharded.throughProxy("useServerPrepStmts=true", "cachePrepStmts=false");
        Connection plain = sharded.onPlain("useServerPrepStmts=true", "cachePrepStmts=false")) {
      for (String list : lists) {
        for (Object first : values) {
          for (Object second : values) {
            Transcript wanted = Transcript.of(plain, list, first, second);
            Transcript answer = Transcript.of(proxied, list, first, second);
            if (answer.isRefusal()) {
              refused++;
            } else {
              softly
                  .assertThat(answer.withoutMessage().withoutWarnings())
                  .as("%s: %s, %s", list, first, second)
                  .isEqualTo(wanted.withoutMessage().withoutWarnings());
            }
          }
        }
      }
    }
    softly.assertAll();
    int all = lists.size() * values.size() * values.size();
    assertThat(refused).isLessThanOrEqualTo((int) (all * REFUSED_LISTS_AT_MOST));
  }

  private static void compare(List<String> statements) throws SQLException {
    var softly = new SoftAssertions();
    int refused = 0;
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      for (Connection each : List.of(proxied, plain)) {
        Transcript.of(
            each,
            "SET @whole = 3, @fixed = 1.50, @floating = 1.5e0, @text = 'n', @digits = '1.50',"
                + " @nothing = NULL");
      }
      for (String sql : statements) {
        Transcript wanted = Transcript.of(plain, sql);
        Transcript answer = Transcript.of(proxied, sql);
        if (answer.isRefusal()) {
          refused++;
        } else {
          softly
              .assertThat(answer.toString())
              .as(sql)
              .isEqualTo(wanted.toString().replace(sharded.plainSchema(), sharded.schema()));
        }
      }
    }
    softly.assertAll();
    assertThat(refused).isLessThanOrEqualTo((int) (statements.size() * REFUSED_AT_MOST));
  }
}
