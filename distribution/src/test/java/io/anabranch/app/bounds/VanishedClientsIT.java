package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that send a long statement and are gone: reads end with them, whatever they call, and
 * writes that go on can be seen and ended. As many clients as connections kept those of a database
 * for as long as they liked.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class VanishedClientsIT {

  /** As many as connections. */
  private static final int CLIENTS = 10;

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_vanished",
        "CREATE DATABASE it_vanished",
        "CREATE TABLE it_vanished.t (id INT PRIMARY KEY, n INT)",
        "INSERT INTO it_vanished.t VALUES (1, 1)");
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough("it_vanished", server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static CommandProbe sent(String sql) throws IOException {
    var probe =
        new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, "it_vanished", 0);
    probe.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    return probe;
  }

  private static int running(String text) {
    return Integer.parseInt(
        server.queryOne(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO = '" + text + "'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT SLEEP(600)",
        "DO SLEEP(600)",
        "SELECT BENCHMARK(100000000000, MD5(1))",
        "SELECT SLEEP(600) FROM t FOR UPDATE"
      })
  void takeTheirReadsWithThem(String sql) throws IOException {
    for (int i = 0; i < CLIENTS; i++) {
      CommandProbe probe = sent(sql);
      Eventually.holds("it runs", () -> running(sql) > 0);
      probe.close();
    }
    Eventually.holds("none runs", () -> running(sql) == 0);
  }

  @Test
  void leaveWritesThatGoOn() throws IOException {
    sent("UPDATE t SET n = 2 + SLEEP(1) WHERE id = 1").close();
    Eventually.holds(
        "it is done",
        () -> server.queryOne("SELECT n FROM it_vanished.t WHERE id = 1").equals("2"));
  }

  @Test
  void leaveWritesThatOthersSeeAndEnd() throws IOException, SQLException {
    String sql = "UPDATE t SET n = 3 + SLEEP(600) WHERE id = 1";
    CommandProbe probe = sent(sql);
    Eventually.holds("it runs", () -> running(sql) == 1);
    long id = probe.connectionId();
    probe.close();
    try (Connection other = proxy.connect("it_vanished");
        Statement statement = other.createStatement()) {
      assertThat(text(statement, id)).isEqualTo(sql);
      statement.execute("KILL QUERY " + id);
      Eventually.holds("it has ended", () -> running(sql) == 0);
      Eventually.holds("it is forgotten", () -> text(statement, id).isEmpty());
    }
  }

  /** Empty: there is no such session. */
  private static String text(Statement statement, long id) {
    try (ResultSet rows = statement.executeQuery("SHOW FULL PROCESSLIST")) {
      while (rows.next()) {
        if (rows.getLong("Id") == id) {
          return String.valueOf(rows.getString("Info"));
        }
      }
      return "";
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
