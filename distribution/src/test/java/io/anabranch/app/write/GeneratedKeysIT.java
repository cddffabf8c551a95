package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that the proxy makes, as JDBC drivers tell them. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class GeneratedKeysIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_generated");
    String auto = "CREATE TABLE t_auto (id INT AUTO_INCREMENT PRIMARY KEY, n INT)";
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      assertThat(Transcript.of(proxied, auto).isError()).isFalse();
      assertThat(Transcript.of(direct, auto).isError()).isFalse();
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource({"MARIADB, false", "MARIADB, true", "MYSQL, false", "MYSQL, true"})
  void areThoseOfTheRows(Driver driver, boolean prepared) throws SQLException {
    try (Connection connection = connect(driver, prepared)) {
      String one = "INSERT INTO t_key (name) VALUES (?)";
      try (PreparedStatement insert =
          connection.prepareStatement(one, Statement.RETURN_GENERATED_KEYS)) {
        var seen = new HashSet<Long>();
        for (String name : List.of("a", "b", "c")) {
          insert.setString(1, name);
          insert.executeUpdate();
          List<Long> keys = keys(insert);
          assertThat(keys).hasSize(1);
          assertThat(names(connection, keys)).containsExactly(name);
          assertThat(seen.addAll(keys)).isTrue();
        }
        for (String name : List.of("d", "e", "f")) {
          insert.setString(1, name);
          insert.addBatch();
        }
        insert.executeBatch();
        assertThat(names(connection, keys(insert))).containsExactly("d", "e", "f");
      }
    }
  }

  /** Of rows that are there already keys are made, and lost: nobody is told one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(1, 1), (2, 2)",
        "(1, 1), (2, 1), (2, 2), (3, 3)",
        "(1, 1), (1, 2)",
        "(1, 1), (1, 1), (1, 2), (5, 1)",
        "(1, 2), (1, 3)"
      })
  void isThatOfTheFirstRowThatWasNotThere(String rows, @TempDir Path directory)
      throws SQLException, IOException {
    Path file = directory.resolve("rows.csv");
    Files.writeString(file, rows.replaceAll("\\),? ?", "\n").replace("(", ""));
    String query =
        rows.replaceAll("\\((\\d), (\\d)\\)", "SELECT $1 AS a, $2 AS b")
            .replace(", SELECT", " UNION ALL SELECT");
    String fresh =
        rows.replaceAll("\\((1, 1|2, 1)\\),? ?", "").replaceFirst("\\).*", "").substring(1);
    String first = "SELECT id = LAST_INSERT_ID() FROM t_seat WHERE (room, seat) = (" + fresh + ")";
    try (Connection proxied = fixture.throughProxy("allowLocalInfile=true")) {
      for (String insert :
          List.of(
              "INSERT IGNORE INTO t_seat (room, seat) VALUES " + rows,
              "INSERT IGNORE INTO t_seat (room, seat) " + query,
              "INSERT IGNORE INTO t_seat (room, seat) SELECT * FROM (" + query + ") AS q",
              "INSERT IGNORE INTO t_seat (id, room, seat) SELECT 0, q.* FROM (" + query + ") AS q",
              "INSERT IGNORE INTO t_seat (room, seat) VALUES "
                  + rows
                  + " ON DUPLICATE KEY UPDATE n = n + 1",
              "INSERT INTO t_seat (room, seat) SELECT * FROM ("
                  + query
                  + ") AS q ON DUPLICATE KEY UPDATE n = n + 1",
              "LOAD DATA LOCAL INFILE '"
                  + file
                  + "' INTO TABLE t_seat FIELDS TERMINATED BY ', ' (room, seat)")) {
        run(proxied, "DELETE FROM t_seat");
        run(proxied, "INSERT INTO t_seat (room, seat) VALUES (1, 1), (2, 1)");
        boolean isQuery = insert.contains("SELECT");
        run(proxied, "SET sql_select_limit = " + (isQuery ? "DEFAULT" : "0"));
        run(proxied, insert);
        run(proxied, "SET sql_select_limit = DEFAULT");
        assertThat(Transcript.of(proxied, first).rows())
            .as(insert)
            .singleElement()
            .asString()
            .contains(" 1|");
      }
      for (String sql :
          List.of(
              "INSERT IGNORE INTO t_seat (room, seat) VALUES (1, 1), (2, 1)",
              "INSERT IGNORE INTO t_seat (room, seat) SELECT 1, 1 UNION ALL SELECT 2, 1",
              "INSERT IGNORE INTO t_seat (id, room, seat) VALUES (99, 9, 9), (NULL, 1, 1)")) {
        run(proxied, sql);
        assertThat(Transcript.of(proxied, first).rows()).singleElement().asString().contains(" 1|");
      }
      run(proxied, "DELETE FROM t_seat");
    }
  }

  private static void run(Connection connection, String sql) {
    assertThat(Transcript.of(connection, sql).head()).as(sql).doesNotStartWith("error");
  }

  /** The MySQL driver counts on from the first key; the MariaDB driver tells the first alone. */
  @ParameterizedTest
  @CsvSource({"MARIADB, 1", "MYSQL, 200"})
  void followOneAnotherInOneStatement(Driver driver, int told) throws SQLException {
    try (Connection connection =
            driver.connect(
                fixture.proxy.port(), fixture.schema, RunningProxy.USER, RunningProxy.PASSWORD);
        Statement statement = connection.createStatement()) {
      var names = new ArrayList<String>();
      for (int i = 0; i < 200; i++) {
        names.add("n" + i);
      }
      String sql = "INSERT INTO t_key (name) VALUES ('" + String.join("'), ('", names) + "')";
      for (int round = 0; round < 5; round++) {
        statement.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS);
        List<Long> keys = keys(statement);
        assertThat(keys).hasSize(told);
        assertThat(names(connection, keys)).containsExactlyElementsOf(names.subList(0, told));
      }
    }
  }

  /** OK tells the last key that rows were given; LAST_INSERT_ID() stays what it was. */
  @Test
  void givenKeysAreNotGenerated() throws SQLException {
    String last = "SELECT LAST_INSERT_ID()";
    for (String before : List.of("SELECT 1", "INSERT INTO t_conf (v) VALUES ('made')")) {
      fixture.same(
          before,
          "INSERT INTO t_auto VALUES (1, 1), (2, 2)",
          last,
          "INSERT INTO t_auto VALUES (10, 1), (11, 1), (13, 1)",
          last,
          "INSERT INTO t_auto VALUES (24, 1), (22, 1), (21, 1), (23, 1)",
          last,
          "REPLACE INTO t_auto VALUES (24, 2), (22, 2), (19, 2)",
          last,
          "INSERT IGNORE INTO t_auto VALUES (24, 2), (31, 2), (32, 3)",
          last,
          "INSERT INTO t_auto VALUES (41, 1), (42, 1) ON DUPLICATE KEY UPDATE n = 9",
          last,
          "INSERT INTO t_auto VALUES (41, 1), (42, 1), (43, 1) ON DUPLICATE KEY UPDATE n = 9",
          last,
          "INSERT INTO t_auto SELECT id + 100, n FROM t_auto WHERE id IN (1, 2, 41) ORDER BY id",
          last,
          "INSERT INTO t_auto SELECT id, n FROM t_auto WHERE id < 3 ON DUPLICATE KEY UPDATE n = 0",
          last,
          "INSERT INTO t_conf SELECT id + 200, n FROM t_auto WHERE id < 11 ORDER BY id",
          last,
          "INSERT INTO t_conf (v) SELECT n FROM t_auto WHERE id < 11 ORDER BY id",
          "INSERT INTO t_conf VALUES ((SELECT MAX(id) FROM t_auto) + 1000, 1)",
          last,
          "DELETE FROM t_auto",
          "TRUNCATE t_conf");
    }
  }

  /** Whatever is stored as 0 asks for a key, whoever computes it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "'0'",
        "' 0'",
        "'0.0'",
        "0.2",
        "-0.4",
        "'0.4'",
        "b'0'",
        "0x0",
        "FALSE",
        "0e0",
        "1e-3",
        "-0",
        "'-0'",
        "NULL",
        "DEFAULT",
        "ABS(0)",
        "NULLIF(1, 1)",
        "(SELECT 0)",
        "@nobody"
      })
  void zerosAskForKeys(String zero) throws SQLException {
    String rows = " INTO t_seat (room, seat, id) VALUES (1, 1, %1$s), (2, 2, %1$s)".formatted(zero);
    for (String verb : List.of("INSERT", "REPLACE", "INSERT IGNORE")) {
      try (Connection proxied = fixture.throughProxy();
          Connection direct = fixture.onPlain()) {
        for (Connection connection : List.of(proxied, direct)) {
          assertThat(Transcript.of(connection, verb + rows).head()).startsWith("affected 2");
        }
      }
      fixture.same(
          "SELECT MIN(id) > 0, COUNT(DISTINCT id), COUNT(*) FROM t_seat", "DELETE FROM t_seat");
    }
  }

  /** Nobody knows without a database what these are. */
  @ParameterizedTest
  @ValueSource(strings = {"-'0'", "-0x0", "'0' + 0", "0x0 + 0", "-b'0'", "'0' * 1", "0.5e0"})
  void refusesWhatMayBeZero(String value) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      String sql = "INSERT INTO t_seat (room, seat, id) VALUES (1, 1, " + value + ")";
      assertThat(Transcript.of(proxied, sql).isRefusal()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5e0", "CURRENT_DATE + 0", "'5'", "-1", "'-1'", "0.6", "b'1'"})
  void takesWhatIsNotZero(String value) throws SQLException {
    fixture.same(
        "INSERT INTO t_seat (room, seat, id) VALUES (1, 1, " + value + ")",
        "SELECT * FROM t_seat",
        "DELETE FROM t_seat");
  }

  /** The key of the row, be it new or there. */
  @ParameterizedTest
  @CsvSource({"MARIADB, false", "MARIADB, true", "MYSQL, false", "MYSQL, true"})
  void areThoseOfRowsThatAreThere(Driver driver, boolean prepared) throws SQLException {
    String last = "SELECT LAST_INSERT_ID()";
    String id = "SELECT id FROM t_seat WHERE room = 5 AND seat = 6";
    try (Connection connection = connect(driver, prepared)) {
      for (String update :
          List.of("id = LAST_INSERT_ID(id)", "n = n + 1, id = LAST_INSERT_ID(id)")) {
        String sql =
            "INSERT INTO t_seat (room, seat) VALUES (5, ?) ON DUPLICATE KEY UPDATE " + update;
        try (PreparedStatement insert =
            connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
          for (int round = 0; round < 3; round++) {
            insert.setInt(1, 6);
            insert.executeUpdate();
            String found = number(connection, id);
            assertThat(keys(insert)).first().asString().isEqualTo(found);
            assertThat(number(connection, last)).isEqualTo(found);
          }
        }
        Transcript.of(connection, "DELETE FROM t_seat");
      }
    }
  }

  private static String number(Connection connection, String sql) throws SQLException {
    return Transcript.of(connection, sql).rows().getFirst().replaceAll("[^0-9]", "");
  }

  @Test
  void givenKeysOfRowsThatAreThere() throws SQLException {
    String last = "SELECT LAST_INSERT_ID()";
    fixture.same(
        "INSERT INTO t_auto VALUES (1, 1), (2, 2)",
        "INSERT INTO t_auto VALUES (1, 5) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)",
        last,
        "INSERT INTO t_auto VALUES (2, 6) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(VALUES(id)), n = VALUES(n)",
        last,
        "INSERT INTO t_auto VALUES (1, 6) ON DUPLICATE KEY UPDATE id = VALUES(id), n = 7",
        last,
        "INSERT INTO t_auto VALUES (3, 6) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)",
        last,
        "INSERT INTO t_auto VALUES (ABS(-2), 6) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), n = 8",
        last,
        "INSERT INTO t_auto VALUES (81, LAST_INSERT_ID()), (82, LAST_INSERT_ID())",
        last,
        "INSERT INTO t_auto SELECT id, 9 FROM t_conf RIGHT JOIN t_auto ON k = 0 ON DUPLICATE KEY UPDATE id = VALUES(id)",
        "SELECT * FROM t_auto ORDER BY id",
        "DELETE FROM t_auto");
  }

  /** The connections of all nodes have made that key for another session. */
  @Test
  void givenKeysOfBroadcastTablesAreNotGenerated() throws SQLException {
    fixture.same("ALTER TABLE t_dict MODIFY code INT NOT NULL AUTO_INCREMENT");
    try (Connection one = fixture.throughProxy();
        Connection other = fixture.throughProxy()) {
      for (int i = 0; i < 4; i++) {
        Transcript.of(one, "INSERT INTO t_dict (name) VALUES ('made')");
        String made = number(one, "SELECT LAST_INSERT_ID()");
        assertThat(made).isNotEqualTo("0");
        Transcript.of(other, "REPLACE INTO t_dict (code, name) VALUES (" + made + ", 'given')");
        assertThat(number(other, "SELECT LAST_INSERT_ID()")).isEqualTo("0");
      }
      Transcript.of(one, "DELETE FROM t_dict");
    } finally {
      fixture.same("ALTER TABLE t_dict MODIFY code INT NOT NULL");
    }
  }

  /** In this mode, which dumps set, 0 is a number like others. */
  @Test
  void zeroIsAKeyWhereTheModeSaysSo() throws SQLException {
    String last = "SELECT LAST_INSERT_ID()";
    fixture.same(
        "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
        "INSERT INTO t_auto VALUES (0, 1), (5, 1)",
        last,
        "INSERT INTO t_auto (n, id) VALUES (1, 0)",
        "REPLACE INTO t_auto SET id = 0, n = 2",
        "SELECT * FROM t_auto ORDER BY id",
        "DELETE FROM t_auto WHERE id = 0",
        "INSERT INTO t_auto (id, n) SELECT id - 5, n FROM t_auto",
        "SELECT * FROM t_auto ORDER BY id",
        "DELETE FROM t_auto",
        "SET sql_mode = DEFAULT");
    String alter = "ALTER TABLE t_key MODIFY id BIGINT NOT NULL";
    String zero = "SELECT name FROM t_key WHERE id = 0";
    try (Connection proxied = fixture.throughProxy("useServerPrepStmts=true")) {
      assertThat(Transcript.of(proxied, alter + " AUTO_INCREMENT").isError()).isFalse();
      Transcript.of(proxied, "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
      String sql = "REPLACE INTO t_key (id, name) VALUES (?, 'given'), (0, 'zero'), (NULL, 'made')";
      try (PreparedStatement insert = proxied.prepareStatement(sql)) {
        insert.setInt(1, 7);
        insert.executeUpdate();
        assertThat(Transcript.of(proxied, zero).rows()).containsExactly("'zero'|");
        insert.setInt(1, 0);
        insert.executeUpdate();
      }
      assertThat(Transcript.of(proxied, zero).rows()).containsExactly("'zero'|");
      Transcript.of(proxied, "SET sql_mode = DEFAULT");
      Transcript.of(proxied, "REPLACE INTO t_key (id, name) VALUES (0, 'made')");
      assertThat(Transcript.of(proxied, zero).rows()).containsExactly("'zero'|");
      Transcript.of(proxied, "DELETE FROM t_key");
      assertThat(Transcript.of(proxied, alter).isError()).isFalse();
    }
  }

  private static Connection connect(Driver driver, boolean prepared) throws SQLException {
    String[] options = prepared ? driver.serverPrepare() : new String[0];
    return driver.connect(
        fixture.proxy.port(), fixture.schema, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  private static List<Long> keys(Statement statement) throws SQLException {
    var keys = new ArrayList<Long>();
    try (ResultSet rows = statement.getGeneratedKeys()) {
      while (rows.next()) {
        keys.add(rows.getLong(1));
      }
    }
    return keys;
  }

  private static List<String> names(Connection connection, List<Long> keys) throws SQLException {
    var names = new ArrayList<String>();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT name FROM t_key WHERE id = ?")) {
      for (long key : keys) {
        select.setLong(1, key);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            names.add(rows.getString(1));
          }
        }
      }
    }
    return names;
  }
}
