package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the proxy asks databases for statements that it answers itself ends as statements of the
 * lanes do: it is not for clients to say how long connections are kept.
 */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class EndedWorkIT {

  private static final int POOL = 2;

  private static final List<String> STATEMENTS =
      List.of(
          "SET @a = SLEEP(600)",
          "SET @a = 1, @b = (SELECT SLEEP(600))",
          "SET @a = it_work_0.f()",
          "SET autocommit = SLEEP(600)",
          "SET sql_safe_updates = SLEEP(600)",
          "SHOW VARIABLES WHERE Variable_name = 'autocommit' AND SLEEP(600)",
          "SHOW STATUS WHERE Variable_name = 'Uptime' AND SLEEP(600)");

  private static final List<String> DATABASES = List.of("work", "work_passed");

  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    for (String schema : List.of("it_work_0", "it_work_1")) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY)",
          "INSERT INTO " + schema + ".t VALUES (1), (2)",
          "CREATE FUNCTION " + schema + ".f() RETURNS INT DETERMINISTIC RETURN SLEEP(600)");
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: work\ndataSources:\n"
                + source("ds_0", "it_work_0")
                + source("ds_1", "it_work_1")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_${0..1}.t
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                  shardingAlgorithms:
                    two: { type: MOD, props: { sharding-count: 2 } }
                """,
            "databaseName: work_passed\ndataSources:\n" + source("ds_0", "it_work_0"));
  }

  private static String source(String name, String schema) {
    return RunningProxy.source(name, server, schema)
        .replace("maxPoolSize: 10", "maxPoolSize: " + POOL);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  enum Ending {
    KILL_QUERY,
    KILL,
    VANISHED
  }

  static Stream<Arguments> cases() {
    return DATABASES.stream()
        .flatMap(
            database ->
                STATEMENTS.stream()
                    .flatMap(
                        sql ->
                            Stream.of(Ending.values())
                                .map(ending -> Arguments.of(database, ending, sql))));
  }

  private static long sleeping() {
    return Long.parseLong(
        server.queryOne(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE = 'User sleep'"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void endsWithItsStatement(String database, Ending ending, String sql)
      throws IOException, SQLException {
    for (int i = 0; i < POOL; i++) {
      try (CommandProbe client =
              new CommandProbe(
                  proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, database, 0);
          Connection admin = proxy.connect(database);
          Statement statement = admin.createStatement()) {
        client.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
        Eventually.holds("it runs", () -> sleeping() > 0);
        switch (ending) {
          case KILL_QUERY -> {
            statement.execute("KILL QUERY " + client.connectionId());
            client.receive();
            // the session lives, and its connection with it
            assertThat(client.ok("DO 1")).isNotNull();
          }
          case KILL -> statement.execute("KILL " + client.connectionId());
          case VANISHED -> client.vanish();
        }
        Eventually.holds("it has ended", () -> sleeping() == 0);
      }
    }
    try (Connection other = proxy.connect(database);
        Statement statement = other.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      assertThat(rows.next()).isTrue();
    }
  }
}
