package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What functions do beside computing: they tell the time, differ by server, place rows. */
@ExtendWith(MariaDbServers.Resolver.class)
class FunctionsIT {

  /** Whose values two servers surely give differently, or may. */
  private static final List<String> DIFFERENT =
      List.of(
          "UUID()",
          "`uuid`()",
          "UUID_SHORT()",
          "SYS_GUID()",
          "HEX(RANDOM_BYTES(8))",
          "RAND()",
          "SYSDATE(6)",
          "VERSION()",
          "@@hostname",
          "@@port",
          "own_text()",
          "IFNULL(NULL, CONCAT('a', UUID()))",
          "(SELECT UUID())");

  /** Every one that tells the moment of the statement, as texts of six decimals. */
  private static final List<String> MOMENTS =
      List.of(
          "NOW(6)",
          "now(6)",
          "CURRENT_TIMESTAMP(6)",
          "LOCALTIME(6)",
          "LOCALTIMESTAMP(6)",
          "UTC_TIMESTAMP(6)",
          "CURTIME(6)",
          "CURRENT_TIME(6)",
          "UTC_TIME(6)",
          "UNIX_TIMESTAMP(NOW(6))",
          "UNIX_TIMESTAMP()",
          "CURRENT_TIMESTAMP",
          "CURDATE()",
          "UTC_DATE");

  private static final List<String> ABOUT_ROWS =
      List.of(
          "SELECT COUNT(DISTINCT %s) FROM t_log",
          "SELECT COUNT(*) FROM (SELECT DISTINCT %s FROM t_log) x",
          "SELECT COUNT(*) FROM (SELECT %s AS a FROM t_log GROUP BY a) x",
          "SELECT COUNT(*) FROM (SELECT %1$s FROM t_log UNION SELECT %1$s FROM t_order) x",
          "SELECT MIN(%1$s) = MAX(%1$s) FROM t_log");

