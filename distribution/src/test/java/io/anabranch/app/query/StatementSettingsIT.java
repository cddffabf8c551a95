package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements within statements, and settings for one statement, over shards. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class StatementSettingsIT {

  private static final String ORDERS = "SELECT order_id FROM t_order ORDER BY order_id";
  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_settings");
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      same(plain, proxied, fixture.rows());
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  static List<List<String>> sessions() {
    return List.of(
        List.of(
            "SET @id = 3, @text = 'SELECT note FROM t_order WHERE order_id = ?'",
            "EXECUTE IMMEDIATE 'SELECT order_id FROM t_order ORDER BY order_id'",
            "EXECUTE IMMEDIATE 'SELECT note FROM t_order WHERE order_id = ?' USING @id",
            "EXECUTE IMMEDIATE @text USING 2",
            "EXECUTE IMMEDIATE 'UPDATE t_order SET note = ? WHERE order_id > ?' USING 'im''me', 20",
            "SELECT note FROM t_order ORDER BY order_id",
            "EXECUTE IMMEDIATE 'SELECT ?'",
            "EXECUTE IMMEDIATE 'SELECT 1; SELECT 2'",
            "EXECUTE IMMEDIATE 'PREPARE p FROM ''SELECT 1'''",
            "EXECUTE IMMEDIATE ''"),
        List.of(
            "SET SESSION group_concat_max_len = 7",
            "SET STATEMENT group_concat_max_len = 5 FOR SELECT GROUP_CONCAT(order_id ORDER BY order_id) FROM t_order",
            "SELECT @@group_concat_max_len",
            "SET STATEMENT max_statement_time = 20 FOR UPDATE t_order SET status = 'set' WHERE order_id < 4",
            "SELECT @@max_statement_time",
            "SELECT status FROM t_order ORDER BY order_id",
            "SET STATEMENT nonsense_there = 2 FOR SELECT 1",
            "SET STATEMENT max_statement_time = 20 FOR SELEC",
            "SELECT @@max_statement_time",
            "SET STATEMENT sql_select_limit = 3 FOR " + ORDERS,
            "SET STATEMENT sql_select_limit = 0 FOR " + ORDERS,
            "SET sql_select_limit = 0",
            "SET @kept = 3",
            "INSERT INTO t_item VALUES (701, 1, 1, 'l', LAST_INSERT_ID(77))",
            "SELECT LAST_INSERT_ID(), @kept LIMIT 1",
            "DELETE FROM t_item WHERE item_id = 701",
            "SET sql_select_limit = DEFAULT",
            ORDERS),
        List.of(
            "SET sql_select_limit = 2",
            ORDERS,
            "SELECT DISTINCT status FROM t_order ORDER BY 1",
            "SELECT user_id, COUNT(*) FROM t_order GROUP BY user_id ORDER BY user_id DESC",
            "SELECT COUNT(*) FROM t_order",
            ORDERS + " LIMIT 5",
            "(SELECT order_id FROM t_order ORDER BY 1 LIMIT 4) UNION (SELECT 100) ORDER BY 1",
            "SELECT order_id FROM t_order WHERE total > (SELECT MIN(total) FROM t_order) ORDER BY 1",
            "INSERT INTO t_item SELECT order_id + 700, order_id, user_id, 'l', 1 FROM t_order",
            "SELECT COUNT(*) FROM t_item",
            "DELETE FROM t_item WHERE item_id > 700 ORDER BY item_id DESC LIMIT 3",
            "SET sql_select_limit = DEFAULT",
            "SELECT item_id FROM t_item ORDER BY item_id"));
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void answerAsOnOneServer(List<String> session) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      same(plain, proxied, session);
    }
  }

  /** What the proxy answers itself ends with its statement, and the settings with it. */
  @ParameterizedTest
  @ValueSource(strings = {"SHOW PROCESSLIST", "SHOW FULL PROCESSLIST", "SELECT 1", "KILL QUERY 0"})
  void settingsEndWithTheProxysOwnAnswers(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript before = Transcript.of(proxied, "SELECT @@max_statement_time");
      Transcript.of(proxied, "SET STATEMENT max_statement_time = 7 FOR " + sql);
      assertThat(Transcript.of(proxied, "SELECT @@max_statement_time")).isEqualTo(before);
    }
  }

  /** However often: each was read with all that stand behind it, on the event loop. */
  @Test
  void oneWithinAnotherIsRefused() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript before = Transcript.of(proxied, "SELECT @@max_statement_time");
      for (int times : new int[] {2, 3, 20_000}) {
        String sql = "SET STATEMENT max_statement_time = 7 FOR ".repeat(times) + "SELECT 1";
        assertThat(Transcript.of(proxied, sql).head())
            .contains("1235")
            .contains("SET STATEMENT within SET STATEMENT");
        assertThat(Transcript.of(proxied, "SELECT @@max_statement_time")).isEqualTo(before);
      }
    }
  }

  @Test
  void parametersKeepTheNamesOfColumns() throws SQLException {
    String sql =
        "SET STATEMENT group_concat_max_len = 9 FOR SELECT order_id AS id, ? + 1, ? FROM t_order ORDER BY order_id";
    try (Connection plain = fixture.onPlain("useServerPrepStmts=true");
        Connection proxied = fixture.throughProxy("useServerPrepStmts=true")) {
      assertThat(Transcript.of(proxied, sql, 2, 3)).isEqualTo(Transcript.of(plain, sql, 2, 3));
      assertThat(Transcript.of(proxied, sql, 4, 5)).isEqualTo(Transcript.of(plain, sql, 4, 5));
    }
  }

  /** Statements whose text means different things to different modes; none changes a row. */
  private static final List<String> READ_BY_MODE =
      List.of(
          "DELETE FROM t_order WHERE \"order_id\" > 3 AND order_id < 0",
          "SELECT COUNT(*) FROM t_order WHERE \"order_id\" > 3",
          "SELECT \"note\" FROM t_order ORDER BY order_id",
          "SELECT '1' || '0' FROM t_order ORDER BY order_id LIMIT 1",
          "SELECT COUNT(*) FROM t_order WHERE NOT 1 BETWEEN 2 AND 3",
          "SELECT NOT 1 BETWEEN -5 AND 5 FROM t_order LIMIT 1",
          "SELECT 'a\\nb' FROM t_order ORDER BY order_id LIMIT 1",
          "SELECT LENGTH('a\\\\') FROM t_order ORDER BY order_id LIMIT 1",
          "SELECT COUNT (*) FROM t_order",
          "SELECT '' IS NULL FROM t_order ORDER BY order_id LIMIT 1",
          "SELECT status, note FROM t_order GROUP BY status ORDER BY status LIMIT 0",
          "SELECT MAX(order_id), CAST(1 AS UNSIGNED) - 2 < 0 FROM t_order LIMIT 0");

  private static final List<String> MODES =
      List.of(
          "ANSI_QUOTES",
          "PIPES_AS_CONCAT",
          "HIGH_NOT_PRECEDENCE",
          "NO_BACKSLASH_ESCAPES",
          "IGNORE_SPACE",
          "EMPTY_STRING_IS_NULL",
          "ANSI",
          "ORACLE",
          "STRICT_ALL_TABLES",
          "NO_UNSIGNED_SUBTRACTION",
          "ONLY_FULL_GROUP_BY",
          "");

  static List<String> modes() {
    return MODES;
  }

  /** A server reads the whole text before it sets anything. */
  @ParameterizedTest
  @MethodSource("modes")
  void textsAreReadUnderTheSessionsMode(String outer) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      sameButTexts(plain, proxied, "SET sql_mode = '" + outer + "'");
      for (String inner : MODES) {
        for (String sql : READ_BY_MODE) {
          sameButTexts(plain, proxied, "SET STATEMENT sql_mode = '" + inner + "' FOR " + sql);
        }
      }
      for (String sql : READ_BY_MODE) {
        sameButTexts(plain, proxied, sql);
      }
    }
  }

  /** A server warns once where each shard does. */
  private static void sameButTexts(Connection plain, Connection proxied, String sql) {
    Transcript expected = Transcript.of(plain, sql).withoutMessage();
    Transcript answer = Transcript.of(proxied, sql).withoutMessage();
    assertThat(answer.rows()).as("%s: %s", sql, answer.head()).isEqualTo(expected.rows());
    assertThat(answer.head().replaceAll(" warning .*", ""))
        .as(sql)
        .isEqualTo(expected.head().replaceAll(" warning .*", ""));
  }

  private static void same(Connection plain, Connection proxied, List<String> session) {
    for (String sql : session) {
      Transcript expected = Transcript.of(plain, sql);
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.rows()).as("%s: %s", sql, answer.head()).isEqualTo(expected.rows());
      if (expected.rows().isEmpty()) {
        assertThat(answer.withoutMessage()).as(sql).isEqualTo(expected.withoutMessage());
      }
    }
  }

  @Test
  void maxRowsOfDriversLimitsWhatTheyGet() throws SQLException {
    for (RunningProxy.Driver driver : RunningProxy.Driver.values()) {
      try (Connection connection =
              driver.connect(
                  fixture.proxy.port(), fixture.schema, RunningProxy.USER, RunningProxy.PASSWORD);
          Statement statement = connection.createStatement()) {
        statement.setMaxRows(3);
        int rows = 0;
        int sum = 0;
        try (var result = statement.executeQuery(ORDERS)) {
          while (result.next()) {
            rows++;
            sum += result.getInt(1);
          }
        }
        assertThat(rows).as("%s", driver).isEqualTo(3);
        assertThat(sum).as("%s", driver).isEqualTo(1 + 2 + 3);
      }
    }
  }
}
