package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** LOAD DATA LOCAL: the client's file reaches the database as if the client had sent it there. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ClientFileIT {

  private static final String SCHEMA = "it_file";
  private static final int LINES = 200_000;

  private static DatabaseServer plain;
  private static RunningProxy proxy;
  private static Path file;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    plain = servers.primaryA();
    DatabaseServer behind = servers.primaryB();
    for (DatabaseServer server : List.of(plain, behind)) {
      server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    }
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, behind));
    file = Files.createTempFile(Path.of("target"), "rows", ".csv").toAbsolutePath();
    try (Writer out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < LINES; i++) {
        out.write(i + ",line number " + i + "\n");
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    proxy.close();
    Files.delete(file);
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void filesAreLoadedAndErrorsTold(Driver driver) throws SQLException {
    try (Connection proxied =
            connect(driver, proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD);
        Connection direct =
            connect(driver, plain.port(), MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      for (String sql :
          new String[] {
            "DROP TABLE IF EXISTS loaded",
            "CREATE TABLE loaded (a INT PRIMARY KEY, b VARCHAR(30))",
            load("loaded"),
            "SELECT COUNT(*), SUM(a), MAX(b) FROM loaded",
            load("missing"),
            "SELECT 1",
            load("loaded")
          }) {
        assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(Transcript.of(direct, sql));
      }
    }
  }

  private static String load(String table) {
    return "LOAD DATA LOCAL INFILE '"
        + file
        + "' INTO TABLE "
        + table
        + " FIELDS TERMINATED BY ','";
  }

  private static Connection connect(Driver driver, int port, String user, String password)
      throws SQLException {
    return driver.connect(
        port, SCHEMA, user, password, "allowLocalInfile=true", "allowLoadLocalInfile=true");
  }
}
