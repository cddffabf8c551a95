package io.anabranch.app.observation;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ProxyProcess;
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
            "proxy-slow-log-threshold-milliseconds: 1500",
            "proxy-slow-log-user-thresholds: 'nobody=0'",
            "proxy-slow-log-file: '" + log + "'")) {
      try (Connection client = proxy.connect("shop")) {
        run(client, "SELECT 'secret', SLEEP(2)", "SELECT 'quick'");
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
        .contains(
            "\"sql_text\":\"SELECT ?, SLEEP(?)\"",
            "\"database\":\"shop\"",
            "\"data_source_ms\":{\"ds_0\":")
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

  /** Literals are for who looks at queries; what logs in is nobody's. */
  @Test
  void noLogHasPasswordsOrKeys() throws SQLException, IOException {
    Path audit = temporary.resolve("audit.log");
    Path slow = temporary.resolve("slow.log");
    try (RunningProxy proxy =
        proxy(
            "proxy-audit-log-file: '" + audit + "'",
            "proxy-audit-log-statements: all",
            "proxy-slow-log-file: '" + slow + "'",
            "proxy-slow-log-threshold-milliseconds: 0",
            "proxy-statement-log-literals: true")) {
      try (Connection client = proxy.connect("shop")) {
        run(client, "SELECT 'shown'");
        for (String sql :
            List.of(
                "REGISTER STORAGE UNIT ds_1 (URL = 'jdbc:mysql://127.0.0.1:1/x', USER = 'u', PASSWORD = 'hidden')",
                "CREATE ENCRYPT RULE t (COLUMNS((NAME = a, CIPHER = b, ENCRYPT_ALGORITHM(TYPE(NAME = 'AES', PROPERTIES('aes-key-value' 'hidden'))))))",
                "CREATE USER log_it IDENTIFIED WITH nonsense BY 'hidden'",
                "ALTER USER no_such_account IDENTIFIED BY 'hidden'",
                "CREATE USR u IDENTIFIED BY 'hidden'",
                "CHANGE MASTER TO MASTER_PASSWORD = 'hidden', X",
                "PREPARE s FROM 'CREATE USER u IDENTIFIED BY \"hidden\" REQUIRE x'; x",
                "EXECUTE IMMEDIATE 'CREATE USER u IDENTIFIED BY \"hidden\" REQUIRE x'")) {
          assertThatThrownBy(() -> run(client, sql)).as(sql).isInstanceOf(SQLException.class);
        }
        assertThat(column(client, "SELECT sql_text FROM anabranch.slow_statements"))
            .contains("SELECT 'shown'")
            .noneMatch(text -> text.contains("hidden"));
      }
    }
    assertThat(Files.readString(audit) + Files.readString(slow))
        .contains("SELECT 'shown'", "CREATE USR u IDENTIFIED BY ?", "PASSWORD = ?")
        .doesNotContain("hidden");
  }

  @Test
  void whatIsShownOfStatementsHasNoPasswords() throws Exception {
    String shop =
        "databaseName: shop\ndataSources:\n" + RunningProxy.source("ds_0", server, SCHEMA);
    try (ProxyProcess proxy = ProxyProcess.start("shown", temporary, "", shop + "rules: []\n")) {
      try (Connection client = proxy.connect("shop")) {
        run(client, "SET DIST VARIABLE sql_show = true");
        run(client, "SELECT 'shown'");
        assertThatThrownBy(() -> run(client, "CHANGE MASTER TO MASTER_PASSWORD = 'hidden', X"))
            .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> run(client, "ALTER USER nobody IDENTIFIED BY 'hidden'"))
            .isInstanceOf(SQLException.class);
      }
      assertThat(proxy.output())
          .contains("ds_0 <- SELECT 'shown'", "ds_0 <- CHANGE MASTER TO MASTER_PASSWORD = ?, X")
          .doesNotContain("hidden");
    }
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
