package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.listener.FinishedStatementListenerProvider;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A plug-in's listener hears of all that clients run, and changes with the configuration. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ListenerIT {

  private static final String SCHEMA = "it_listener";

  private static final String SINK =
      """
      package org.example;

      import io.anabranch.rules.listener.*;
      import java.nio.file.*;
      import java.util.Map;

      public final class Sink implements FinishedStatementListenerProvider {
        public String type() { return "SINK"; }

        public FinishedStatementListener create(Map<String, String> properties) {
          String path = properties.get("path");
          if (path == null) {
            throw new IllegalArgumentException("`path` is missing; name a file");
          }
          String password = properties.get("password");
          return new FinishedStatementListener() {
            void write(String line) throws Exception {
              Files.writeString(
                  Path.of(path), line + "\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }

            public void finished(FinishedStatement each) throws Exception {
              if (each.text().contains("UNLUCKY")) {
                throw new IllegalStateException(each.text());
              }
              if (each.database().isPresent()) {
                write(
                    String.join(
                        "|",
                        each.user(),
                        each.database().get(),
                        each.kind(),
                        each.text(),
                        each.dataSources().toString(),
                        each.rows() + "",
                        each.affectedRows() + "",
                        each.errno() + ""));
              }
            }

            public void close() throws Exception {
              write("closed with " + password);
            }
          };
        }
      }
      """;

  @TempDir Path folder;

  private Path configuration(DatabaseServer server) throws IOException {
    Path extLib = Files.createDirectories(folder.resolve("ext-lib"));
    PlugInJar.write(
        extLib,
        "sink",
        "1",
        SINK,
        Map.of(FinishedStatementListenerProvider.class, List.of("org.example.Sink")));
    Path files = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(folder.resolve("password"), "first");
    Files.writeString(
        files.resolve("database-0.yaml"),
        "databaseName: shop\ndataSources:\n" + RunningProxy.source("ds_0", server, SCHEMA));
    return files;
  }

  private void global(Path files, String listeners) throws IOException {
    Files.writeString(
        files.resolve("global.yaml"),
        """
        authority: { users: [ { user: "%s@%%", password: %s, admin: true } ] }
        statementListeners: %s
        props: { proxy-admin-port: 0 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, listeners));
  }

  private String sink(String file) {
    return "{ type: sink, props: { path: '%s', password: '${file:%s}' } }"
        .formatted(folder.resolve(file), folder.resolve("password"));
  }

  /** Waits until a file has so many lines. */
  private List<String> lines(String file, int count) throws IOException, InterruptedException {
    Path path = folder.resolve(file);
    while (!Files.exists(path) || Files.readAllLines(path).size() < count) {
      Thread.sleep(20);
    }
    return Files.readAllLines(path);
  }

  private static void run(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void hearsOfAllThatClientsRun(DatabaseServers servers) throws Exception {
    DatabaseServer server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_listener",
        "CREATE DATABASE it_listener",
        "CREATE TABLE it_listener.t (id INT PRIMARY KEY, v VARCHAR(20))");
    Path files = configuration(server);
    global(files, "{ one: " + sink("one") + " }");
    var loader = InstalledAlgorithms.loader(PlugIns.of(folder.resolve("ext-lib")));
    try (RunningProxy proxy = RunningProxy.startFrom(loader, files);
        Connection client = proxy.connect("");
        Connection administrator = proxy.connect("")) {
      run(client, "USE shop");
      run(client, "INSERT INTO t VALUES (1, 'a'), (2, 'unlucky')");
      run(client, "SELECT UNLUCKY.id FROM t AS UNLUCKY");
      run(client, "SELECT v FROM t WHERE id = 2");
      assertThatThrownBy(() -> run(client, "SELECT v FROM missing")).isNotNull();
      List<String> heard = lines("one", 4).stream().filter(each -> !each.contains("USE")).toList();
      assertThat(heard)
          .containsExactly(
              "app|shop|INSERT|INSERT INTO t VALUES (?, ?), (?, ?)|[ds_0]|0|2|0",
              "app|shop|SELECT|SELECT v FROM t WHERE id = ?|[ds_0]|1|0|0",
              "app|shop|SELECT|SELECT v FROM missing|[ds_0]|0|0|1146");
      // the same listener goes on beside a new one
      global(files, "{ one: " + sink("one") + ", two: " + sink("two") + " }");
      run(administrator, "RELOAD CONFIGURATION");
      run(client, "DELETE FROM t WHERE id = 1");
      assertThat(lines("two", 1))
          .containsExactly("app|shop|DELETE|DELETE FROM t WHERE id = ?|[ds_0]|0|1|0");
      assertThat(lines("one", 5)).noneMatch(each -> each.startsWith("closed"));
      // another secret is another listener
      Files.writeString(folder.resolve("password"), "second");
      run(administrator, "RELOAD CONFIGURATION");
      assertThat(lines("one", 6)).last().isEqualTo("closed with first");
      assertThat(lines("two", 2)).last().isEqualTo("closed with first");
      run(client, "DELETE FROM t WHERE id = 2");
      assertThat(lines("two", 3)).last().asString().contains("DELETE");
    }
    assertThat(Files.readAllLines(folder.resolve("two"))).last().isEqualTo("closed with second");
  }

  @Test
  void whatCannotBeMadeIsAProblemWithItsPlace(DatabaseServers servers) throws Exception {
    Path files = configuration(servers.primaryA());
    var loader = InstalledAlgorithms.loader(PlugIns.of(folder.resolve("ext-lib")));
    global(files, "{ one: { type: SINK }, two: { type: SINC } }");
    assertThatThrownBy(() -> loader.load(files))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("global.yaml:2:")
        .hasMessageContaining("`path` is missing")
        .hasMessageContaining("SINC")
        .hasMessageContaining("SINK");
  }
}
