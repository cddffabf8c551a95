package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that are asked for a file and stop in the middle of it keep connections of the databases:
 * ten of them had all of a pool for as long as they liked.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class SilentFilesIT {

  /** As many as connections. */
  private static final int CLIENTS = 10;

  private static final byte FILE_WANTED = (byte) 0xFB;

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_silent",
        "CREATE DATABASE it_silent",
        "CREATE TABLE it_silent.t_0 (id INT PRIMARY KEY)",
        "CREATE TABLE it_silent.t_1 (id INT PRIMARY KEY)",
        "CREATE TABLE it_silent.p (id INT PRIMARY KEY)");
    proxy =
        RunningProxy.start(
            List.of("proxy-frontend-upload-timeout: 3"),
            RunningProxy.passThrough("it_silent", server),
            "databaseName: silent\ndataSources:\n"
                + RunningProxy.source("ds_0", server, "it_silent")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_0.t_${0..1}
                      tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                  shardingAlgorithms:
                    two: { type: MOD, props: { sharding-count: 2 } }
                """);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static CommandProbe asked(String database, String table) throws IOException {
    var probe =
        new CommandProbe(
            proxy.port(),
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            database,
            Capability.LOCAL_FILES);
    probe.send(
        ("\u0003LOAD DATA LOCAL INFILE 'f' INTO TABLE " + table).getBytes(StandardCharsets.UTF_8));
    assertThat(probe.receive()[0]).isEqualTo(FILE_WANTED);
    return probe;
  }

  private static byte[] line(int id) {
    return (id + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static int count(String database, String table) {
    try (Connection client = proxy.connect(database);
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    } catch (SQLException noConnection) {
      return -noConnection.getErrorCode();
    }
  }

  @ParameterizedTest
  @CsvSource({"silent, t", "it_silent, p"})
  void thatStopInTheMiddleAreClosed(String database, String table) throws IOException {
    var silent = new ArrayList<CommandProbe>();
    for (int i = 0; i < CLIENTS; i++) {
      CommandProbe probe = asked(database, table);
      probe.send(2, line(i));
      silent.add(probe);
    }
    for (CommandProbe probe : silent) {
      assertThatThrownBy(probe::receive).isInstanceOf(IOException.class);
      probe.close();
    }
    Eventually.holds("others have connections", () -> count(database, table) == 0);
  }

  @ParameterizedTest
  @CsvSource({"silent, t", "it_silent, p"})
  void thatAreSlowAreWaitedFor(String database, String table) throws Exception {
    try (CommandProbe probe = asked(database, table)) {
      for (int i = 0; i < 9; i++) {
        probe.send(2 + i, line(100 + i));
        Thread.sleep(500);
      }
      probe.send(11);
      assertThat(probe.receive()[0]).isZero();
    }
    assertThat(count(database, table)).isEqualTo(9);
    server.execute(
        "DELETE FROM it_silent.t_0", "DELETE FROM it_silent.t_1", "DELETE FROM it_silent.p");
  }
}