  private static ShardedFixture fixture;
  private static MariaDbServer a;
  private static MariaDbServer b;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_functions");
    a = servers.primaryA();
    b = servers.primaryB();
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      new Comparison(proxied, plain)
          .same(
              "CREATE TABLE t_log (id VARCHAR(60) PRIMARY KEY, n INT, note VARCHAR(60),"
                  + " at DATETIME(6) DEFAULT NOW(6) ON UPDATE NOW(6))",
              "CREATE TABLE t_order (order_id BIGINT, user_id BIGINT, at DATETIME(6), d DATE,"
                  + " t TIME(3), x DECIMAL(20,9), f DOUBLE, b VARBINARY(20), c VARCHAR(40),"
                  + " PRIMARY KEY (order_id, user_id))",
              "CREATE TABLE t_item LIKE t_order",
              "CREATE TABLE t_country (code INT PRIMARY KEY, name VARCHAR(80), n INT,"
                  + " at DATETIME(6) DEFAULT NOW(6) ON UPDATE NOW(6))",
              "CREATE FUNCTION own_text() RETURNS TEXT NO SQL RETURN UUID()",
              "INSERT INTO t_log (id, n) VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6),(7,7),(8,8)",
              "INSERT INTO t_order (order_id, user_id) VALUES (1,1),(2,2),(3,3),(4,4),(5,5)",
              "INSERT INTO t_country (code) VALUES (1),(2),(3)");
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void theTableHasAllFunctionsOfTheServer() throws SQLException {
    var missing = new ArrayList<String>();
    try (Connection plain = fixture.onPlain();
        Statement statement = plain.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT FUNCTION FROM information_schema.SQL_FUNCTIONS")) {
      while (rows.next()) {
        if (SqlFunctions.find(rows.getString(1)) == null) {
          missing.add(rows.getString(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  static Stream<String> different() {
    return DIFFERENT.stream();
  }

  @ParameterizedTest
  @MethodSource("different")
  void copiesOfBroadcastTablesStayEqual(String value) throws SQLException {
    List<String> writes =
        List.of(
            "INSERT INTO t_country (code, name) VALUES (10, %s), (11, 'x')",
            "INSERT INTO t_country SET code = 12, name = %s, n = DEFAULT",
            "REPLACE INTO t_country (code, name) VALUES (13, %s)",
            "INSERT INTO t_country (code, name) SELECT 14 + order_id + 100 * user_id, %s FROM t_order",
            "INSERT INTO t_country (code) VALUES (1) ON DUPLICATE KEY UPDATE name = %s",
            "UPDATE t_country SET name = %s",
            "UPDATE t_country SET name = 'hit' WHERE name < %s",
            "DELETE FROM t_country WHERE name > %s",
            "ALTER TABLE t_country ADD x VARCHAR(80) DEFAULT (%s)");
    try (Connection proxied = fixture.throughProxy()) {
      Transcript.of(proxied, "DELETE FROM t_country WHERE code > 3");
      for (String write : writes) {
        String sql = write.formatted(value);
        Transcript answer = Transcript.of(proxied, sql);
        assertThat(copies(a)).as("%s: %s", sql, answer).isEqualTo(copies(b));
        boolean changes = sql.contains(" INTO ") && !sql.contains("DUPLICATE");
        assertThat(answer.isError()).as("%s: %s", sql, answer).isEqualTo(!changes);
      }
    }
  }

  private static List<String> copies(MariaDbServer server) throws SQLException {
    var rows = new ArrayList<String>();
    try (Connection connection = server.connect("it_functions");
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT * FROM it_functions.t_country ORDER BY code")) {
      while (result.next()) {
        rows.add(result.getString(1) + " " + result.getString(2) + " " + result.getString(4));
      }
    }
    return rows;
  }

  @Test
  void whatDatabasesFillInCountsToo() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      for (MariaDbServer server : List.of(a, b)) {
        server.execute(
            "CREATE OR REPLACE TABLE it_functions.t_country (code INT PRIMARY KEY,"
                + " name VARCHAR(80) DEFAULT UUID(), n INT, at DATETIME(6) DEFAULT NOW(6))");
      }
      Transcript.of(proxied, "ALTER TABLE t_country COMMENT = 'known'");
      for (String refused :
          List.of(
              "INSERT INTO t_country (code) VALUES (1)",
              "INSERT INTO t_country VALUES (1, DEFAULT, 2, NOW())",
              "REPLACE INTO t_country SET code = 1",
              "UPDATE t_country SET name = DEFAULT",
              "INSERT INTO t_country (code) SELECT order_id FROM t_order")) {
        assertThat(Transcript.of(proxied, refused).head())
            .as(refused)
            .contains("DEFAULT of column");
      }
      assertThat(
              Transcript.of(proxied, "INSERT INTO t_country (code, name) VALUES (1, 'x')").head())
          .startsWith("affected 1");
      for (MariaDbServer server : List.of(a, b)) {
        server.execute(
            "ALTER TABLE it_functions.t_country ALTER name DROP DEFAULT",
            "CREATE TRIGGER it_functions.t_named BEFORE INSERT ON it_functions.t_country"
                + " FOR EACH ROW SET NEW.name = UUID()");
      }
      Transcript.of(proxied, "ALTER TABLE t_country COMMENT = 'known again'");
      assertThat(
              Transcript.of(proxied, "INSERT INTO t_country (code, name) VALUES (2, 'x')").head())
          .contains("whose trigger 't_named' uses UUID");
      for (MariaDbServer server : List.of(a, b)) {
        server.execute(
            "CREATE OR REPLACE TABLE it_functions.t_country (code INT PRIMARY KEY,"
                + " name VARCHAR(80), n INT, at DATETIME(6) DEFAULT NOW(6) ON UPDATE NOW(6))");
      }
      Transcript.of(proxied, "ALTER TABLE t_country COMMENT = 'as before'");
      for (String write :
          List.of(
              "INSERT INTO t_country (code, n) VALUES (7, 1), (3, 1), (5, 2), (1, 2)",
              "UPDATE t_country SET name = 'first' LIMIT 1",
              "UPDATE t_country SET name = 'ordered' ORDER BY n DESC LIMIT 1",
              "DELETE FROM t_country ORDER BY n LIMIT 1")) {
        assertThat(Transcript.of(proxied, write).head()).as(write).startsWith("affected");
        assertThat(copies(a)).as(write).isEqualTo(copies(b));
      }
      assertThat(copies(a).toString()).contains("1 ordered", "5 null");
    }
  }

  @Test
  void aStatementHasOneMoment() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      var comparison = new Comparison(proxied, plain);
      for (String moment : MOMENTS) {
        String[] questions =
            ABOUT_ROWS.stream().map(sql -> sql.formatted(moment)).toArray(String[]::new);
        comparison.same(questions);
      }
      String stored = "SELECT COUNT(DISTINCT at) FROM t_log";
      comparison.same(
          stored,
          "UPDATE t_log SET note = 'b'",
          stored,
          "UPDATE t_log SET at = NOW(6), n = n + 1",
          stored,
          "UPDATE t_log SET note = 'c' ORDER BY id LIMIT 7",
          "SELECT COUNT(DISTINCT at) FROM t_log WHERE note = 'c'",
          "INSERT INTO t_log (id, at) SELECT order_id + 100, NOW(6) FROM t_order",
          "SELECT COUNT(DISTINCT at) FROM t_log WHERE id > 100",
          "INSERT INTO t_log (id) SELECT order_id + 200 FROM t_order",
          "SELECT COUNT(DISTINCT at) FROM t_log WHERE id > 200",
          "INSERT INTO t_item (order_id, user_id, at) SELECT order_id, user_id, NOW(6) FROM t_order",
          "SELECT COUNT(DISTINCT at) FROM t_item",
          "REPLACE INTO t_log (id) VALUES (1), (2), (3), (4)",
          "SELECT COUNT(DISTINCT at) FROM t_log WHERE id < 5",
          "ALTER TABLE t_log ADD x DATETIME(6) DEFAULT NOW(6)",
          "SELECT COUNT(DISTINCT x) FROM t_log",
          "BEGIN",
          "UPDATE t_log SET n = 30",
          stored,
          "COMMIT",
          "SET timestamp = 1700000000.123456",
          "SELECT DISTINCT NOW(6) FROM t_log",
          "UPDATE t_log SET n = 4",
          "SELECT DISTINCT at FROM t_log",
          "SET timestamp = 0",
          "SELECT COUNT(DISTINCT NOW(6)), NOW() > '2024-01-01' FROM t_log",
          "SET timestamp = DEFAULT",
          "SELECT COUNT(DISTINCT NOW(6)), NOW() > '2024-01-01' FROM t_log",
          "UPDATE t_log SET n = 5",
          "SELECT @@timestamp > 1700000001, NOW() > '2024-01-01'");
    }
  }

  @Test
  void rowsArePlacedByWhatADatabaseComputes() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      var comparison = new Comparison(proxied, plain);
      String[] ids = {
        "CONCAT('a', 'b')",
        "MD5('b')",
        "UPPER(REPEAT('z', 3))",
        "DATE_FORMAT(FROM_UNIXTIME(1700000000), '%Y%m')",
        "JSON_VALUE('{\"a\": 7}', '$.a')",
        "TO_BASE64(UNHEX('FF00'))",
        "CAST(DATE '2024-01-02' AS CHAR)",
        "IF(1 > 2, 'x', 'y')",
        "CASE WHEN 1 THEN _utf8mb4'when' END"
      };
      int number = 1000;
      for (String id : ids) {
        comparison.same(
            "INSERT INTO t_log (id, n, note) VALUES (" + id + ", " + number++ + ", NULL)",
            "REPLACE INTO t_log (id, n) VALUES (" + id + ", " + number++ + ")",
            "INSERT INTO t_log SET n = " + number++ + ", id = CONCAT(" + id + ", 's')",
            "INSERT INTO t_log (n, note, id) VALUES (DEFAULT, 'd', CONCAT("
                + id
                + ", 'd'))"
                + " ON DUPLICATE KEY UPDATE n = 1",
            "INSERT INTO t_log (id, n) VALUES (CONCAT(" + id + ", 'r'), 5) RETURNING id, n");
      }
      comparison.same(
          "INSERT INTO t_log (id) VALUES (UUID())",
          "INSERT INTO t_log (id) VALUES (NOW())",
          "SELECT COUNT(*) FROM t_log WHERE n IS NULL",
          "SELECT id, n, note FROM t_log WHERE n >= 1000 OR note = 'd' ORDER BY id",
          "INSERT INTO t_order VALUES (ABS(-50), FLOOR(3.7), NOW(), CURDATE(), CURTIME(3), 1/3, 1/3,"
              + " UNHEX('FF00'), x'41')",
          "INSERT INTO t_order VALUES (ABS(-60), FLOOR(4.7), FROM_UNIXTIME(1700000000.5),"
              + " DATE '2024-01-02', TIME '10:11:12', ROUND(2.345, 2), PI(), x'41', TIME '1:2:3')",
          "SELECT order_id, user_id, x, f, b, c FROM t_order WHERE order_id > 40 ORDER BY 1",
          "INSERT INTO t_order (order_id, user_id) VALUES (ABS('x'), 3)",
          "INSERT INTO t_order (order_id, user_id) VALUES (CHAR_LENGTH('abc'), ABS(8), 3)",
          "INSERT IGNORE INTO t_order (order_id, user_id) VALUES (CHAR_LENGTH('abcd'), ABS(8))",
          "SET sql_mode = ''",
          "INSERT INTO t_item (order_id, user_id, at, d, t, x, f, c)"
              + " SELECT order_id + 100, 1, d, d, at, at, t, t FROM t_order WHERE order_id = 60",
          "INSERT INTO t_item (order_id, user_id, at, d, t, x, f, c)"
              + " SELECT order_id + 200, 1, at, at, t, t, d, at FROM t_order WHERE order_id = 60",
          "SELECT * FROM t_item WHERE order_id > 100 ORDER BY order_id");
      comparison.samePrepared(
          "INSERT INTO t_log (id, n) VALUES (CONCAT('prepared', 1 + 1), 2000)",
          "SELECT id, n FROM t_log WHERE n = 2000");
    }
  }
}
