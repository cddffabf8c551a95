package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.audit.AuditorProvider;
import io.anabranch.rules.algorithm.encrypt.EncryptorProvider;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
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

/** A plug-in that fails for some values ends the statements that have them, and nothing else. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PlugInFailureIT {

  private static final String SCHEMA = "it_plug_in_failure";

  /** Fails as the number says, or as the text does. */
  private static final String MOODY =
      """
      package org.example;

      import io.anabranch.rules.algorithm.*;
      import io.anabranch.rules.algorithm.audit.*;
      import io.anabranch.rules.algorithm.encrypt.*;
      import io.anabranch.rules.value.SqlValue;
      import java.util.BitSet;
      import java.util.Map;

      public final class Moody {
        static int deep(int depth) { return deep(depth + 1) + 1; }

        static int fail(long how) {
          return switch ((int) how) {
            case -1 -> throw new IllegalStateException("not told");
            case -2 -> throw new NoClassDefFoundError("org/example/Missing");
            case -3 -> deep(0);
            case -4 -> throw new AssertionError();
            case -5 -> 17;
            default -> (int) Math.floorMod(how, 2L);
          };
        }

        public static final class Places implements AlgorithmProvider {
          public String type() { return "MOODY"; }
          public PlacementAlgorithm create(Map<String, String> properties) {
            if (properties.containsKey("broken")) {
              throw new NoClassDefFoundError("org/example/Missing");
            }
            return new ShardingAlgorithm() {
              public int precise(TargetSet targets, SqlValue value) {
                return fail(((SqlValue.Int) value).value());
              }
              public BitSet range(TargetSet targets, Range range) { return null; }
            };
          }
        }

        public static final class Audits implements AuditorProvider {
          public String type() { return "MOODY"; }
          public Auditor create(Map<String, String> properties) {
            return statement -> {
              if (statement.text().contains("MIN")) { throw new NoClassDefFoundError(); }
              return statement.text().contains("MAX") ? null : java.util.Optional.empty();
            };
          }
        }

        public static final class Keys implements KeyGeneratorProvider {
          public String type() { return "MOODY"; }
          public KeyGenerator create(Map<String, String> properties) {
            return () -> { throw new IllegalStateException("not told"); };
          }
        }

        public static final class Texts implements EncryptorProvider {
          public String type() { return "MOODY"; }
          public Encryptor create(Map<String, String> properties) {
            return new Encryptor() {
              public String encrypt(String plain) {
                if (plain.equals("no")) { throw new NoClassDefFoundError(); }
                return "<" + plain;
              }
              public Decryptor decryptor() {
                return stored -> {
                  if (stored.equals("<later")) { throw new StackOverflowError(); }
                  return stored.substring(1);
                };
              }
            };
          }
        }
      }
      """;

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          t:
            actualDataNodes: ds_0.t_${0..1}
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: moody } }
            auditStrategy: { auditorNames: [moody] }
          k:
            actualDataNodes: ds_0.k_${0..1}
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: moody } }
            keyGenerateStrategy: { column: id, keyGeneratorName: moody }
        shardingAlgorithms:
          moody: { type: MOODY }
        keyGenerators:
          moody: { type: MOODY }
        auditors:
          moody: { type: MOODY }
      - !ENCRYPT
        tables:
          t: { columns: { name: { cipher: { name: name, encryptorName: moody } } } }
        encryptors:
          moody: { type: MOODY }
      """;

  private static final List<String> FAILING =
      List.of(
          "SELECT name FROM t WHERE id = -1",
          "SELECT name FROM t WHERE id = -2",
          "UPDATE t SET name = 'x' WHERE id = -3",
          "DELETE FROM t WHERE id IN (1, -4)",
          "INSERT INTO t VALUES (1, 'y'), (-5, 'z')",
          "SELECT name FROM t WHERE id BETWEEN 1 AND 100000000",
          "SELECT id FROM t WHERE id = 2 AND name = 'no'",
          "INSERT INTO t VALUES (2, 'no')",
          "SELECT MIN(id) FROM t WHERE id = 6",
          "SELECT MAX(id) FROM t WHERE id = 6",
          "SELECT name FROM t WHERE id = 4",
          "SELECT name FROM t ORDER BY id",
          "INSERT INTO k (name) VALUES ('x')");

  @TempDir Path folder;

  private Path configuration(DatabaseServer server) throws IOException {
    Path extLib = Files.createDirectories(folder.resolve("ext-lib"));
    PlugInJar.write(
        extLib,
        "moody",
        "1",
        MOODY,
        Map.of(
            AlgorithmProvider.class, List.of("org.example.Moody$Places"),
            AuditorProvider.class, List.of("org.example.Moody$Audits"),
            KeyGeneratorProvider.class, List.of("org.example.Moody$Keys"),
            EncryptorProvider.class, List.of("org.example.Moody$Texts")));
    Path files = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        files.resolve("global.yaml"),
        """
        authority: { users: [ { user: "%s@%%", password: %s, admin: true } ] }
        props: { proxy-frontend-executor-size: 1, proxy-admin-port: 0 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    Files.writeString(
        files.resolve("database-0.yaml"),
        "databaseName: "
            + SCHEMA
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, SCHEMA)
            + RULES);
    return files;
  }

  private static void prepare(DatabaseServer server) {
    server.execute(
        "DROP DATABASE IF EXISTS it_plug_in_failure",
        "CREATE DATABASE it_plug_in_failure CHARACTER SET utf8mb4");
    for (String table : List.of("t_0", "t_1", "k_0", "k_1")) {
      server.execute(
          "CREATE TABLE it_plug_in_failure."
              + table
              + " (id BIGINT PRIMARY KEY, name VARCHAR(100))");
    }
    server.execute("INSERT INTO it_plug_in_failure.t_0 VALUES (4, '<later'), (6, '<six')");
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  @Test
  void endsTheStatementAlone(DatabaseServers servers) throws Exception {
    prepare(servers.primaryA());
    Path files = configuration(servers.primaryA());
    PlugIns plugIns = PlugIns.of(folder.resolve("ext-lib"));
    try (RunningProxy proxy = RunningProxy.startFrom(InstalledAlgorithms.loader(plugIns), files);
        Connection connection = proxy.connect(SCHEMA);
        Connection neighbour = proxy.connect(SCHEMA);
        Statement statement = connection.createStatement()) {
      String id = one(connection, "SELECT CONNECTION_ID()");
      connection.setAutoCommit(false);
      statement.executeUpdate("INSERT INTO t VALUES (11, 'eleven')");
      for (String sql : FAILING) {
        assertThatThrownBy(() -> statement.execute(sql))
            .as(sql)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("AB2092")
            .hasMessageContaining("MOODY")
            .hasMessageNotContaining("not told");
        assertThat(one(connection, "SELECT name FROM t WHERE id = 11")).isEqualTo("eleven");
        assertThat(one(neighbour, "SELECT name FROM t WHERE id = 6")).isEqualTo("six");
      }
      assertThat(one(connection, "SELECT CONNECTION_ID()")).isEqualTo(id);
      connection.commit();
      connection.setAutoCommit(true);
      assertThat(one(neighbour, "SELECT name FROM t WHERE id = 11")).isEqualTo("eleven");
    }
  }

  @Test
  void whatCannotBeMadeIsAProblemWithItsPlace(DatabaseServers servers) throws Exception {
    prepare(servers.primaryA());
    Path files = configuration(servers.primaryA());
    Path file = files.resolve("database-0.yaml");
    var loader = InstalledAlgorithms.loader(PlugIns.of(folder.resolve("ext-lib")));
    try (RunningProxy proxy = RunningProxy.startFrom(loader, files);
        Connection connection = proxy.connect(SCHEMA);
        Statement statement = connection.createStatement()) {
      String sound = Files.readString(file);
      Files.writeString(
          file,
          sound.replaceFirst(
              "moody: \\{ type: MOODY \\}", "moody: { type: MOODY, props: { broken: 1 } }"));
      assertThatThrownBy(() -> loader.load(files))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("database-0.yaml:")
          .hasMessageContaining("MOODY")
          .hasMessageContaining("NoClassDefFoundError");
      assertThatThrownBy(() -> statement.execute("RELOAD CONFIGURATION"))
          .hasMessageContaining("MOODY");
      assertThat(one(connection, "SELECT name FROM t WHERE id = 6")).isEqualTo("six");
    }
  }
}
