package io.anabranch.app.observation;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The slow log and the audit log: what is in them, and that nothing waits for them. */
@ExtendWith(MariaDbServers.Resolver.class)
class StatementLogIT {

  private static final String SCHEMA = "it_statement_log";

  @TempDir Path temporary;
  private MariaDbServer server;

  @BeforeEach
  void start(MariaDbServers servers) throws SQLException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".t (id INT PRIMARY KEY, v VARCHAR(20))");
  }

  private RunningProxy proxy(String... properties) {
    return RunningProxy.start(
        List.of(properties),
        "databaseName: shop\ndataSources:\n" + RunningProxy.source("ds_0", server, SCHEMA));
  }

  private static void run(Connection client, String... statements) throws SQLException {
    try (Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void slowStatementsAreToldWithTheirTimes() throws SQLException, IOException {
    Path log = temporary.resolve("slow.log");
    try (RunningProxy proxy =
        proxy(
            "proxy-slow-log-threshold-milliseconds: 200",
            "proxy-slow-log-user-thresholds: 'nobody=0'",
            "proxy-slow-log-file: '" + log + "'")) {
      try (Connection client = proxy.connect("shop")) {
        run(client, "SELECT 'secret', SLEEP(0.3)", "SELECT 'quick'");
        assertThat(column(client, "SELECT sql_text FROM anabranch.slow_statements"))
            .containsExactly("SELECT ?, SLEEP(?)");
        assertThat(
                column(
                    client,
                    "SELECT CONCAT_WS(' ', user, database_name, way, data_sources, rows_sent, errno,"
                        + " total_ms >= 300, total_ms >= run_ms, client LIKE '127.0.0.1:%')"
                        + " FROM anabranch.slow_statements"))
            .containsExactly("app shop relay ds_0 1 0 1 1 1");
        run(client, "TRUNCATE anabranch.slow_statements");
        assertThat(column(client, "SELECT sql_text FROM anabranch.slow_statements")).isEmpty();
      }
    }
    assertThat(Files.readAllLines(log))
        .singleElement()
        .asString()
        .contains("\"sql_text\":\"SELECT ?, SLEEP(?)\"", "\"database\":\"shop\"")
        .doesNotContain("secret");
  }

  @Test
  void anAuditHasWhatItAsksFor() throws SQLException, IOException {
    Path log = temporary.resolve("audit.log");
    try (RunningProxy proxy =
        proxy(
            "proxy-audit-log-file: '" + log + "'",
            "proxy-audit-log-statements: 'write, failed'",
            "proxy-statement-log-literals: true")) {
      try (Connection client = proxy.connect("shop")) {
        run(client, "SELECT 1", "INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        assertThatThrownBy(() -> run(client, "SELECT nothing FROM t"))
            .isInstanceOf(SQLException.class);
      }
    }
    List<String> lines = Files.readAllLines(log);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .contains(
            "\"user\":\"app\"",
            "\"rows_affected\":2,\"errno\":0",
            "\"sql_text\":\"INSERT INTO t VALUES (1, 'a'), (2, 'b')\"");
    assertThat(lines.getLast()).contains("\"errno\":1054", "SELECT nothing FROM t");
  }

  @Test
  void aDiskThatTakesNothingStopsNobody() throws SQLException, IOException {
    Path blocked = temporary.resolve("blocked");
    Files.writeString(blocked, "a file where a folder is to be");
    try (RunningProxy proxy =
        proxy(
            "proxy-audit-log-file: '" + blocked.resolve("audit.log") + "'",
            "proxy-audit-log-statements: all")) {
      try (Connection client = proxy.connect("shop")) {
        for (int i = 0; i < 100; i++) {
          run(client, "REPLACE INTO t VALUES (" + i + ", '')");
        }
        assertThat(column(client, "SELECT COUNT(*) FROM t")).containsExactly("100");
      }
    }
  }

  @Test
  void thresholdsChangeWhileTheProxyRuns() throws SQLException, IOException {
    var folder = new ReloadFolder(temporary);
    folder.global(", proxy-slow-log-threshold-milliseconds: -1");
    folder.write(
        "database-shop.yaml",
        "databaseName: shop\ndataSources:\n" + RunningProxy.source("ds_0", server, SCHEMA));
    try (RunningProxy proxy = RunningProxy.startFrom(temporary);
        Connection client = proxy.connect("shop")) {
      run(client, "SELECT 'before'");
      folder.global(
          ", proxy-slow-log-threshold-milliseconds: -1, proxy-slow-log-database-thresholds: 'shop=0'");
      run(client, "RELOAD CONFIGURATION", "TRUNCATE anabranch.slow_statements", "DO 'after'");
      assertThat(column(client, "SELECT sql_text FROM anabranch.slow_statements"))
          .contains("DO ?")
          .doesNotContain("SELECT ?");
    }
  }
}
