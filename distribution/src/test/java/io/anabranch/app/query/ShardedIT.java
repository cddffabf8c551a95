package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
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

/** A sharded database answers as one plain database with the same rows does. */
@Tag("quick")
@ExtendWith(MariaDbServers.Resolver.class)
class ShardedIT {

  private static final String[] SHOP = {
    """
    CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, status VARCHAR(20) NOT NULL,
      total DECIMAL(10,2), placed DATETIME(3), note TEXT, PRIMARY KEY (order_id, user_id), KEY by_status (status))
    """,
    """
    CREATE TABLE t_item (item_id INT NOT NULL, order_id BIGINT NOT NULL, user_id INT NOT NULL, sku VARCHAR(20),
      quantity INT, price FLOAT, PRIMARY KEY (item_id, order_id, user_id))
    """,
    "CREATE TABLE t_log (id INT NOT NULL PRIMARY KEY, level ENUM('info','warn','error') NOT NULL, text VARCHAR(100))",
    "CREATE TABLE t_country (code CHAR(2) NOT NULL PRIMARY KEY, name VARCHAR(40))",
    "CREATE TABLE t_setting (name VARCHAR(20) NOT NULL PRIMARY KEY, value INT)",
    "INSERT INTO t_country (code, name) VALUES ('at', 'Austria'), ('ch', 'Schweiz'), ('fr', 'France')",
    "INSERT INTO t_setting (name, value) VALUES ('a', 1), ('b', 2)",
  };

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_sharded");
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql : SHOP) {
        both(plain, proxied, sql);
      }
      var orders =
          new StringBuilder(
              "INSERT INTO t_order (order_id, user_id, status, total, placed, note) VALUES ");
      var items =
          new StringBuilder(
              "INSERT INTO t_item (item_id, order_id, user_id, sku, quantity, price) VALUES ");
      var log = new StringBuilder("INSERT INTO t_log (id, level, text) VALUES ");
      String[] states = {"open", "Paid", "sent", "PAID", "ärger"};
      String[] levels = {"info", "warn", "error"};
      for (int i = 1; i <= 60; i++) {
        String comma = i == 1 ? "" : ", ";
        String total = i % 11 == 0 ? "NULL" : i * 7 % 13 + ".25";
        orders.append(
            "%s(%d, %d, '%s', %s, '2024-01-%02d 10:00:00.%03d', 'note %d')"
                .formatted(comma, i, i % 7, states[i % 5], total, i % 28 + 1, i, i % 4));
        items.append(
            "%s(%d, %d, %d, 'sku%d', %d, %d.1)".formatted(comma, i, i, i % 7, i % 3, i % 5, i));
        log.append("%s(%d, '%s', 'line %d')".formatted(comma, i, levels[i % 3], i));
      }
      both(plain, proxied, orders.toString());
      both(plain, proxied, items.toString());
      both(plain, proxied, log.toString());
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT AVG(total), COUNT(DISTINCT status) FROM t_order WHERE order_id > ?",
        "SELECT user_id % 2 AS p, COUNT(DISTINCT status) AS n FROM t_order WHERE order_id > ? GROUP BY p",
        "SELECT order_id, status AS s, total FROM t_order WHERE order_id > ? ORDER BY total LIMIT 3",
        "SELECT COUNT(*) + 1 AS more FROM t_order WHERE order_id > ?",
        "SELECT EXISTS(SELECT 1 FROM t_order WHERE order_id > ?)",
        "SELECT (SELECT COUNT(*) FROM t_order WHERE user_id = 1 AND order_id = ?) + 1",
      })
  void preparingTellsTheColumnsOfTheAnswer(String sql) throws SQLException {
    try (Connection plain = fixture.onPlain("useServerPrepStmts=true");
        Connection proxied = fixture.throughProxy("useServerPrepStmts=true");
        PreparedStatement there = plain.prepareStatement(sql);
        PreparedStatement here = proxied.prepareStatement(sql)) {
      ResultSetMetaData expected = there.getMetaData();
      ResultSetMetaData prepared = here.getMetaData();
      assertThat(prepared.getColumnCount()).isEqualTo(expected.getColumnCount());
      for (int i = 1; i <= expected.getColumnCount(); i++) {
        assertThat(prepared.getColumnLabel(i)).isEqualTo(expected.getColumnLabel(i));
        assertThat(prepared.getTableName(i)).isEqualTo(expected.getTableName(i));
        assertThat(prepared.getColumnTypeName(i)).isEqualTo(expected.getColumnTypeName(i));
        assertThat(prepared.getScale(i)).isEqualTo(expected.getScale(i));
      }
    }
  }

  private static void both(Connection plain, Connection proxied, String sql, Object... parameters) {
    Transcript expected = Transcript.of(plain, sql, parameters);
    assertThat(expected.isError()).as("%s: %s", sql, expected.head()).isFalse();
    assertThat(Transcript.of(proxied, sql, parameters)).as(sql).isEqualTo(expected);
  }

  /** One after the other, by one connection each. */
  private static void same(String... statements) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      same(plain, proxied, statements);
    }
  }

  private static void same(Connection plain, Connection proxied, String... statements) {
    for (String sql : statements) {
      both(plain, proxied, sql);
    }
  }

  /** Ordered completely, so that rows must come in the same order. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t_order WHERE order_id = 9 AND user_id = 2",
        "SELECT o.* FROM t_order o WHERE o.order_id = 9 AND o.user_id = 2",
        "SELECT t_order.status FROM t_order WHERE t_order.order_id = 9 AND t_order.user_id = 2",
        "SELECT * FROM t_order WHERE order_id IN (1, 5, 9) ORDER BY order_id",
        "SELECT * FROM t_order WHERE user_id = 3 ORDER BY order_id DESC",
        "SELECT * FROM t_order WHERE order_id BETWEEN 10 AND 20 ORDER BY order_id",
        "SELECT * FROM t_order WHERE order_id = 1 AND order_id = 2",
        "SELECT order_id, total FROM t_order ORDER BY total DESC, order_id LIMIT 5",
        "SELECT total, order_id FROM t_order ORDER BY 00002 DESC LIMIT 5",
        "SELECT user_id, order_id % 3, COUNT(*) FROM t_order GROUP BY 1, 0002 ORDER BY 01, 2",
        "SELECT order_id FROM t_order /*! ORDER BY order_id DESC */ /*!50000 LIMIT 5 */",
        "SELECT order_id /*!, user_id */ FROM t_order WHERE order_id > 3 /*!99999 AND */ ORDER BY order_id",
        "SELECT SUM(status = BINARY 'PAID') - SUM(status = BINARY 'paid') AS d FROM t_order",
        "SELECT order_id, LOCATE(N'a' COLLATE utf8mb3_bin, status) AS p FROM t_order ORDER BY LOCATE(N'A' COLLATE utf8mb3_bin, status), order_id LIMIT 4",
        "SELECT order_id, total FROM t_order ORDER BY total, order_id LIMIT 5, 7",
        "SELECT order_id FROM t_order ORDER BY status, placed DESC, order_id",
        "SELECT id, level FROM t_log ORDER BY level DESC, id LIMIT 10",
        "SELECT COUNT(*) FROM t_order",
        "SELECT COUNT(*), COUNT(total), SUM(total), MIN(total), MAX(total), AVG(total) FROM t_order",
        "SELECT COUNT(*), SUM(total) FROM t_order WHERE order_id > 1000",
        "SELECT MIN(status), MAX(placed), SUM(user_id), AVG(user_id) FROM t_order",
        "SELECT user_id, COUNT(*) AS n, SUM(total) FROM t_order GROUP BY user_id ORDER BY user_id",
        "SELECT user_id, COUNT(*) FROM t_order GROUP BY user_id ORDER BY COUNT(*) DESC, user_id LIMIT 3",
        "SELECT user_id, AVG(total) a FROM t_order GROUP BY user_id HAVING AVG(total) > 5 ORDER BY user_id",
        "SELECT user_id * 0 AS user_id FROM t_order GROUP BY user_id HAVING user_id <> 0 ORDER BY user_id",
        "SELECT user_id * 0 AS user_id FROM t_order o GROUP BY o.user_id HAVING user_id > 3",
        "SELECT -user_id AS user_id, COUNT(*) n FROM t_order GROUP BY user_id HAVING user_id > 2 AND n > 1 ORDER BY user_id",
        "SELECT user_id DIV 2 AS user_id, COUNT(*) FROM t_order GROUP BY t_order.user_id HAVING user_id > 1 ORDER BY 1, 2",
        "SELECT user_id AS u, COUNT(*) AS status FROM t_order GROUP BY user_id HAVING status > 2 ORDER BY u",
        "SELECT LOWER(status) s, COUNT(*) FROM t_order GROUP BY LOWER(status) ORDER BY s",
        "SELECT DISTINCT user_id FROM t_order ORDER BY user_id",
        "SELECT COUNT(DISTINCT user_id) FROM t_order WHERE order_id = 9 AND user_id = 2",
        "SELECT o.order_id, i.sku FROM t_order o JOIN t_item i ON i.order_id = o.order_id AND i.user_id = o.user_id WHERE o.order_id = 9 AND o.user_id = 2",
        "SELECT o.order_id, i.quantity FROM t_order o JOIN t_item i ON i.order_id = o.order_id AND i.user_id = o.user_id ORDER BY o.order_id",
        "SELECT u FROM ((SELECT user_id AS u, total FROM t_order) ORDER BY u, total LIMIT 2, 3) d ORDER BY u",
        "SELECT u FROM (((SELECT user_id AS u FROM t_order) UNION (SELECT 99)) ORDER BY u DESC, 1 LIMIT 1) d",
        "SELECT name FROM t_country WHERE code = 'ch'",
        "SELECT value FROM t_setting ORDER BY name",
        "SELECT l.id, c.name FROM t_log l JOIN t_country c ON c.code = 'at' WHERE l.id = 7",
        "SELECT 1",
        "SELECT status FROM t_order WHERE order_id = 9 AND user_id = 2 FOR UPDATE",
      })
  void queriesGiveWhatOneDatabaseGives(String sql) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy();
        Connection plainBinary = fixture.onPlain("useServerPrepStmts=true");
        Connection proxiedBinary = fixture.throughProxy("useServerPrepStmts=true")) {
      both(plain, proxied, sql);
      String prepared =
          sql.contains(" WHERE ") ? sql.replaceFirst(" WHERE ", " WHERE ? = 1 AND ") : null;
      if (prepared != null && !prepared.contains("BETWEEN")) {
        both(plainBinary, proxiedBinary, prepared, 1);
      }
    }
  }

  /** The plan of one serves the other, but for what its columns are called. */
  @Test
  void columnsAreCalledAsTheyAreWritten() throws SQLException {
    same(
        "SELECT CAST(order_id AS CHAR), TRIM('x' FROM status), CONCAT(1, 2) FROM t_order ORDER BY order_id",
        "SELECT CAST(order_id  AS CHAR), TRIM('x'  FROM status), CONCAT(1,  2) FROM t_order ORDER BY order_id",
        "SELECT order_id + 1 FROM t_order WHERE order_id = 9 AND user_id = 2",
        "SELECT order_id  +   1 FROM t_order WHERE order_id = 9 AND user_id = 2",
        "SELECT order_id/* plus */ + 1 FROM t_order  WHERE order_id = 9 AND user_id = 2",
        "SELECT 'a' RLIKE 'b'",
        "SELECT 'a'  RLIKE\n 'b'",
        "SELECT COUNT( *), MAX(total ) FROM t_order",
        "SELECT COUNT(  *), MAX(total  ) FROM t_order",
        "SELECT * FROM (SELECT order_id  * 2 FROM t_order WHERE order_id < 4) d ORDER BY 1",
        "SELECT * FROM (SELECT order_id * 2 FROM t_order WHERE order_id < 4) d ORDER BY 1");
  }

  /** FOUND_ROWS() is what a server says, or it is refused. */
  @Test
  void foundRowsAreRightOrRefused() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String limit :
          List.of(
              " LIMIT 2",
              " LIMIT 2, 3",
              " LIMIT 3 OFFSET 2",
              " OFFSET 2 ROWS",
              " OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
              " FETCH FIRST ROW ONLY",
              " FETCH FIRST 2 ROWS WITH TIES")) {
        for (String query :
            List.of(
                "SELECT order_id FROM t_order ORDER BY 1%s",
                "(SELECT order_id FROM t_order ORDER BY 1%s)",
                "SELECT order_id, ROW_NUMBER() OVER () FROM t_order ORDER BY 1%s",
                "SELECT code FROM t_country ORDER BY code%s",
                "SELECT order_id FROM t_order UNION ALL SELECT id FROM t_log ORDER BY 1%s",
                "(SELECT order_id FROM t_order LIMIT 3) EXCEPT SELECT 1 ORDER BY 1%s",
                "SELECT COUNT(*) FROM t_order%s")) {
          String sql = query.formatted(limit);
          if (Transcript.of(plain, sql).isError()) {
            continue;
          }
          Transcript.of(proxied, sql);
          Transcript expected = Transcript.of(plain, "SELECT FOUND_ROWS()");
          Transcript found = Transcript.of(proxied, "SELECT FOUND_ROWS()");
          if (found.isError()) {
            assertThat(found.head()).as(sql).contains("AB2002", "FOUND_ROWS");
          } else {
            assertThat(found).as(sql).isEqualTo(expected);
          }
        }
      }
    }
  }

  /** MariaDB takes more than variables. */
  @Test
  void namedStatementsTakeLiterals() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      same(
          plain,
          proxied,
          "PREPARE few FROM 'SELECT order_id FROM t_order WHERE order_id < ? AND user_id > ?"
              + " AND status <> ? ORDER BY order_id'",
          "SET @most = 9",
          "EXECUTE few USING 5, -1, 'none'",
          "EXECUTE few USING @most, 1, \"none\"",
          "EXECUTE few USING NULL, 1, 'none'",
          "DEALLOCATE PREPARE few");
      assertThat(Transcript.of(proxied, "EXECUTE few USING 1 + 1").head())
          .contains("AB2002", "user variable");
    }
  }

  /** Where no variable may stand. */
  @Test
  @Tag("both")
  void namedStatementsTakeNumbers() throws SQLException {
    same(
        "SET @one = 1, @two = 2",
        "PREPARE p FROM 'SELECT order_id, LAG(order_id, ?) OVER (ORDER BY order_id) AS other"
            + " FROM t_order ORDER BY order_id'",
        "EXECUTE p USING @two",
        "PREPARE p FROM 'SELECT (SELECT order_id FROM t_order ORDER BY order_id LIMIT ?, ?) AS x"
            + " FROM t_country ORDER BY code'",
        "EXECUTE p USING @two, @one",
        "DEALLOCATE PREPARE p");
  }

  /** The word is none of the tables' names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT c.code, o.order_id FROM t_country c, t_order o NATURAL LEFT JOIN t_item ORDER BY 1, 2",
        "SELECT o.order_id FROM t_order o NATURAL LEFT JOIN t_item WHERE o.order_id < 9 ORDER BY 1",
        "SELECT t_item.order_id FROM t_country, t_order NATURAL RIGHT JOIN t_item ORDER BY 1",
        "SELECT t_order.order_id FROM t_country, t_order NATURAL INNER JOIN t_item ORDER BY 1",
      })
  void naturalJoinsAreNoNames(String sql) throws SQLException {
    same(sql);
  }

  @Test
  void parametersRouteAsLiteralsDo() throws SQLException {
    try (Connection plain = fixture.onPlain("useServerPrepStmts=true");
        Connection proxied = fixture.throughProxy("useServerPrepStmts=true")) {
      for (int order = 1; order <= 12; order++) {
        both(
            plain,
            proxied,
            "SELECT * FROM t_order WHERE order_id = ? AND user_id = ?",
            (long) order,
            order % 7);
        both(plain, proxied, "SELECT * FROM t_log WHERE id = ?", Integer.toString(order));
      }
      both(
          plain,
          proxied,
          "SELECT order_id FROM t_order WHERE order_id IN (?, ?, ?) ORDER BY order_id",
          3,
          4L,
          "5");
      // drivers of JavaScript bind all numbers so
      both(plain, proxied, "SELECT order_id FROM t_order ORDER BY order_id LIMIT ?", 3.0);
    }
  }

  @Test
  void writesCountAndChangeTheSameRows() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      plain.setAutoCommit(false);
      proxied.setAutoCommit(false);
      for (String sql :
          new String[] {
            "INSERT INTO t_order (order_id, user_id, status, total) VALUES (101, 1, 'new', 1), (102, 2, 'new', 2), (103, 3, 'new', 3)",
            "UPDATE t_order SET total = total + 1 WHERE order_id = 101 AND user_id = 1",
            "UPDATE t_order SET note = 'x' WHERE order_id > 100",
            "UPDATE t_order SET note = 'x' WHERE order_id > 100",
            "UPDATE t_order o SET o.note = 'y' WHERE o.order_id IN (101, 102) AND o.user_id < 3",
            "DELETE FROM t_order WHERE order_id = 102 AND user_id = 2",
            "REPLACE INTO t_order (order_id, user_id, status) VALUES (103, 3, 'again')",
            "INSERT INTO t_order (order_id, user_id, status, total) VALUES (103, 3, 'dup', 9) ON DUPLICATE KEY UPDATE status = 'dup', total = 9",
            "UPDATE t_country SET name = 'Suisse' WHERE code = 'ch'",
            "INSERT INTO t_setting (name, value) VALUES ('c', 3)",
            "SELECT order_id, user_id, status, total, note FROM t_order WHERE order_id > 100 ORDER BY order_id",
            "DELETE FROM t_order WHERE order_id > 100",
            "SELECT COUNT(*) FROM t_order",
          }) {
        both(plain, proxied, sql);
      }
      plain.rollback();
      proxied.rollback();
      both(plain, proxied, "SELECT COUNT(*), MAX(order_id) FROM t_order");
      both(plain, proxied, "SELECT name FROM t_country ORDER BY code");
    }
  }

  @Test
  void rowsLieWhereTheAlgorithmsSay() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript route =
          Transcript.of(
              proxied, "EXPLAIN ROUTE SELECT * FROM t_order WHERE order_id = 6 AND user_id = 5");
      assertThat(route.isError()).as(route.head()).isFalse();
      assertThat(String.join("\n", route.rows())).contains("ds_1").contains("t_order_2");
    }
  }

  @Test
  void saysWhyItDoesNotMerge() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript route =
          Transcript.of(
              proxied,
              "EXPLAIN ROUTE SELECT user_id, ROW_NUMBER() OVER (ORDER BY user_id) FROM t_order");
      assertThat(String.join("\n", route.rows())).contains("no merge: a window function", "stage");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t_nowhere | 1146 | 42S02 | it_sharded.t_nowhere",
        "SELECT nothing FROM t_order WHERE order_id = 1 AND user_id = 1 | 1054 | 42S22 | nothing",
        "INSERT INTO t_order (order_id, user_id, status) VALUES (1, 1, 'x') | 1062 | 23000 | Duplicate entry",
        "SELECT * FORM t_order | 1064 | 42000 | syntax",
        "SELECT * FROM t_order /* t_order | 1064 | 42000 | near '/* t_order' at line 1",
        "SELECT name FROM t_order WHERE order_id = 1 AND user_id = 1/*/ | 1064 | 42000 | near '/*/' at line 1",
        "DELETE FROM t_order WHERE order_id = 1 /* | 1064 | 42000 | near '/*' at line 1",
        "INSERT INTO t_order (order_id, user_id, status) VALUES (1, 1, 'x') /* | 1064 | 42000 | near '/*' at line 1",
        "SELECT 1; /* t_order | 1064 | 42000 | syntax",
        "/* t_order | 1064 | 42000 | near '/* t_order' at line 1",
        "SHOW VARIABLES LIKE 'autocommit' /* x | 1064 | 42000 | near '/* x' at line 1",
        "SELECT DATABASE() /* x | 1064 | 42000 | near '/* x' at line 1",
        "SET autocommit = 1 /* x | 1064 | 42000 | near '/* x' at line 1",
        "KILL 1 /* x | 1064 | 42000 | near '/* x' at line 1",
        "USE it_sharded /* x | 1064 | 42000 | near '/* x' at line 1",
        "DELETE FROM t_order /*! WHERE order_id = 1 /*!50000 AND user_id = 1 */ */ | 1064 | 42000 | near '/' at line 1",
        "USE no_such_database | 1049 | 42000 | no_such_database",
        "USE `` | 1046 | 3D000 | No database selected",
      })
  void errorsSpeakOfLogicalNames(String sql, int errno, String state, String part)
      throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.head())
          .startsWith("error " + errno + " " + state)
          .contains(part)
          .doesNotContain("t_order_");
      assertThat(Transcript.of(proxied, "SELECT 1").isError()).as("the session lives on").isFalse();
    }
  }

  @Test
  void clientsSeeLogicalTablesOnly() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript tables = Transcript.of(proxied, "SHOW TABLES");
      assertThat(tables.rows())
          .containsExactly("'t_country'|", "'t_item'|", "'t_log'|", "'t_order'|", "'t_setting'|");
      assertThat(tables.head()).startsWith("Tables_in_it_sharded|");
      assertThat(Transcript.of(proxied, "SHOW CREATE TABLE t_order").rows().toString())
          .contains("CREATE TABLE `t_order`");
      assertThat(Transcript.of(proxied, "DESCRIBE t_order").rows()).hasSize(6);
    }
  }

  @Test
  void warningsOfLiteralsCountOnceAndThoseOfRowsEach() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql :
          new String[] {
            "SELECT order_id FROM t_order WHERE user_id > '3x' ORDER BY order_id",
            "SHOW WARNINGS",
            "SELECT order_id FROM t_order WHERE user_id IN ('3x', '4') ORDER BY order_id",
            "SHOW WARNINGS",
            "SELECT order_id FROM t_order WHERE user_id BETWEEN 1 AND '3x' ORDER BY order_id",
            "SHOW COUNT(*) WARNINGS",
            "SELECT COUNT(*) FROM t_order WHERE note + 1 > 0",
            "SHOW COUNT(*) WARNINGS"
          }) {
        both(plain, proxied, sql);
      }
    }
  }

  @Test
  void looksAfterAllNodesOfATable() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript status = Transcript.of(proxied, "SHOW TABLE STATUS LIKE 't\\_order'");
      assertThat(status.rows()).hasSize(1);
      assertThat(status.rows().toString()).contains("t_order").doesNotContain("t_order_");
      for (String sql :
          new String[] {
            "ANALYZE TABLE t_order",
            "CHECK TABLE t_order",
            "CHECKSUM TABLE t_order",
            "EXPLAIN SELECT * FROM t_order",
            "EXPLAIN INSERT INTO t_order (order_id, user_id, status) VALUES (901, 1, 'x')"
          }) {
        Transcript answer = Transcript.of(proxied, sql);
        assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isFalse();
        assertThat(answer.rows().toString()).as(sql).contains("t_order").doesNotContain("t_order_");
      }
    }
  }
}
