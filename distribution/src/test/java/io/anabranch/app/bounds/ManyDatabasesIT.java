package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand logical databases with a data source each, in a heap of 128 MB: the connections that
 * each of them kept ended the process at its start.
 *
 * <p>{@code -Dbounds.clients} of 1,000 uses all of them, every build some.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ManyDatabasesIT {

  private static final int DATABASES = 1000;
  private static final int USED = Math.min(DATABASES, Integer.getInteger("bounds.clients", 60));
  private static final int CLIENTS = 6;

  @TempDir private static Path directory;

  private static ProxyProcess proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException {
    MariaDbServer server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_many",
        "CREATE DATABASE it_many",
        "CREATE TABLE it_many.t (id INT PRIMARY KEY)",
        "INSERT INTO it_many.t VALUES (7)");
    // opened for each of them, however busy the machine is
    String source =
        RunningProxy.source("ds_0", server, "it_many")
            .replace("connectionTimeoutMilliseconds: 3000", "connectionTimeoutMilliseconds: 30000");
    proxy =
        ProxyProcess.start(
            "many",
            directory,
            "",
            IntStream.range(0, DATABASES)
                .mapToObj(
                    i -> "databaseName: many_" + i + "\ndataSources:\n" + source + "rules: []\n")
                .toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static int read(int database) throws SQLException {
    try (Connection client = proxy.connect("many_" + database);
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("SELECT id FROM t WHERE id = 7")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void answer() throws ExecutionException, InterruptedException {
    var reads = new ArrayList<Future<Integer>>();
    try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
      for (int i = 0; i < USED; i++) {
        int database = i * (DATABASES / USED);
        reads.add(clients.submit(() -> read(database)));
      }
    }
    var answers = new ArrayList<Integer>();
    for (Future<Integer> each : reads) {
      answers.add(each.get());
    }
    assertThat(answers).hasSize(USED).containsOnly(7);
    assertThat(proxy.isAlive()).isTrue();
    assertThat(List.of(proxy.output().split("\n")))
        .noneMatch(line -> line.contains("OutOfMemory") || line.contains("AB9001"))
        .anyMatch(line -> line.contains("none keeps idle connections"));
  }
}
