package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SELECT … INTO of user variables and SQL_CALC_FOUND_ROWS over shards leave what they leave on one
 * plain database.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SelectIntoIT {

  private static final String ORDERS =
      "CREATE TABLE t_order (order_id BIGINT, user_id INT, name VARCHAR(20) COLLATE utf8mb4_bin,"
          + " plain VARCHAR(9) CHARACTER SET latin1, f FLOAT, d DECIMAL(9,3), t TIME(2), m DATETIME(3),"
          + " y YEAR, b BIT(9), e ENUM('a','b'), u BIGINT UNSIGNED ZEROFILL, v VARBINARY(9),"
          + " PRIMARY KEY (order_id, user_id))";

  private static final String LOG = "CREATE TABLE t_log (id BIGINT PRIMARY KEY, user_id INT)";

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_select_into");
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (Connection each : new Connection[] {plain, proxied}) {
        try (Statement statement = each.createStatement()) {
          statement.execute(ORDERS);
          statement.execute(LOG);
          statement.execute(
              "CREATE OR REPLACE VIEW v_third AS SELECT order_id, user_id, d / 3 AS third"
                  + " FROM t_order");
          statement.execute(
              "INSERT INTO t_order VALUES (1, 1, 'Añ\\'', 'é', 1.1, 1.500, '01:02:03.45',"
                  + " '2024-02-03 04:05:06.789', 2024, 5, 'b', 7, x'00ff'),"
                  + " (2, 2, 'b', NULL, 2.5, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
                  + " (3, 1, 'c', 'x', NULL, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
                  + " (4, 2, 'd', 'x', NULL, 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
          statement.execute("INSERT INTO t_log VALUES (1, 1), (2, 1), (3, 2), (4, 5), (5, 6)");
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  /** Each statement as text, then prepared. */
  private static void same(String... statements) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      var comparison = new Comparison(proxied, plain);
      comparison.same(statements);
      comparison.samePrepared(statements);
    }
  }

  @Test
  void variablesHaveTheValuesTypesAndCollationsOfTheColumns() throws SQLException {
    same(
        "SELECT name, plain, f, d, t, m, y, b, e, u, v INTO @n, @p, @f, @d, @t, @m, @y, @b, @e, @u,"
            + " @v FROM t_order WHERE d < 1.6",
        "SELECT ROW_COUNT(), FOUND_ROWS()",
        "SELECT @n, @p, @f, @d, @t, @m, @y, @b, @e, HEX(@v), @u + 0",
        "SELECT COLLATION(@n), COLLATION(@p), COLLATION(@f), COLLATION(@t), COLLATION(@m),"
            + " COLLATION(@e), COLLATION(@v)",
        "SELECT plain, t INTO @p, @t FROM t_order WHERE d = 2",
        "SELECT @p, @t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) INTO @a FROM t_order",
        "SELECT MAX(d) FROM t_order INTO @a",
        "SELECT order_id INTO @a FROM t_order ORDER BY d DESC LIMIT 1",
        "SELECT order_id FROM t_order ORDER BY d LIMIT 1, 1 INTO @a",
        "SELECT order_id FROM t_order ORDER BY d LIMIT 1 FOR UPDATE INTO @a",
        "SELECT order_id INTO @a FROM t_order ORDER BY d LIMIT 1 LOCK IN SHARE MODE",
        "SELECT l.id INTO @a FROM t_order o JOIN t_log l ON o.d = l.id ORDER BY 1 DESC LIMIT 1",
        "SELECT order_id FROM t_order WHERE d = 3 UNION SELECT id FROM t_log WHERE id = 3 INTO @a",
        "SELECT @a + COUNT(*) INTO @a FROM t_order",
        "SELECT 7, COUNT(*) INTO @a, @A FROM t_log",
        "SELECT order_id INTO @a FROM t_order WHERE user_id = 1 AND order_id = 3",
        "SELECT order_id INTO @a FROM t_order WHERE d = 99",
        "SELECT order_id FROM t_order WHERE d = 99 INTO @a",
        "SELECT order_id INTO @a FROM t_order ORDER BY order_id DESC",
        "SELECT order_id, d INTO @a FROM t_order",
        "SELECT order_id INTO @a, @b FROM t_order LIMIT 1",
        "SELECT order_id INTO nobody FROM t_order",
        "SELECT nothing INTO @a FROM t_order",
        "SELECT ROUND(AVG(d), 5) INTO @a FROM t_order",
        "SELECT order_id FROM t_order WHERE d = 9 UNION ALL SELECT AVG(d) FROM t_order INTO @a",
        "SELECT m INTO @a FROM (SELECT AVG(d) AS m FROM t_order) s",
        "SELECT order_id INTO @a FROM t_order UNION SELECT id FROM t_log",
        "SELECT order_id INTO @a FROM t_order WHERE d = 3 UNION ALL SELECT id FROM t_log WHERE id = 9",
        "SELECT order_id INTO @a FROM t_order INTERSECT SELECT id FROM t_log WHERE id = 1",
      })
  void givesTheSession(String sql) throws SQLException {
    same("SET @a = 'before'", sql, "SHOW WARNINGS", "SELECT @a, @b");
  }

  @Test
  void digitsAreThoseThatAreAskedFor() throws SQLException {
    same(
        "SELECT ROUND(f / 3, 2), CAST(IFNULL(d, 0) AS DECIMAL(9,1)) INTO @x, @y FROM t_order"
            + " WHERE d = 2",
        "SELECT @x, @y",
        "SELECT IFNULL(f, 0), d * 1.10 INTO @x, @y FROM t_order WHERE d = 3",
        "SELECT @x, @y");
  }

  /** A DECIMAL without a fraction divides with more digits than an integer. */
  @Test
  void decimalsStayDecimals() throws SQLException {
    same(
        "SELECT SUM(user_id), MAX(user_id), COUNT(*) INTO @s, @m, @c FROM t_order",
        "SELECT @s, @s / 3, @m / 3, @c / 3, -@s, @s + 0",
        "SET @s = (SELECT SUM(user_id) FROM t_order), @t = @s",
        "SELECT @s / 3, @t / 3",
        "SELECT id FROM t_log WHERE id = @s - 5 ORDER BY id",
        "SET @t = CAST(100 AS DECIMAL(5))",
        "SELECT @t / 3",
        "PREPARE p FROM 'SELECT id FROM t_log WHERE id = ?'",
        "SET @t = CAST(3 AS DECIMAL(5))",
        "EXECUTE p USING @t");
  }

  @Test
  void seesAndLocksWhatItsTransactionDoes() throws SQLException {
    same(
        "START TRANSACTION",
        "UPDATE t_order SET d = d + 10",
        "SELECT MIN(d) INTO @a FROM t_order FOR UPDATE",
        "SELECT @a",
        "ROLLBACK",
        "SELECT MIN(d) INTO @a FROM t_order",
        "SELECT @a");
  }

  @Test
  void refusesWhatTheShardsCannotAnswer() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      for (String sql :
          new String[] {
            "SELECT AVG(d) INTO @a FROM t_order",
            "SELECT SUM(d) / 3 INTO @a FROM t_order",
            "SELECT IFNULL(SUM(d), 0) INTO @a FROM t_order",
            "SELECT third INTO @a FROM v_third WHERE user_id = 2 ORDER BY third LIMIT 1",
            "SELECT order_id INTO OUTFILE '/tmp/never' FROM t_order",
          }) {
        assertThat(Transcript.of(proxied, sql).isRefusal()).as(sql).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order ORDER BY order_id LIMIT 2",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order ORDER BY order_id LIMIT 2, 1",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order ORDER BY order_id LIMIT 1 OFFSET 9",
        "SELECT SQL_CALC_FOUND_ROWS * FROM t_order LIMIT 0",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order WHERE d > 1.5 ORDER BY order_id",
        "SELECT SQL_CALC_FOUND_ROWS user_id, SUM(d) FROM t_order GROUP BY user_id ORDER BY 1 LIMIT 1",
        "SELECT SQL_CALC_FOUND_ROWS DISTINCT user_id FROM t_order ORDER BY 1 LIMIT 1",
        "SELECT SQL_CALC_FOUND_ROWS COUNT(*) FROM t_order LIMIT 1",
        "SELECT SQL_CALC_FOUND_ROWS user_id, COUNT(*) FROM t_order GROUP BY user_id WITH ROLLUP"
            + " LIMIT 2",
        "SELECT SQL_CALC_FOUND_ROWS o.order_id, l.id FROM t_order o JOIN t_log l"
            + " ON l.user_id = o.user_id ORDER BY 1, 2 LIMIT 2",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order UNION SELECT id FROM t_log ORDER BY 1"
            + " LIMIT 3",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order UNION ALL SELECT id FROM t_log ORDER BY 1"
            + " LIMIT 3",
        "WITH c AS (SELECT d FROM t_order) SELECT SQL_CALC_FOUND_ROWS d FROM c ORDER BY d LIMIT 1",
        "SELECT SQL_CALC_FOUND_ROWS order_id, ROW_NUMBER() OVER (ORDER BY d) FROM t_order"
            + " ORDER BY 1 LIMIT 1",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order ORDER BY 1 LIMIT 1 FOR UPDATE",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order WHERE user_id = 1 AND order_id = 1 LIMIT 1",
      })
  void countsRows(String sql) throws SQLException {
    same(sql, "SELECT FOUND_ROWS()");
    same("SET sql_select_limit = 1", sql, "SELECT FOUND_ROWS()");
  }

  @Test
  void countsRowsOfBoundLimits() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      String sql =
          "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order WHERE d > ? ORDER BY order_id LIMIT ?, ?";
      for (Object[] values : new Object[][] {{1, 1, 2}, {0, 0, 1}, {2, 5, 5}}) {
        assertThat(Transcript.of(proxied, sql, values))
            .isEqualTo(Transcript.of(plain, sql, values));
        assertThat(Transcript.of(proxied, "SELECT FOUND_ROWS()"))
            .isEqualTo(Transcript.of(plain, "SELECT FOUND_ROWS()"));
      }
    }
  }

  @Test
  void setReadsTables() throws SQLException {
    same(
        "SET @n = (SELECT COUNT(*) FROM t_log)",
        "SELECT @n",
        "SET @n := (SELECT COUNT(*) FROM t_order), @m = 1, @o = 2, @p = (SELECT MAX(m) FROM t_order)",
        "SELECT @n, @m, @o, @p",
        "SET @total = (SELECT SUM(d) FROM t_order), @c = (SELECT name FROM t_order WHERE order_id = 1)",
        "SELECT @total, @total * 2, @c, COLLATION(@c)",
        "SET @none = (SELECT d FROM t_order WHERE order_id = 99)",
        "SELECT @none IS NULL",
        "SET @two = 7, @n = (SELECT order_id FROM t_order)",
        "SELECT @n",
        "SET @v = (SELECT nope FROM t_order)",
        "SET @s = (SELECT IF(COUNT(*) = 0, 'SELECT 1', 'SELECT 2') FROM information_schema.columns"
            + " WHERE table_schema = DATABASE() AND table_name = 't_order' AND column_name = 'plain')",
        "SELECT @s",
        "SET @m = 5, @n = (SELECT COUNT(*) FROM t_order, t_log)",
        "SELECT @m, @n");
    same(
        "SELECT order_id FROM t_order ORDER BY order_id LIMIT 3",
        "SET @n = (SELECT 1 FROM t_log LIMIT 1)");
  }

  @Test
  void setReadsTablesByMarkers() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      String sql = "SET @n = (SELECT MAX(order_id) FROM t_order WHERE order_id < ?), @m = ?";
      assertThat(Transcript.of(proxied, sql, 4, "x")).isEqualTo(Transcript.of(plain, sql, 4, "x"));
      assertThat(Transcript.of(proxied, "SELECT @n, @m"))
          .isEqualTo(Transcript.of(plain, "SELECT @n, @m"));
    }
  }

  @Test
  void systemVariablesAreNotSetFromShards() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(
              Transcript.of(proxied, "SET @a = 1, sort_buffer_size = (SELECT COUNT(*) FROM t_log)"))
          .matches(Transcript::isRefusal);
    }
  }
}
