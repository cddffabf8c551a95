package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Results that are many times as large as the proxy's heap, which is 128 MB in a process of its
 * own. {@code -Drows.count} says how many rows: millions with the profile {@code rows}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class ManyRowsIT {

  private static final int TABLES = 8;
  private static final long ROWS = Long.getLong("rows.count", 40_000) / TABLES * TABLES;
  private static final String SCHEMA = "it_many";

  private static ProxyProcess proxy;

  @BeforeAll
  static void start(MariaDbServers servers, @TempDir Path directory) throws IOException {
    for (MariaDbServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    }
    for (int table = 0; table < TABLES; table++) {
      MariaDbServer server = table % 2 == 0 ? servers.primaryA() : servers.primaryB();
      String name = SCHEMA + ".t_row_" + table;
      server.execute(
          "CREATE TABLE " + name + " (id INT NOT NULL PRIMARY KEY, half BIGINT, word CHAR(8))",
          "INSERT INTO %s SELECT seq, seq DIV 2, LPAD(seq %% 1000000, 8, 'x') FROM %s.seq_%d_to_%d_step_%d"
              .formatted(name, SCHEMA, table, ROWS - TABLES + table, TABLES));
    }
    String database =
        "databaseName: rows\ndataSources:\n"
            + RunningProxy.source("ds_0", servers.primaryA(), SCHEMA)
            + RunningProxy.source("ds_1", servers.primaryB(), SCHEMA)
            + """
              rules:
              - !SHARDING
                autoTables:
                  t_row:
                    actualDataSources: ds_0,ds_1
                    shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: eighths } }
                shardingAlgorithms:
                  eighths: { type: MOD, props: { sharding-count: 8 } }
              """;
    proxy = ProxyProcess.start("rows", directory, "", database);
  }

  @AfterAll
  static void stop(MariaDbServers servers) {
    proxy.close();
    for (MariaDbServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute("DROP DATABASE " + SCHEMA);
    }
  }

  @Test
  void mergesSortedRowsAsTheyCome() throws SQLException {
    long[] next = {0};
    read(
        "SELECT id, half, word FROM t_row ORDER BY id",
        rows -> {
          if (rows.getLong(1) != next[0] || rows.getLong(2) != next[0] / 2) {
            throw new AssertionError("row " + next[0] + " is " + rows.getLong(1));
          }
          next[0]++;
        });
    assertThat(next[0]).isEqualTo(ROWS);
  }

  @Test
  void givesUnsortedRowsAsTheyCome() throws SQLException {
    long[] seen = new long[2];
    read(
        "SELECT id, word FROM t_row",
        rows -> {
          seen[0]++;
          seen[1] += rows.getLong(1);
        });
    assertThat(seen).containsExactly(ROWS, ROWS * (ROWS - 1) / 2);
  }

  @Test
  void groupsRowsAsTheyCome() throws SQLException {
    long[] groups = {0};
    read(
        "SELECT half, COUNT(*) FROM t_row GROUP BY half ORDER BY half",
        rows -> {
          if (rows.getLong(1) != groups[0] || rows.getLong(2) != 2) {
            throw new AssertionError("group " + groups[0] + " is " + rows.getLong(1));
          }
          groups[0]++;
        });
    assertThat(groups[0]).isEqualTo(ROWS / 2);
  }

  private interface Look {
    void at(ResultSet rows) throws SQLException;
  }

  /** The driver holds some rows at a time, too. */
  private static void read(String sql, Look look) throws SQLException {
    long started = System.nanoTime();
    try (Connection connection = proxy.connect("rows", "useServerPrepStmts=true");
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(1000);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          look.at(rows);
        }
      }
    }
    System.out.printf("%s: %d rows in %.1f s%n", sql, ROWS, (System.nanoTime() - started) / 1e9);
  }
}
