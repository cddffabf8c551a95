package io.anabranch.app.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.ServerCertificate;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A data source that is reached over TLS alone is relayed like any other. */
class BackendTlsIT {

  private static final String SCHEMA = "it_tls";

  private static MariaDbServer server;
  private static Path certificate;
  private static RunningProxy proxy;

  @BeforeAll
  static void start() {
    ServerCertificate made = ServerCertificate.create(Path.of("target", "backend-tls"));
    certificate = made.certificate().toAbsolutePath();
    server = MariaDbServer.start("backend-tls", made.options());
    server.execute(
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".t (id INT PRIMARY KEY, b LONGBLOB)",
        "CREATE PROCEDURE "
            + SCHEMA
            + ".p (IN n INT, OUT twice INT) BEGIN SELECT n; SELECT n + 1; SET twice = 2 * n; END",
        "ALTER USER '" + MariaDbServer.USER + "'@'%' REQUIRE SSL");
    proxy = proxyWith("sslMode=verify-full&serverSslCert=" + certificate);
    Eventually.holds("the database has been reached", BackendTlsIT::isReached);
  }

  /** The first handshake of a JVM takes its time, and clients are told the version after it. */
  private static boolean isReached() {
    try (Connection connection = open(Driver.MARIADB)) {
      return connection.isValid(30);
    } catch (SQLException notYet) {
      return false;
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  private static RunningProxy proxyWith(String options) {
    return RunningProxy.start(
        List.of(),
        "databaseName: "
            + SCHEMA
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, SCHEMA + "?" + options)
            + "rules: []\n");
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void proceduresWithResultsPass(Driver driver) throws SQLException {
    try (Connection connection = open(driver);
        CallableStatement call = connection.prepareCall("{call p(?, ?)}")) {
      call.setInt(1, 21);
      call.registerOutParameter(2, Types.INTEGER);
      assertThat(call.execute()).isTrue();
      try (ResultSet first = call.getResultSet()) {
        first.next();
        assertThat(first.getInt(1)).isEqualTo(21);
      }
      assertThat(call.getMoreResults()).isTrue();
      try (ResultSet second = call.getResultSet()) {
        second.next();
        assertThat(second.getInt(1)).isEqualTo(22);
      }
      assertThat(call.getInt(2)).isEqualTo(42);
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void valuesOfManyRecordsPassBothWays(Driver driver) throws SQLException {
    byte[] value = new byte[5_000_000];
    new Random(7).nextBytes(value);
    try (Connection connection = open(driver, driver.serverPrepare())) {
      try (PreparedStatement insert = connection.prepareStatement("REPLACE INTO t VALUES (1, ?)")) {
        insert.setBytes(1, value);
        insert.executeUpdate();
      }
      for (int round = 0; round < 3; round++) {
        try (PreparedStatement select = connection.prepareStatement("SELECT b FROM t");
            ResultSet row = select.executeQuery()) {
          row.next();
          assertThat(Arrays.equals(row.getBytes(1), value)).isTrue();
        }
      }
    }
  }

  /** Connections move between the event loops of sessions. */
  @Test
  void manySessionsShareTheConnections() throws Exception {
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Connection connection = open(Driver.MARIADB)) {
                      for (int round = 0; round < 50; round++) {
                        assertThat(one(connection, "SELECT " + number)).isEqualTo("" + number);
                      }
                    } catch (SQLException | AssertionError e) {
                      failures.add(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void theDatabaseSeesTls() throws SQLException {
    try (Connection connection = open(Driver.MARIADB);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS"
                    + " WHERE VARIABLE_NAME = 'SSL_VERSION'")) {
      row.next();
      assertThat(row.getString(1)).startsWith("TLS");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sslMode=verify-full", "sslMode=verify-ca", "sslMode=disable"})
  void whatIsNotTrustedIsNotUsed(String options) {
    try (RunningProxy strict = proxyWith(options)) {
      assertThatThrownBy(
              () -> {
                try (Connection connection = strict.connect(SCHEMA)) {
                  one(connection, "SELECT COUNT(*) FROM t");
                }
              })
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("data source 'ds_0' cannot be reached");
    }
  }

  private static Connection open(Driver driver, String... options) throws SQLException {
    return driver.connect(proxy.port(), SCHEMA, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
