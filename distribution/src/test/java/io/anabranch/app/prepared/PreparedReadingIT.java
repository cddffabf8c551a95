package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A prepared statement's text goes on meaning what it meant when it was prepared. */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PreparedReadingIT {

  private static final String SCHEMA = "it_prepared_reading";
  private static final String PREPARES = "useServerPrepStmts=true";

  private static DatabaseServer plain;
  private static ShardedFixture sharded;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    plain.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, plain));
    sharded = ShardedFixture.start(servers, SCHEMA + "_shards");
  }

  @AfterAll
  static void stop() {
    proxy.close();
    sharded.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "SET @none = 1 ~ SELECT \"v\", ? ~ SET sql_mode = 'ANSI_QUOTES'",
        "SET @none = 1 ~ SELECT 1 || 0, ? ~ SET sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT')",
        "SET @none = 1 ~ SELECT HEX('\u00e9'), ? ~ SET character_set_connection = latin1",
        "SET character_set_connection = latin1 ~ SELECT HEX('\u00e9'), ? ~ SET NAMES utf8mb4",
        "SET collation_connection = utf8mb4_bin ~ SELECT 'a' = 'A', ? ~ SET NAMES utf8mb4",
        "SET sql_mode = 'ANSI_QUOTES' ~ SELECT ? AS \"v\" ~ SET sql_mode = ''",
        "SET sql_mode = 'ANSI_QUOTES' ~ SELECT ?, 1 ~ SET character_set_connection = latin1",
      })
  void textsKeepTheirMeaning(String before, String sql, String since) throws SQLException {
    try (Connection proxied = proxy.connect(SCHEMA, PREPARES);
        Connection direct =
            Driver.MARIADB.connect(
                plain.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD, PREPARES)) {
      assertThat(executions(proxied, before, sql, since))
          .isEqualTo(executions(direct, before, sql, since));
    }
  }

  private static List<String> executions(Connection on, String before, String sql, String since)
      throws SQLException {
    var answers = new ArrayList<String>();
    try (Statement session = on.createStatement()) {
      session.execute(before);
      try (PreparedStatement prepared = on.prepareStatement(sql)) {
        prepared.setString(1, "p");
        answers.add(execute(prepared));
        for (String statement : List.of(since, "SET @a = 1", "BEGIN", "COMMIT")) {
          session.execute(statement);
          prepared.setInt(1, 7);
          answers.add(refusal(prepared));
          prepared.setString(1, "p");
          answers.add(refusal(prepared));
        }
      }
      answers.add(
          Transcript.of(on, "SELECT @@character_set_client, @@collation_connection").toString());
    }
    return answers;
  }

  private static String execute(PreparedStatement prepared) throws SQLException {
    try (ResultSet rows = prepared.executeQuery()) {
      rows.next();
      return rows.getMetaData().getColumnLabel(1) + "=" + rows.getString(1);
    }
  }

  @Test
  void overShardsWhatWouldMeanSomethingElseIsRefused() throws SQLException {
    String numbers = "SELECT COUNT(*) FROM t_order WHERE user_id = ?";
    String letters = "SELECT COUNT(*) FROM t_order WHERE status = 'a' AND user_id = ?";
    try (Connection setup = sharded.proxy.connect(SCHEMA + "_shards");
        Statement tables = setup.createStatement()) {
      tables.execute(
          "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT, status VARCHAR(9))");
    }
    try (Connection proxied = sharded.proxy.connect(SCHEMA + "_shards", PREPARES);
        Statement session = proxied.createStatement();
        PreparedStatement plainOne = proxied.prepareStatement(numbers);
        PreparedStatement other = proxied.prepareStatement(letters)) {
      plainOne.setInt(1, 1);
      other.setInt(1, 1);
      // the driver prepares with the first execution
      assertThat(execute(plainOne)).isEqualTo(execute(other));
      session.execute("SET collation_connection = utf8mb4_unicode_ci");
      assertThat(execute(plainOne)).isEqualTo("COUNT(*)=0");
      assertThat(refusal(other)).contains("AB2002").contains("prepare it again");
      session.execute("SET NAMES utf8mb4 COLLATE utf8mb4_bin");
      assertThat(refusal(other)).contains("AB2002");
    }
  }

  private static String refusal(PreparedStatement of) {
    try {
      return execute(of);
    } catch (SQLException refused) {
      return refused.getErrorCode()
          + " "
          + String.valueOf(refused.getMessage()).replaceFirst("[(]conn=[0-9]+[)]", "");
    }
  }

  @Test
  void overShardsValuesAreTakenAsServersTakeThem() throws SQLException {
    try (Connection proxied = sharded.throughProxy(PREPARES);
        Connection direct = sharded.onPlain(PREPARES)) {
      for (Connection each : List.of(proxied, direct)) {
        Transcript.of(each, "CREATE TABLE t_log (id INT PRIMARY KEY)");
        Transcript.of(each, "INSERT INTO t_log VALUES (1), (2), (3), (4), (5)");
      }
      String limited = "SELECT id FROM t_log ORDER BY id LIMIT ?, ?";
      assertThat(Transcript.of(proxied, limited, "1", "3"))
          .isEqualTo(Transcript.of(direct, limited, "1", "3"));
      String show = "SHOW COLUMNS FROM t_log WHERE Field = ?";
      assertThat(Transcript.of(proxied, show, "id")).isEqualTo(Transcript.of(direct, show, "id"));
    }
  }
}
