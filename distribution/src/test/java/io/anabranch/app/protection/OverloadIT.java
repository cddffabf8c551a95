package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** More is wanted of a database than it can do: who is sent away, and what it is given. */
@ExtendWith(MariaDbServers.Resolver.class)
class OverloadIT {

  private static final String SCHEMA = "it_overload";
  private static final int OVERLOADED = 3168;

  /** Drivers have questions for the database when they connect: all are there before it is slow. */
  private static final int CLIENTS = 4;

  @TempDir Path temporary;
  private MariaDbServer server;
  private @Nullable RunningProxy started;
  private final List<Connection> open = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void prepare(MariaDbServers servers) throws SQLException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_overload",
        "CREATE DATABASE it_overload",
        "CREATE TABLE it_overload.t (id INT PRIMARY KEY)",
        "CREATE TABLE it_overload.mood (slow INT)",
        "INSERT INTO it_overload.mood VALUES (0)",
        "CREATE PROCEDURE it_overload.ask()"
            + " DO SLEEP((SELECT slow FROM it_overload.mood) * 0.05)");
  }

  @AfterEach
  void stop() throws SQLException {
    threads.shutdown();
    for (Connection each : open) {
      each.close();
    }
    Objects.requireNonNull(started).close();
  }

  private void start(String source) throws IOException {
    var folder = new ReloadFolder(temporary);
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: batch, password: batch }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        queryRules:
        - { name: batch, match: { users: [batch] }, priority: low, next: true }
        - { name: shop, match: { hints: { class: shop } }, priority: high, next: true }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    folder.write(
        "database-0.yaml",
        """
        databaseName: it_overload
        dataSources:
          ds_0:
            url: "%s"
            username: %s
            password: %s
            %s
        rules: []
        """
            .formatted(server.url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD, source));
    started = RunningProxy.startFrom(temporary);
  }

  private Connection connect(String user, String password) throws SQLException {
    Connection client =
        RunningProxy.Driver.MARIADB.connect(
            Objects.requireNonNull(started).port(), SCHEMA, user, password);
    open.add(client);
    return client;
  }

  private List<Connection> connectAll(String user, String password) throws SQLException {
    var clients = new ArrayList<Connection>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(connect(user, password));
    }
    return clients;
  }

  /** 0, or the number of the error. */
  private static int run(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private CompletableFuture<Integer> later(Connection client, String sql) {
    return CompletableFuture.supplyAsync(() -> run(client, sql), threads);
  }

  private static long state(Connection admin, String column) {
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM anabranch.data_sources")) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(column);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void waiting(Connection admin, int requests) {
    Eventually.holds(requests + " wait", () -> state(admin, "connections_waiting") == requests);
  }

  @Test
  void theLowestPriorityIsSentAwayFirst() throws Exception {
    start("maxPoolSize: 1\n    overload: { queue: 2 }");
    Connection admin = connect(RunningProxy.USER, RunningProxy.PASSWORD);
    List<Connection> shop = connectAll(RunningProxy.USER, RunningProxy.PASSWORD);
    List<Connection> batch = connectAll("batch", "batch");
    String read = "SELECT * FROM t";
    String important = "/* ANABRANCH_HINT: class=shop */ SELECT * FROM t";
    CompletableFuture<Integer> served;
    CompletableFuture<Integer> high;
    CompletableFuture<Integer> early;
    try (Connection direct =
            DriverManager.getConnection(
                server.url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD);
        Statement locks = direct.createStatement()) {
      locks.execute("LOCK TABLES t WRITE");
      served = later(shop.get(0), read);
      Eventually.holds("it has the connection", () -> state(admin, "connections_active") == 1);
      early = later(batch.get(0), read);
      waiting(admin, 1);
      CompletableFuture<Integer> late = later(batch.get(1), read);
      waiting(admin, 2);

      assertThat(run(batch.get(2), read)).as("who comes last").isEqualTo(OVERLOADED);
      high = later(shop.get(1), important);
      assertThat(late.get()).as("somebody more important has come").isEqualTo(OVERLOADED);
      waiting(admin, 2);
      assertThat(state(admin, "shed")).isEqualTo(2);
      locks.execute("UNLOCK TABLES");
    }
    assertThat(served.get()).isZero();
    assertThat(high.get()).isZero();
    assertThat(early.get()).isZero();
    for (Connection each : batch) {
      assertThat(run(each, read)).as("all is well again").isZero();
    }
  }

  @Test
  void aDatabaseThatSlowsDownGetsLess() throws Exception {
    start("maxPoolSize: 8\n    overload: { adaptive: true, leastConnections: 1 }");
    Connection admin = connect(RunningProxy.USER, RunningProxy.PASSWORD);
    var goOn = new AtomicBoolean(true);
    var failed = new AtomicInteger();
    var ran = new AtomicLong();
    var all = new ArrayList<CompletableFuture<Void>>();
    for (Connection client : connectAll("batch", "batch")) {
      all.add(
          CompletableFuture.runAsync(
              () -> {
                while (goOn.get()) {
                  failed.addAndGet(run(client, "CALL ask()"));
                  ran.incrementAndGet();
                }
              },
              threads));
    }
    long began = System.nanoTime();
    Eventually.holds(
        "what is usual is known",
        () -> ran.get() > 1000 && System.nanoTime() - began > 5_000_000_000L);
    assertThat(state(admin, "connections_limit")).isEqualTo(8);

    server.execute("UPDATE it_overload.mood SET slow = 6");
    Eventually.holds("it gets less", () -> state(admin, "connections_limit") < 3);
    server.execute("UPDATE it_overload.mood SET slow = 0");
    Eventually.holds("it gets all", () -> state(admin, "connections_limit") == 8);
    goOn.set(false);
    for (CompletableFuture<Void> each : all) {
      each.get();
    }
    assertThat(failed.get()).isZero();
  }
}
