package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.algorithm.balance.LoadBalancerProvider;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A plug-in chooses the replicas of two groups; where it fails, it ends the read alone. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class LoadBalancerIT {

  /** Does what its file says. */
  private static final String CHOSEN =
      """
      package org.example;

      import io.anabranch.rules.algorithm.balance.*;
      import java.nio.file.*;
      import java.util.*;

      public final class Chosen implements LoadBalancerProvider {
        public String type() { return "CHOSEN"; }

        public LoadBalancer create(Map<String, String> properties) {
          Path path = Path.of(properties.get("path"));
          return new LoadBalancer() {
            public int choose(String group, List<? extends Replica> replicas) {
              String wanted;
              try {
                wanted = Files.readString(path);
              } catch (java.io.IOException failure) {
                throw new java.io.UncheckedIOException(failure);
              }
              switch (wanted) {
                case "throw": throw new IllegalStateException("not told");
                case "error": throw new NoClassDefFoundError("org/example/Missing");
                case "outside": return replicas.size();
                default:
              }
              for (int i = 0; i < replicas.size(); i++) {
                if (replicas.get(i).name().equals(wanted + "_" + group.substring(2))) {
                  return i;
                }
              }
              return -1;
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
          g_${0..1}:
            writeDataSourceName: w_${0..1}
            readDataSourceNames: ["x_${0..1}", "y_${0..1}"]
            transactionalReadQueryStrategy: DYNAMIC
            loadBalancerName: own
        loadBalancers:
          own: { type: chosen, props: { path: "PATH", some-password: hidden } }
      - !SHARDING
        tables:
          t:
            actualDataNodes: g_${0..1}.t
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
        shardingAlgorithms:
          by_id: { type: MOD, props: { sharding-count: 2 } }
      """;

  @TempDir Path folder;

  private static String source(String name, DatabaseServer server) {
    String schema = "it_balancer_" + name.charAt(0);
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY, who VARCHAR(20))",
        "INSERT INTO " + schema + ".t VALUES (" + name.charAt(2) + ", '" + name.charAt(0) + "')");
    return RunningProxy.source(name, server, schema);
  }

  private Path configuration(DatabaseServers servers) throws IOException {
    PlugInJar.write(
        Files.createDirectories(folder.resolve("ext-lib")),
        "chosen",
        "1",
        CHOSEN,
        Map.of(LoadBalancerProvider.class, List.of("org.example.Chosen")));
    Path files = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        files.resolve("global.yaml"),
        """
        authority: { users: [ { user: "%s@%%", password: %s, admin: true } ] }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 1 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    var sources = new StringBuilder("databaseName: shop\ndataSources:\n");
    for (String name : List.of("w", "x", "y")) {
      sources.append(source(name + "_0", servers.primaryA()));
      sources.append(source(name + "_1", servers.primaryB()));
    }
    Files.writeString(
        files.resolve("database-0.yaml"),
        sources + RULES.replace("PATH", folder.resolve("chosen").toString()));
    return files;
  }

  private void choose(String what) throws IOException {
    Files.writeString(folder.resolve("chosen"), what);
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  private static String prepared(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT who FROM t WHERE id = ?")) {
      statement.setInt(1, 1);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return String.valueOf(rows.getString(1));
      }
    }
  }

  @Test
  void choosesWhereReadsGo(DatabaseServers servers) throws Exception {
    Path files = configuration(servers);
    var loader = InstalledAlgorithms.loader(PlugIns.of(folder.resolve("ext-lib")));
    choose("x");
    try (RunningProxy proxy = RunningProxy.startFrom(loader, files);
        Connection connection = proxy.connect("shop");
        Connection neighbour = proxy.connect("shop");
        Statement statement = connection.createStatement()) {
      assertThat(one(connection, "SHOW LOAD BALANCE ALGORITHM PLUGINS")).isEqualTo("CHOSEN");
      try (ResultSet rules = statement.executeQuery("SHOW READWRITE_SPLITTING RULES")) {
        assertThat(rules.next()).isTrue();
        assertThat(rules.getString("load_balancer_type")).isEqualTo("CHOSEN");
        assertThat(rules.getString("load_balancer_props"))
            .contains("path=" + folder.resolve("chosen"), "some-password=")
            .doesNotContain("hidden");
      }
      String id = one(connection, "SELECT CONNECTION_ID()");
      for (String replica : List.of("x", "y", "x")) {
        choose(replica);
        assertThat(one(connection, "SELECT who FROM t WHERE id = 0")).isEqualTo(replica);
        assertThat(prepared(connection)).isEqualTo(replica);
        assertThat(one(connection, "SELECT CONCAT(MIN(who), COUNT(DISTINCT who)) FROM t"))
            .isEqualTo(replica + "1");
      }
      connection.setAutoCommit(false);
      statement.executeUpdate("INSERT INTO t VALUES (10, 'written')");
      for (String failure : List.of("throw", "error", "outside", "nobody")) {
        choose(failure);
        for (String sql : List.of("SELECT who FROM t WHERE id = 0", "SELECT COUNT(*) FROM t")) {
          assertThatThrownBy(() -> one(neighbour, sql))
              .as(failure)
              .isInstanceOf(SQLException.class)
              .hasMessageContaining("AB2092")
              .hasMessageContaining("CHOSEN")
              .hasMessageNotContaining("not told");
        }
        assertThatThrownBy(() -> prepared(neighbour)).hasMessageContaining("AB2092");
        // of a group that the transaction has not written to
        assertThatThrownBy(() -> one(connection, "SELECT who FROM t WHERE id = 1"))
            .hasMessageContaining("AB2092");
        assertThat(one(connection, "SELECT who FROM t WHERE id = 10")).isEqualTo("written");
      }
      choose("y");
      assertThat(one(neighbour, "SELECT who FROM t WHERE id = 0")).isEqualTo("y");
      assertThat(one(connection, "SELECT CONNECTION_ID()")).isEqualTo(id);
      connection.commit();
    }
    try (Connection direct = servers.primaryA().connect("it_balancer_w")) {
      assertThat(one(direct, "SELECT who FROM t WHERE id = 10")).isEqualTo("written");
    }
  }
}
