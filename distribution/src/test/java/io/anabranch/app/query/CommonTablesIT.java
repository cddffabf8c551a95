package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WITH over shards, its tables read in several places, is answered as by one database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class CommonTablesIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_common_tables");
    fixture.same(fixture.rows().toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH s AS (SELECT user_id, SUM(total) t FROM t_order GROUP BY user_id), m AS (SELECT MAX(t) mt FROM s) SELECT s.* FROM s, m WHERE s.t = m.mt",
        "WITH s AS (SELECT order_id, user_id FROM t_order) SELECT a.order_id, b.user_id FROM s a JOIN s b ON a.user_id = b.user_id AND a.order_id < b.order_id ORDER BY 1, 2, b.order_id",
        "WITH s AS (SELECT order_id, user_id FROM t_order) SELECT s.order_id FROM s WHERE s.user_id IN (SELECT user_id FROM s AS x WHERE x.order_id > 20) ORDER BY 1",
        "WITH s (a, b) AS (SELECT order_id, user_id FROM t_order WHERE order_id < 9) SELECT p.a, q.b FROM s p, s q WHERE p.a = q.b ORDER BY 1, 2",
        "WITH s (a, b) AS (SELECT order_id, user_id FROM t_order WHERE order_id < 9) SELECT s.a FROM s UNION ALL SELECT s.b FROM s ORDER BY 1",
        "WITH a AS (SELECT order_id o FROM t_order), b AS (SELECT x.o FROM a x JOIN a y ON x.o = y.o + 1), c AS (SELECT COUNT(*) n FROM b) SELECT b.o, c.n FROM b, c ORDER BY b.o",
        "WITH RECURSIVE r AS (SELECT MIN(order_id) n FROM t_order UNION ALL SELECT n + 1 FROM r WHERE n < 6) SELECT x.n, y.n FROM r x JOIN r y ON x.n = y.n - 1 ORDER BY 1",
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4), s AS (SELECT order_id FROM t_order JOIN r ON n = order_id) SELECT s.order_id, r.n FROM s, r, s AS z WHERE z.order_id = r.n ORDER BY 1, 2",
        "WITH s AS (SELECT order_id FROM t_order WHERE user_id = 1) SELECT (SELECT MAX(order_id) FROM s), (SELECT MIN(order_id) FROM s), COUNT(*) FROM s",
        "SELECT * FROM (WITH s AS (SELECT user_id u FROM t_order) SELECT a.u FROM s a, s b WHERE a.u = b.u GROUP BY a.u) d ORDER BY u",
        "WITH t_order AS (SELECT order_id AS k FROM t_order WHERE order_id < 5) SELECT a.k FROM t_order a JOIN t_order b ON a.k = b.k ORDER BY 1",
        "WITH s AS (WITH i AS (SELECT order_id FROM t_order) SELECT p.order_id FROM i p JOIN i q ON p.order_id = q.order_id) SELECT a.order_id FROM s a JOIN s b ON a.order_id = b.order_id + 1 ORDER BY 1",
        "WITH s AS (SELECT order_id, ROW_NUMBER() OVER (ORDER BY order_id) rn FROM t_order) SELECT a.order_id, b.order_id FROM s a LEFT JOIN s b ON a.rn = b.rn - 1 ORDER BY 1",
        "WITH s AS (SELECT order_id, total FROM t_order ORDER BY total DESC, order_id LIMIT 3) SELECT a.order_id FROM s a JOIN s b ON b.order_id = a.order_id ORDER BY 1",
        "WITH s AS (SELECT order_id FROM t_order) SELECT a.order_id FROM (s a) JOIN ((s)) ON a.order_id = s.order_id + 1 ORDER BY 1",
        "WITH s (a, b) AS (SELECT order_id, user_id FROM (t_order)) SELECT x.a FROM((s AS x), (s y))WHERE x.a = y.b ORDER BY 1",
        "WITH s AS (SELECT note AS `a b` FROM t_order WHERE note LIKE '%1%') SELECT s.`a b`, (SELECT COUNT(*) FROM s) FROM s ORDER BY 1",
      })
  void areReadInSeveralPlaces(String sql) throws SQLException {
    fixture.same(sql);
    try (Connection proxied = fixture.throughProxy("useServerPrepStmts=true");
        Connection plain = fixture.onPlain("useServerPrepStmts=true")) {
      new Comparison(
              proxied, plain, answer -> answer.replace(fixture.schema + "_plain", fixture.schema))
          .samePrepared(sql);
    }
  }

  /** A server takes some rows once for all places; copies are read once a place. */
  @Test
  void areNotReadTwiceWhereTheirRowsAreAnyRows() throws SQLException {
    String any =
        "WITH s AS (SELECT d.o FROM (SELECT order_id o FROM t_order LIMIT 3) d) SELECT COUNT(*) FROM s a JOIN s b USING (o)";
    String one =
        "WITH s AS (SELECT order_id o FROM t_order WHERE order_id = (SELECT MAX(order_id) FROM t_order LIMIT 1)) SELECT COUNT(*) FROM s a JOIN s b USING (o)";
    fixture.same(one);
    if (!DatabaseServers.areMySql()) {
      fixture.same(any);
      return;
    }
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, any).toString()).contains("LIMIT without ORDER BY");
    }
  }

  /**
   * Which table a name means decides the server: to MariaDB all that the clause defines where it is
   * RECURSIVE, to MySQL what stands in front. A sharded table, one that is everywhere, one of one
   * data source and none have the name.
   */
  @ParameterizedTest
  @CsvSource({"t_order, order_id", "t_dict, code", "t_conf, k", "t_none, k"})
  void meanWhatTheServerSays(String table, String column) throws SQLException {
    for (String recursive : List.of("", "RECURSIVE ")) {
      for (String statement :
          List.of(
              // of one that stands later
              "WITH %RECa AS (SELECT %C FROM %T), %T AS (SELECT 77 AS %C) SELECT %C FROM a ORDER BY 1",
              "WITH %RECa AS (SELECT x.%C FROM %T x JOIN t_log y ON x.%C = y.id), %T AS (SELECT 7 AS %C) SELECT a.%C, %T.%C FROM a, %T ORDER BY 1",
              "WITH %RECa AS (SELECT (SELECT MAX(%C) FROM %T) AS m), %T AS (SELECT 77 AS %C) SELECT m FROM a",
              "WITH %RECa AS (SELECT %C FROM (SELECT %C FROM %T) d), b AS (SELECT %C FROM a), %T AS (SELECT id AS %C FROM t_log WHERE id = 3) SELECT * FROM b ORDER BY 1",
              "WITH %RECa AS (WITH i AS (SELECT %C FROM %T) SELECT %C FROM i), %T AS (SELECT 77 AS %C) SELECT * FROM a ORDER BY 1",
              "WITH %RECa AS (SELECT p.%C FROM %T p JOIN %T q ON p.%C = q.%C), %T AS (SELECT 2 AS %C) SELECT COUNT(*) FROM a",
              // of each other
              "WITH %RECa (n) AS (SELECT 1 UNION SELECT %C + 1 FROM %T WHERE %C < 5), %T (%C) AS (SELECT n FROM a UNION SELECT n + 10 FROM a WHERE n < 4) SELECT n FROM a ORDER BY 1",
              // of itself, of those in front, of those around
              "WITH %REC%T AS (SELECT 1 AS %C UNION SELECT %C + 1 FROM %T WHERE %C < 3) SELECT %C FROM %T ORDER BY 1",
              "WITH %RECa AS (SELECT MIN(%C) AS m FROM %T) SELECT m FROM a WHERE m IN (WITH %T AS (SELECT 1 AS %C) SELECT %C FROM %T)",
              "WITH %REC%T AS (SELECT 5 AS %C) SELECT * FROM (WITH %T AS (SELECT 6 AS %C) SELECT %C FROM %T) d, %T ORDER BY 1",
              "WITH %REC%T AS (SELECT 5 AS %C), b AS (SELECT %C FROM %T) SELECT b.%C FROM b, t_log WHERE t_log.id = b.%C",
              "SELECT id FROM t_log WHERE id IN (WITH %RECa AS (SELECT %C FROM %T), %T AS (SELECT 9 AS %C) SELECT %C FROM a) ORDER BY 1",
              "(WITH %REC%T AS (SELECT 5 AS %C) SELECT %C FROM %T) UNION (SELECT MAX(id) FROM t_log) ORDER BY 1",
              "SELECT %C FROM %T WHERE %C < (WITH %REC%T AS (SELECT 4 AS %C) SELECT %C FROM %T) ORDER BY 1",
              "WITH %RECa AS (SELECT %C FROM %D.%T), %T AS (SELECT 77 AS %C) SELECT COUNT(*) FROM a")) {
        sameOrRefused(written(statement, recursive, table, column));
      }
    }
  }

  private static String written(String statement, String recursive, String table, String column) {
    return statement.replace("%REC", recursive).replace("%T", table).replace("%C", column);
  }

  /** The actual name of a table, or its own behind the database's, is no common table's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH t_order_0 AS (SELECT 1 AS order_id) SELECT COUNT(*) FROM t_order",
        "WITH t_order_0 AS (SELECT 1 AS order_id) SELECT t_order.order_id FROM t_order JOIN t_order_0 USING (order_id) WHERE user_id = 1",
        "WITH t_log_1 AS (SELECT 1 AS id) SELECT id FROM t_log WHERE id = 5",
        "WITH t_order AS (SELECT 1 AS order_id) SELECT COUNT(*) FROM %D.t_order",
        "WITH t_dict AS (SELECT 1 AS code) SELECT * FROM %D.t_dict",
        "WITH t_dict AS (SELECT 1 AS code) SELECT %D.t_dict.code, id FROM %D.t_dict JOIN t_log ON id = code",
        "WITH t_conf AS (SELECT 1 AS k) SELECT k FROM %D.t_conf",
        "WITH t_far AS (SELECT 1 AS k) SELECT k, (SELECT MAX(k) FROM %D.t_far) FROM t_far",
      })
  void hideNoTables(String sql) throws SQLException {
    sameOrRefused(sql);
  }

  /** The same in statements that change rows: the rows are looked at afterwards. */
  @ParameterizedTest
  @CsvSource({"t_order, order_id", "t_dict, code", "t_none, k"})
  void meanTheSameWhereRowsChange(String table, String column) throws SQLException {
    for (String recursive : List.of("", "RECURSIVE ")) {
      for (String statement :
          List.of(
              "INSERT INTO t_item (item_id, order_id, user_id) WITH %RECa AS (SELECT %C FROM %T WHERE %C < 4), %T AS (SELECT 2 AS %C) SELECT %C + 100, 1, 1 FROM a",
              "INSERT INTO t_item (item_id, order_id, user_id) SELECT x + 200, 1, 1 FROM (WITH %RECa AS (SELECT MIN(%C) x FROM %T), %T AS (SELECT 2 AS %C) SELECT x FROM a) d",
              "UPDATE t_item SET quantity = 90 WHERE item_id IN (WITH %RECa AS (SELECT %C FROM %T WHERE %C < 4), %T AS (SELECT 2 AS %C) SELECT %C FROM a)",
              "DELETE FROM t_item WHERE item_id IN (WITH %RECa AS (SELECT MIN(%C) FROM %T), %T AS (SELECT 2 AS %C) SELECT * FROM a)",
              "WITH %RECa AS (SELECT %C FROM %T WHERE %C < 4), %T AS (SELECT 2 AS %C) UPDATE t_item SET quantity = 91 WHERE item_id IN (SELECT %C FROM a)",
              "WITH %RECa AS (SELECT MIN(%C) FROM %T), %T AS (SELECT 5 AS %C) DELETE FROM t_item WHERE item_id IN (SELECT * FROM a)")) {
        sameOrRefused(written(statement, recursive, table, column));
      }
    }
    fixture.same("SELECT * FROM t_item ORDER BY item_id, order_id, user_id", "DELETE FROM t_item");
    fixture.same(
        fixture.rows().stream().filter(each -> each.contains("t_item")).toArray(String[]::new));
  }

  private static void sameOrRefused(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      String inPlain = sql.replace("%D", fixture.schema + "_plain");
      String inProxy = sql.replace("%D", fixture.schema);
      Transcript answer = Transcript.of(proxied, inProxy);
      if (!answer.isRefusal()) {
        assertThat(answer.toString().replace(fixture.schema + "_plain", fixture.schema))
            .as(sql)
            .isEqualTo(
                Transcript.of(plain, inPlain)
                    .toString()
                    .replace(fixture.schema + "_plain", fixture.schema));
      }
    }
  }

  /** Literals and parameters of the table's query are in each of the places. */
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 24})
  void takeTheirParametersAlong(int most) throws SQLException {
    String sql =
        "WITH s AS (SELECT order_id o, ? AS p FROM t_order WHERE order_id <= ?)"
            + " SELECT a.o, b.p FROM s a JOIN s b ON a.o = b.o WHERE a.o > ? ORDER BY a.o";
    Object[] values = {"x", most, 2};
    for (String option : List.of("useServerPrepStmts=true", "useServerPrepStmts=false")) {
      try (Connection proxied = fixture.throughProxy(option);
          Connection plain = fixture.onPlain(option)) {
        assertThat(Transcript.of(proxied, sql, values).rows())
            .isEqualTo(Transcript.of(plain, sql, values).rows());
      }
    }
  }
}
