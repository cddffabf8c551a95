package io.anabranch.app.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What databases see of who has asked. */
@ExtendWith(MariaDbServers.Resolver.class)
class OriginCommentIT {

  private static final String SCHEMA = "it_origin";
  private static final String LONG = "SELECT SLEEP(1000) AS it_origin";
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String CLIENT = "@127\\.0\\.0\\.1:[0-9]+ ";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private @Nullable RunningProxy started;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void prepare(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_origin",
        "CREATE DATABASE it_origin",
        "CREATE TABLE it_origin.t (id INT PRIMARY KEY, name VARCHAR(20))");
    folder = new ReloadFolder(temporary);
    folder.write("database-0.yaml", RunningProxy.passThrough(SCHEMA, server));
    folder.global(", proxy-origin-comment: true");
    started = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    threads.shutdown();
    proxy().close();
  }

  private RunningProxy proxy() {
    return Objects.requireNonNull(started);
  }

  private Connection connect(String... options) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        proxy().port(), SCHEMA, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  private List<String> column(String what) {
    try (Connection direct = server.connect("")) {
      return ReloadFolder.column(
          direct,
          "SELECT "
              + what
              + " FROM information_schema.processlist WHERE info LIKE '%AS it_origin'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the database shows of a statement while it runs. */
  private String seen(Runnable statement) {
    var running = CompletableFuture.runAsync(statement, threads);
    Eventually.holds("it runs", () -> !column("info").isEmpty());
    String info = column("info").getFirst();
    Eventually.holds("it has ended", () -> end() && running.isDone());
    return info;
  }

  private boolean end() {
    try {
      column("id").forEach(id -> server.execute("KILL QUERY " + id));
    } catch (IllegalStateException goneMeanwhile) {
      return false;
    }
    return true;
  }

  @Test
  void relayedAndMergedTextsSayWhoAsked() throws Exception {
    try (Connection client = connect("connectionAttributes=traceparent:" + TRACE)) {
      String expected = "/\\* " + RunningProxy.USER + CLIENT;
      assertThat(seen(() -> run(client, LONG))).matches(expected + ".*\\*/ SELECT SLEEP.*");
      folder.global(", proxy-origin-comment: true, proxy-relay-enabled: false");
      run(client, "RELOAD CONFIGURATION");
      assertThat(seen(() -> run(client, LONG))).matches(expected + ".*\\*/ SELECT SLEEP.*");
      folder.global("");
      run(client, "RELOAD CONFIGURATION");
      assertThat(seen(() -> run(client, LONG))).isEqualTo(LONG);
    }
  }

  @Test
  void aTraceOfTheConnectionIsTold() throws Exception {
    try (Connection client = connect("connectionAttributes=traceparent:" + TRACE)) {
      assertThat(seen(() -> run(client, LONG))).contains(" " + TRACE + " */ SELECT");
    }
  }

  @Test
  void preparedStatementsAreOneForAll() throws Exception {
    try (Connection client = connect("useServerPrepStmts=true")) {
      String info =
          seen(
              () -> {
                try (PreparedStatement statement = client.prepareStatement(LONG)) {
                  statement.execute();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(info).isEqualTo(LONG);
    }
  }

  @Test
  void answersAndErrorsAreThoseOfOneServer() throws Exception {
    try (Connection client = connect();
        Connection direct = server.connect(SCHEMA)) {
      for (String sql :
          List.of(
              "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
              "INSERT INTO t VALUES (1, 'x')",
              "SELECT FROM t",
              "SELECT 1 +",
              "SELECT nothing FROM t",
              "UPDATE t SET name = 'z' WHERE id = 2",
              "CREATE VIEW v AS SELECT /* own */ id FROM t")) {
        run(direct, "DELETE FROM t");
        String expected = outcome(direct, sql);
        run(direct, "DROP VIEW IF EXISTS v");
        run(direct, "DELETE FROM t");
        assertThat(outcome(client, sql)).as(sql).isEqualTo(expected);
      }
      assertThat(ReloadFolder.one(direct, "SHOW CREATE VIEW v")).isEqualTo("v");
      assertThat(
              ReloadFolder.one(
                  direct,
                  "SELECT view_definition FROM information_schema.views WHERE table_schema = 'it_origin'"))
          .doesNotContain(RunningProxy.USER + "@127");
    }
  }

  private static String outcome(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
      return "count " + statement.getUpdateCount();
    } catch (SQLException e) {
      String message = String.valueOf(e.getMessage());
      return e.getErrorCode() + message.substring(message.indexOf(')') + 1);
    }
  }
}
