package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.discovery.PrimaryDiscoveryProvider;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Writes go to whom a plug-in names; what it does wrongly changes nothing. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class DiscoveryIT {

  /** Names whom its file names. */
  private static final String NAMED =
      """
      package org.example;

      import io.anabranch.rules.discovery.*;
      import java.nio.file.*;
      import java.util.*;

      public final class Named implements PrimaryDiscoveryProvider {
        public String type() { return "NAMED"; }

        public PrimaryDiscovery create(Map<String, String> properties) {
          Path path = Path.of(properties.get("path"));
          return new PrimaryDiscovery() {
            public Optional<String> primary(
                String group, List<? extends Candidate> members, Optional<String> current) {
              try {
                String name = Files.readString(path);
                Files.writeString(
                    path.resolveSibling("asked"),
                    name + "\\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
                if (name.equals("throw")) { throw new NoClassDefFoundError("org/example/Missing"); }
                if (name.equals("null")) { return null; }
                return name.isEmpty() ? Optional.empty() : Optional.of(name);
              } catch (java.io.IOException failure) {
                throw new java.io.UncheckedIOException(failure);
              }
            }
          };
        }
      }
      """;

  private static final String RULES =
      """
      rules:
      - !READWRITE_SPLITTING
        dataSourceGroups:
          g:
            writeDataSourceName: a
            readDataSourceNames: [b]
            healthCheck: { intervalMilliseconds: 200 }
            discovery: { type: named, holdWritesMilliseconds: 20000, props: { path: "PATH" } }
      """;

  @TempDir Path folder;

  private void name(String what) throws Exception {
    Path next = Files.writeString(folder.resolve("next"), what);
    Files.move(next, folder.resolve("named"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  private static String source(String name, DatabaseServer server) {
    String schema = "it_discovery_" + name;
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20))");
    return RunningProxy.source(name, server, schema);
  }

  private static long rows(DatabaseServer server, String schema) throws SQLException {
    try (Connection direct = server.connect(schema);
        Statement statement = direct.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  /** Waits until it has answered so twice: the first answer is in force then. */
  private void awaitAsked(String name) throws Exception {
    Path asked = folder.resolve("asked");
    while (Files.readAllLines(asked).stream().filter(name::equals).count() < 2) {
      Thread.sleep(20);
    }
  }

  /** Writes until one is where it should be. */
  private static void awaitWrites(Statement statement, DatabaseServer server, String schema)
      throws SQLException {
    long before = rows(server, schema);
    while (rows(server, schema) == before) {
      statement.executeUpdate("INSERT INTO t (v) VALUES ('x')");
    }
  }

  @Test
  void writesGoToWhomItNames(DatabaseServers servers) throws Exception {
    DatabaseServer a = servers.primaryA();
    DatabaseServer b = servers.primaryB();
    PlugInJar.write(
        Files.createDirectories(folder.resolve("ext-lib")),
        "named",
        "1",
        NAMED,
        Map.of(PrimaryDiscoveryProvider.class, List.of("org.example.Named")));
    Path files = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        files.resolve("global.yaml"),
        """
        authority: { users: [ { user: "%s@%%", password: %s, admin: true } ] }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 1 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    Files.writeString(
        files.resolve("database-0.yaml"),
        "databaseName: shop\ndataSources:\n"
            + source("a", a)
            + source("b", b)
            + RULES.replace("PATH", folder.resolve("named").toString()));
    name("b");
    var loader = InstalledAlgorithms.loader(PlugIns.of(folder.resolve("ext-lib")));
    try (RunningProxy proxy = RunningProxy.startFrom(loader, files);
        Connection connection = proxy.connect("shop");
        Statement statement = connection.createStatement()) {
      awaitWrites(statement, b, "it_discovery_b");
      assertThat(rows(a, "it_discovery_a")).isZero();
      name("a");
      awaitWrites(statement, a, "it_discovery_a");
      long before = rows(b, "it_discovery_b");
      for (String wrong : List.of("throw", "null", "nobody")) {
        name(wrong);
        awaitAsked(wrong);
        awaitWrites(statement, a, "it_discovery_a");
      }
      assertThat(rows(b, "it_discovery_b")).isEqualTo(before);
      name("b");
      awaitWrites(statement, b, "it_discovery_b");
    }
  }
}
