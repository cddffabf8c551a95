package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Broadcast tables have the same rows everywhere, whoever else writes at the same moment. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class BroadcastCopiesIT {

  private static final String SCHEMA = "it_copies";
  private static final int TURNS = 40;

  private static WritesFixture fixture;
  private static DatabaseServers databases;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    databases = servers;
    fixture = WritesFixture.start(servers, SCHEMA);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void anew() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      run(proxied, "DROP TABLE IF EXISTS t_numbered");
      run(
          proxied,
          "CREATE TABLE t_numbered (id INT AUTO_INCREMENT PRIMARY KEY, v INT, w INT DEFAULT 0)");
    }
  }

  private static void run(Connection connection, String sql) {
    assertThat(Transcript.of(connection, sql).head()).as(sql).doesNotStartWith("error");
  }

  /** How rows come into a table. */
  private static List<String> inserts(Path directory) throws IOException {
    Path file = directory.resolve("row.csv");
    Files.writeString(file, "7\n8\n");
    return List.of(
        "INSERT INTO t_numbered (v) VALUES (1)",
        "INSERT INTO t_numbered (v) SELECT 2",
        "INSERT INTO t_numbered (v) SELECT order_id FROM t_order",
        "INSERT INTO t_numbered (v) VALUES ((SELECT 3))",
        "INSERT INTO t_numbered (v) VALUES (LENGTH(UUID())), (4)",
        "INSERT INTO t_numbered SET v = (SELECT 5)",
        "REPLACE INTO t_numbered (v) SELECT 6",
        "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE t_numbered (v)");
  }

  /** Whatever has moved the counter of one copy: a row that was refused, or another client. */
  @Test
  void copiesGetTheKeysOfTheFirst(@TempDir Path directory) throws SQLException, IOException {
    try (Connection proxied = fixture.throughProxy("allowLocalInfile=true")) {
      run(proxied, "INSERT INTO t_order (order_id, user_id) VALUES (1, 1), (2, 2)");
      databases
          .primaryB()
          .execute(
              "INSERT INTO " + SCHEMA + ".t_numbered (id) VALUES (1000)",
              "DELETE FROM " + SCHEMA + ".t_numbered");
      for (String sql : inserts(directory)) {
        run(proxied, sql);
        List<String> contents = contents();
        assertThat(contents.getLast()).as(sql).isEqualTo(contents.getFirst()).isNotEqualTo("null");
      }
      run(proxied, "DELETE FROM t_order");
    }
  }

  /** The row that is there tells its key, as the copies all have it. */
  @Test
  void keysOfRowsThatAreThereAreTold() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      run(proxied, "CREATE UNIQUE INDEX v ON t_numbered (v)");
      run(proxied, "INSERT INTO t_numbered (v) VALUES (1), (2), (3)");
      String insert =
          "INSERT INTO t_numbered (v) VALUES (2) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), w =";
      for (String more : List.of(" 5", " w + 1")) {
        run(proxied, insert + more);
        assertThat(Transcript.of(proxied, "SELECT LAST_INSERT_ID()").rows().toString())
            .contains("2");
      }
      run(proxied, "UPDATE t_numbered SET w = LAST_INSERT_ID(w + 1) WHERE v = 2");
      assertThat(Transcript.of(proxied, "SELECT LAST_INSERT_ID()").rows().toString()).contains("7");
      assertThat(Transcript.of(proxied, insert + " LAST_INSERT_ID()").head()).startsWith("error");
      List<String> contents = contents();
      assertThat(contents.getLast()).isEqualTo(contents.getFirst()).isNotEqualTo("null");
    }
  }

  /** What counts as a key, and is none, would be the key of whichever row comes next. */
  @Test
  void noOtherValueIsTakenForAKey() throws SQLException {
    String again = " ON DUPLICATE KEY UPDATE ";
    try (Connection proxied = fixture.throughProxy()) {
      run(proxied, "DROP TABLE t_numbered");
      run(
          proxied,
          "CREATE TABLE t_numbered (id INT AUTO_INCREMENT PRIMARY KEY, v INT UNIQUE, w INT)");
      run(proxied, "INSERT INTO t_numbered (v, w) VALUES (1, 41), (2, 0)");
      for (String sql :
          List.of(
              "INSERT INTO t_numbered (v) VALUES (1)" + again + "w = LAST_INSERT_ID(w + 1)",
              "INSERT INTO t_numbered (v) VALUES (9), (1)" + again + "id = LAST_INSERT_ID(id)",
              "INSERT INTO t_numbered (v) SELECT 1" + again + "t_numbered.id = LAST_INSERT_ID(id)",
              "INSERT INTO t_numbered (id, v) VALUES (77, 1)" + again + "id = LAST_INSERT_ID(id)",
              "INSERT INTO t_numbered VALUES (77, 1, 1)" + again + "id = LAST_INSERT_ID(id)",
              "INSERT INTO t_numbered (v) VALUES (1)" + again + "id = LAST_INSERT_ID(id + 1)",
              "INSERT INTO t_numbered SET v = 1" + again + "id = LAST_INSERT_ID(v)",
              "INSERT INTO t_numbered (v) VALUES (LAST_INSERT_ID(55))")) {
        assertThat(Transcript.of(proxied, sql).head()).as(sql).contains("AB20");
      }
      run(
          proxied,
          "INSERT INTO t_numbered SET v = 1" + again + "id = LAST_INSERT_ID(t_numbered.id)");
      run(proxied, "UPDATE t_numbered SET w = LAST_INSERT_ID(w + 1) WHERE v = 1");
      run(proxied, "INSERT INTO t_numbered (v) VALUES (3)");
      List<String> contents = contents();
      assertThat(contents.getLast()).isEqualTo(contents.getFirst());
      assertThat(Transcript.of(proxied, "SELECT MAX(id) < 9 FROM t_numbered").rows().toString())
          .contains("1");
    }
  }

  /** A server takes no number back of a row that it refuses. */
  @Test
  void refusedRowsLeaveTablesThatCanBeWritten() throws SQLException {
    List<String> refused =
        List.of(
            "INSERT INTO t_numbered (v) VALUES (1)",
            "INSERT INTO t_numbered (v) SELECT 1",
            "INSERT INTO t_numbered (v) VALUES (77), (78), (1)",
            "INSERT INTO t_numbered (v) VALUES (LENGTH(UUID()) - 35)");
    List<String> written =
        List.of(
            "INSERT INTO t_numbered (v) VALUES (@n)",
            "INSERT INTO t_numbered (v) VALUES (@n), (@n + 1000)",
            "INSERT INTO t_numbered (id, v) VALUES (NULL, @n), (@n * 1000, @n + 1000), (0, @n + 2000)",
            "INSERT INTO t_numbered (v) SELECT @n UNION ALL SELECT @n + 1000",
            "INSERT IGNORE INTO t_numbered (v) VALUES (1), (@n), (1), (@n + 1000)",
            "REPLACE INTO t_numbered (v) VALUES (1), (@n)",
            "INSERT INTO t_numbered (v) VALUES (1), (@n) ON DUPLICATE KEY UPDATE w = w + 1",
            "INSERT INTO t_numbered SET v = @n");
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      for (Connection each : List.of(proxied, plain)) {
        run(each, "DROP TABLE IF EXISTS t_numbered");
        run(
            each,
            "CREATE TABLE t_numbered (id INT AUTO_INCREMENT PRIMARY KEY, v INT UNIQUE, w INT DEFAULT"
                + " 0)");
        run(each, "INSERT INTO t_numbered (v) VALUES (1)");
      }
      int number = 100;
      for (boolean isOpen : List.of(false, true)) {
        for (String wrong : refused) {
          for (String right : written) {
            number++;
            String sql = right.replace("@n", Integer.toString(number));
            for (Connection each : List.of(proxied, plain)) {
              each.setAutoCommit(!isOpen);
              assertThat(Transcript.of(each, wrong).head()).as(wrong).startsWith("error 1062");
              run(each, sql);
              if (isOpen) {
                each.commit();
              }
            }
            List<String> contents = contents();
            assertThat(contents.getLast()).as(wrong + "; " + sql).isEqualTo(contents.getFirst());
          }
        }
      }
      String rows = "SELECT v, w FROM t_numbered ORDER BY v";
      assertThat(Transcript.of(proxied, rows)).isEqualTo(Transcript.of(plain, rows));
    }
  }

  @Test
  void whoeverInsertsAtTheSameMomentGetsTheSameKeysOrNone(@TempDir Path directory)
      throws SQLException, IOException {
    List<String> inserts = inserts(directory);
    together(
        List.of(inserts, inserts.reversed(), inserts),
        "READ COMMITTED",
        "error 1105",
        "error 1213");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t_numbered SET w = w + 1",
        "UPDATE t_numbered SET w = w + 1 ORDER BY id DESC LIMIT 2",
        "DELETE FROM t_numbered WHERE v < 3 ORDER BY id DESC LIMIT 2",
        "DELETE FROM t_numbered WHERE w = 0",
        "UPDATE t_numbered SET w = w + 1 WHERE v IN (SELECT code FROM t_dict)"
      })
  void rowsThatComeMeanwhileAreChangedInAllCopiesOrNone(String change) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      run(proxied, "INSERT INTO t_numbered (id, v) VALUES (1, 1), (2, 2), (3, 3)");
    }
    var own = new ArrayList<String>();
    var others = new ArrayList<String>();
    for (int i = 1; i <= 8; i++) {
      own.add("INSERT INTO t_numbered (id, v) VALUES (@n := @n + 2, " + i % 4 + ")");
      others.add(change);
    }
    together(List.of(others, own), "READ COMMITTED", "error 1213");
  }

  @Test
  void aRowThatOneCopyLacksIsNotLostWhereItIs() throws SQLException {
    databases.primaryB().execute("INSERT INTO " + SCHEMA + ".t_numbered (id, v) VALUES (5, 5)");
    try (Connection proxied = fixture.throughProxy()) {
      for (String sql :
          List.of("UPDATE t_numbered SET v = 6", "DELETE FROM t_numbered WHERE v = 5")) {
        assertThat(Transcript.of(proxied, sql).head()).startsWith("error 1213 40001 AB2017");
      }
      assertThat(contents()).containsExactly("null", "5,5,0");
      run(proxied, "REPLACE INTO t_numbered (id, v) VALUES (5, 7)");
      assertThat(contents()).containsExactly("5,7,0", "5,7,0");
    }
  }

  /** Each list is run again and again by a session of its own. */
  private static void together(List<List<String>> lists, String isolation, String... errors)
      throws SQLException {
    var sessions = new ArrayList<CompletableFuture<?>>();
    for (int i = 0; i < lists.size(); i++) {
      List<String> statements = lists.get(i);
      int first = 1000 + i;
      sessions.add(
          CompletableFuture.runAsync(() -> repeat(statements, isolation, first, List.of(errors))));
    }
    sessions.forEach(CompletableFuture::join);
    List<String> contents = contents();
    assertThat(contents.getLast()).isEqualTo(contents.getFirst());
  }

  private static void repeat(
      List<String> statements, String isolation, int first, List<String> errors) {
    try (Connection proxied = fixture.throughProxy("allowLocalInfile=true")) {
      run(proxied, "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
      int number = first;
      for (int turn = 0; turn < TURNS; turn++) {
        for (String statement : statements) {
          number += 2;
          String sql = statement.replace("@n := @n + 2", Integer.toString(number));
          String answer = Transcript.of(proxied, sql).head();
          assertThat(answer)
              .as(sql)
              .satisfiesAnyOf(
                  told -> assertThat(told).doesNotStartWith("error"),
                  told -> assertThat(errors).anyMatch(told::startsWith));
        }
      }
    } catch (SQLException problem) {
      throw new IllegalStateException(problem);
    }
  }

  /** Of both copies. */
  private static List<String> contents() {
    String rows = "GROUP_CONCAT(id, ',', IFNULL(v, '-'), ',', w ORDER BY id SEPARATOR ';')";
    String sql =
        "SELECT IF(COUNT(*) < 9, "
            + rows
            + ", CONCAT_WS(' ', COUNT(*), SUM(CRC32(CONCAT_WS(',', id, v, w))))) FROM "
            + SCHEMA
            + ".t_numbered";
    return List.of(
        String.valueOf(databases.primaryA().queryOne(sql)),
        String.valueOf(databases.primaryB().queryOne(sql)));
  }
}
