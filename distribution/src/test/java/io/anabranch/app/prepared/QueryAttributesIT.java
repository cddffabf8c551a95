package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcStatement;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MySqlServer;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients of MySQL send along with a statement is read by it as on a server. */
class QueryAttributesIT {

  private static final Map<String, @Nullable Object> SENT = new LinkedHashMap<>();

  /** In one session, one after the other. */
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT mysql_query_attribute_string('text'), mysql_query_attribute_string('TEXT')",
          "SELECT mysql_query_attribute_string('number') + 1, mysql_query_attribute_string('large')",
          "SELECT mysql_query_attribute_string('ratio'), mysql_query_attribute_string('price')",
          "SELECT mysql_query_attribute_string('day'), mysql_query_attribute_string('moment')",
          "SELECT mysql_query_attribute_string('time'), mysql_query_attribute_string('nothing')",
          "SELECT mysql_query_attribute_string('long'), mysql_query_attribute_string('unsent')",
          "INSERT INTO t VALUES (1, mysql_query_attribute_string('price')), (2, 'x')",
          "SELECT id FROM t WHERE v = mysql_query_attribute_string('price')",
          "UPDATE t SET v = CONCAT(v, mysql_query_attribute_string('number'))",
          "SELECT id, v, mysql_query_attribute_string('day') AS d FROM t ORDER BY id",
          "SET @day = mysql_query_attribute_string('day')",
          "SELECT @day",
          "DELETE FROM t");

  private static MySqlServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start() {
    MySqlServer.assumeInstalled();
    SENT.put("text", "zwölf 'x' \\");
    SENT.put("number", 12);
    SENT.put("large", Long.MAX_VALUE);
    SENT.put("ratio", 1.25);
    SENT.put("price", new BigDecimal("12.340"));
    SENT.put("day", LocalDate.of(2024, 2, 29));
    SENT.put("moment", LocalDateTime.of(2024, 2, 29, 1, 2, 3, 456_000_000));
    SENT.put("time", Time.valueOf("10:11:12"));
    SENT.put("nothing", null);
    SENT.put("long", "é".repeat(700));
    server = MySqlServer.start("attributes");
    server.execute(
        "CREATE DATABASE shop",
        "CREATE DATABASE plain",
        "CREATE DATABASE shop_0",
        "CREATE DATABASE shop_1",
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON *.* TO proxy@'%'",
        "INSTALL COMPONENT 'file://component_query_attributes'",
        "CREATE TABLE shop.t (id INT PRIMARY KEY, v VARCHAR(40))",
        "CREATE TABLE plain.t LIKE shop.t",
        "CREATE TABLE shop_0.t LIKE shop.t",
        "CREATE TABLE shop_1.t LIKE shop.t");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: plain\ndataSources:\n"
                + server.dataSource("ds_0", "plain")
                + "rules: []\n",
            "databaseName: shop\ndataSources:\n"
                + server.dataSource("ds_0", "shop_0")
                + server.dataSource("ds_1", "shop_1")
                + """
                  rules:
                  - !SHARDING
                    tables:
                      t:
                        databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
                    shardingAlgorithms:
                      halves: { type: MOD, props: { sharding-count: 2 } }
                  """);
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, "shop"));
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static Connection direct(String... options) throws SQLException {
    return Driver.MYSQL.connect(server.port(), "shop", "proxy", "proxy", options);
  }

  private static Connection proxied(String database, String... options) throws SQLException {
    return Driver.MYSQL.connect(proxy.port(), database, "app", "app-secret", options);
  }

  private static String answer(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (Map.Entry<String, @Nullable Object> each : SENT.entrySet()) {
        ((JdbcStatement) statement).setAttribute(each.getKey(), each.getValue());
      }
      return answer(statement, sql);
    }
  }

  private static String answer(Statement statement, String sql) {
    try {
      if (!statement.execute(sql)) {
        return "OK " + statement.getUpdateCount();
      }
      var text = new StringBuilder();
      try (ResultSet rows = statement.getResultSet()) {
        int width = rows.getMetaData().getColumnCount();
        for (int i = 1; i <= width; i++) {
          text.append(rows.getMetaData().getColumnLabel(i)).append(' ');
          text.append(rows.getMetaData().getColumnTypeName(i)).append(' ');
          text.append(rows.getMetaData().getPrecision(i)).append(';');
        }
        while (rows.next()) {
          for (int i = 1; i <= width; i++) {
            text.append('|').append(rows.getString(i));
          }
        }
      }
      return text.toString();
    } catch (SQLException e) {
      return "error " + e.getErrorCode() + " " + e.getMessage();
    }
  }

  @Test
  void areReadAsOnAServer() throws SQLException {
    for (String database : List.of("plain", "shop")) {
      try (Connection there = direct();
          Connection here = proxied(database)) {
        there.createStatement().execute("DELETE FROM t");
        for (String each : STATEMENTS) {
          assertThat(answer(here, each)).as(database + ": " + each).isEqualTo(answer(there, each));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"plain, true", "plain, false", "shop, true", "shop, false"})
  void comeWithPreparedStatements(String database, boolean hasParameter) throws SQLException {
    String sql =
        "SELECT mysql_query_attribute_string('text') AS t, "
            + (hasParameter ? "CAST(? AS CHAR) AS p" : "1 AS p");
    for (int times = 0; times < 2; times++) {
      assertThat(prepared(proxied(database, "useServerPrepStmts=true"), sql, hasParameter))
          .isEqualTo(prepared(direct("useServerPrepStmts=true"), sql, hasParameter));
    }
  }

  /** Executed with attributes, without, and with others. */
  private static String prepared(Connection connection, String sql, boolean hasParameter)
      throws SQLException {
    var answers = new StringBuilder();
    try (connection;
        PreparedStatement statement = connection.prepareStatement(sql)) {
      @Nullable String[] texts = {"one", null, "two"};
      for (@Nullable String text : texts) {
        ((JdbcStatement) statement).clearAttributes();
        if (text != null) {
          ((JdbcStatement) statement).setAttribute("text", text);
        }
        if (hasParameter) {
          statement.setString(1, "value of " + text);
        }
        try (var rows = statement.executeQuery()) {
          rows.next();
          answers.append(rows.getString(1)).append(',').append(rows.getString(2)).append(';');
        }
      }
    }
    return answers.toString();
  }

  /** A plan that was made for one client is not another's. */
  @Test
  void areOfTheirStatementAlone() throws SQLException {
    String sql = "SELECT mysql_query_attribute_string('text') AS t";
    try (Connection one = proxied("shop");
        Connection other = proxied("shop");
        Statement without = other.createStatement()) {
      assertThat(answer(without, sql)).endsWith("|null");
      assertThat(answer(one, sql)).contains("zwölf");
      assertThat(answer(without, sql)).endsWith("|null");
    }
  }

  @Test
  void aNameThatIsComputedIsRefused() throws SQLException {
    String sql = "SELECT mysql_query_attribute_string(CONCAT('te', 'xt'))";
    try (Connection here = proxied("plain");
        Statement without = here.createStatement()) {
      assertThat(answer(here, sql)).contains("AB2002", "query attribute");
      assertThat(answer(without, sql)).endsWith("|null");
    }
  }
}
