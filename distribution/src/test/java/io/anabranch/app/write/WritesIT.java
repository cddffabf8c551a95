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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that write answer as on one plain database, and leave the same rows. */
@ExtendWith(MariaDbServers.Resolver.class)
class WritesIT {

  private static final String SCHEMA = "it_writes";

  private static WritesFixture fixture;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, SCHEMA);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    plain = fixture.onPlain();
    proxied = fixture.throughProxy();
    fixture.rows().forEach(this::both);
  }

  @AfterEach
  void disconnect() throws SQLException {
    WritesFixture.EMPTYING.forEach(this::both);
    plain.close();
    proxied.close();
  }

  private void both(String sql, Object... parameters) {
    Transcript expected = Transcript.of(plain, sql, parameters);
    assertThat(expected.isError()).as("%s: %s", sql, expected.head()).isFalse();
    assertThat(Transcript.of(proxied, sql, parameters).withSortedWarnings())
        .as(sql)
        .isEqualTo(expected.withSortedWarnings());
  }

  private void sameRows() {
    WritesFixture.CONTENTS.forEach(this::both);
  }

  static Stream<String> insertsOfQueries() {
    return Stream.of(
        "INSERT INTO t_order SELECT order_id + 100, user_id, status, total, weight, placed, note FROM t_order",
        "INSERT INTO t_order (order_id, user_id, total) SELECT id, 3, ratio FROM t_log WHERE id > 20 ON DUPLICATE KEY UPDATE note = 'twice', total = VALUES(total)",
        "INSERT IGNORE INTO t_order (order_id, user_id, note) SELECT order_id, user_id, 'again' FROM t_order WHERE order_id < 12",
        "REPLACE INTO t_order (order_id, user_id, note) SELECT order_id, user_id, CONCAT(note, '\u00e9') FROM t_order WHERE order_id < 12",
        "INSERT INTO t_log SELECT id + 50, level, line, data, flags, day, doc, ratio, taken FROM t_log",
        "INSERT INTO t_log (id, line) SELECT user_id + 1000, GROUP_CONCAT(order_id ORDER BY order_id) FROM t_order WHERE user_id = 2 AND order_id = 2 GROUP BY user_id",
        "INSERT INTO t_log (id, ratio) SELECT 1000 + user_id, SUM(total) FROM t_order GROUP BY user_id",
        "INSERT INTO t_conf (v) SELECT note FROM t_order ORDER BY order_id LIMIT 7",
        "INSERT INTO t_conf (v) SELECT v FROM t_conf",
        "INSERT INTO t_far SELECT k + 10, v FROM t_conf",
        "INSERT INTO t_far SELECT order_id + 10, status FROM t_order WHERE user_id = 1",
        "INSERT INTO t_dict (code, name) SELECT order_id + 10, status FROM t_order",
        "INSERT INTO t_order (order_id, user_id) SELECT code + 200, code FROM t_dict",
        "INSERT INTO t_order (order_id, user_id) SELECT 300, 4",
        "INSERT INTO t_order (order_id, user_id, note) SELECT 300, 4, 'x' FROM t_order WHERE order_id > 1000",
        "INSERT INTO t_order (order_id, user_id) (SELECT 301, 1) UNION ALL (SELECT 302, 2)",
        "INSERT INTO t_order (order_id, user_id, total, note) VALUES (300, 4, (SELECT MAX(total) FROM t_order o), 'x')",
        "INSERT INTO t_order (order_id, user_id, note) VALUES (300, -4, (SELECT MAX(v) FROM t_conf WHERE k < 9))",
        "INSERT INTO t_order (order_id, user_id, total, note) VALUES (300, 4, NULL, (SELECT v FROM t_conf WHERE k = 1)), (301, 3, (SELECT CAST(SUM(order_id) AS DECIMAL(10,2)) FROM t_item), 'text'), (302, 1, 1.5, (SELECT name FROM t_dict WHERE code = 2))",
        "INSERT IGNORE INTO t_order (order_id, user_id, note) VALUES (300, 4, (SELECT v FROM t_far WHERE k = 1)), (5, 0, 'there'), (300, (SELECT 4), 'twice')",
        "REPLACE INTO t_order (order_id, user_id, note) VALUES (1, 1, CONCAT((SELECT v FROM t_far WHERE k = 1), (SELECT MAX(v) FROM t_conf)))",
        "INSERT INTO t_order (order_id, user_id) VALUES (1, (SELECT MIN(user_id) FROM t_item WHERE order_id = 1)) ON DUPLICATE KEY UPDATE note = 'twice'",
        "INSERT INTO t_log (id, data, day, doc, ratio, taken) VALUES (900, (SELECT data FROM t_log l WHERE id = 3), (SELECT day FROM t_log l WHERE id = 3), (SELECT doc FROM t_log l WHERE id = 3), (SELECT ratio FROM t_log l WHERE id = 3), (SELECT taken FROM t_log l WHERE id = 3))",
        "INSERT INTO t_log (id, ratio) VALUES (901, (SELECT SUM(total) FROM t_order)), (902, COALESCE((SELECT COUNT(*) FROM t_order WHERE user_id = 1), 0) * 7)",
        "INSERT INTO t_dict (code, name) VALUES (40, (SELECT MAX(note) FROM t_order)), (41, 'plain')",
        "INSERT INTO t_conf (v) VALUES ((SELECT COUNT(*) FROM t_order)), ('plain')",
        "INSERT INTO t_far (k, v) VALUES (77, (SELECT v FROM t_conf WHERE k = 2))",
        "INSERT INTO t_conf (v) VALUES ((SELECT COUNT(*) FROM t_dict)), (DEFAULT)",
        rows(
            "INSERT INTO t_order (order_id, user_id) VALUES ROW(300, 4) UNION ALL VALUES ROW(301, 3)"),
        rows(
            "REPLACE INTO t_order (order_id, user_id) VALUES ROW(1, 1), ROW(301, 3) UNION VALUES ROW(302, 2), ROW(1, 1)"),
        rows("INSERT INTO t_dict (code, name) VALUES ROW(40, 'a') UNION ALL VALUES ROW(41, 'b')"),
        rows("INSERT INTO t_far VALUES ROW(40, 'a') UNION ALL VALUES ROW(41, 'b')"));
  }

  /** MariaDB has no word in front of the rows of a table of values. */
  private static String rows(String sql) {
    return DatabaseServers.areMySql() ? sql : sql.replace("ROW(", "(");
  }

  @Tag("quick")
  @ParameterizedTest
  @MethodSource("insertsOfQueries")
  void insertsTheRowsOfQueries(String sql) {
    both(sql);
    sameRows();
  }

  @ParameterizedTest
  @MethodSource("insertsOfQueries")
  void preparedInsertsOfQueriesDoTheSame(String sql) throws SQLException {
    try (Connection plainBinary = fixture.onPlain("useServerPrepStmts=true");
        Connection proxiedBinary = fixture.throughProxy("useServerPrepStmts=true")) {
      String prepared =
          sql.contains(" WHERE ") ? sql.replaceFirst(" WHERE ", " WHERE ? = 1 AND ") : sql;
      Object[] one = sql.equals(prepared) ? new Object[0] : new Object[] {1};
      Transcript expected = Transcript.of(plainBinary, prepared, one);
      assertThat(Transcript.of(proxiedBinary, prepared, one).withSortedWarnings())
          .as(prepared)
          .isEqualTo(expected.withSortedWarnings());
    }
    sameRows();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t_order (order_id, user_id) SELECT order_id, user_id FROM t_order",
        "INSERT INTO t_order (order_id, user_id, status) SELECT order_id + 100, user_id, IF(order_id = 20, NULL, 'x') FROM t_order",
        "INSERT INTO t_order (order_id, user_id) SELECT 1, 2, 3",
        "INSERT INTO t_log (id, line) SELECT order_id + 100, REPEAT('long', 40) FROM t_order",
        "INSERT INTO t_order (order_id, user_id, note) VALUES (300, 4, (SELECT v FROM t_conf))",
        "INSERT INTO t_order (order_id, user_id) VALUES (300, 4, (SELECT v FROM t_conf))",
        "INSERT INTO t_log (id, line) VALUES (300, 'a'), (301, (SELECT REPEAT('long', 40)))",
      })
  void leavesNothingBehindWhenAQueryCannotBeInserted(String sql) throws SQLException {
    Transcript expected = Transcript.of(plain, sql).withoutMessage();
    assertThat(expected.isError()).isTrue();
    assertThat(Transcript.of(proxied, sql).withoutMessage()).as(sql).isEqualTo(expected);
    sameRows();
    plain.setAutoCommit(false);
    proxied.setAutoCommit(false);
    both("UPDATE t_order SET note = 'kept' WHERE order_id < 5");
    assertThat(Transcript.of(plain, sql).withoutMessage()).isEqualTo(expected);
    assertThat(Transcript.of(proxied, sql).withoutMessage()).as(sql).isEqualTo(expected);
    sameRows();
    plain.setAutoCommit(true);
    proxied.setAutoCommit(true);
    sameRows();
  }

  static Stream<String> changes() {
    return Stream.of(
        "UPDATE t_order SET note = 'u' WHERE status = 'paid' ORDER BY total DESC, order_id LIMIT 4",
        "UPDATE t_order o SET o.note = CONCAT(o.note, 'u'), total = total * 2 WHERE o.user_id > 1 ORDER BY o.order_id LIMIT 3",
        "UPDATE t_order SET note = 'same' WHERE order_id < 9 ORDER BY order_id LIMIT 100",
        "DELETE FROM t_order WHERE order_id > 3 ORDER BY weight, order_id LIMIT 5",
        "DELETE FROM t_order WHERE user_id = 2 ORDER BY note DESC LIMIT 1",
        "DELETE FROM t_log WHERE id < 20 ORDER BY line DESC LIMIT 2",
        "DELETE FROM t_log ORDER BY id LIMIT 0",
        "UPDATE t_order SET total = total + 1 ORDER BY order_id",
        "UPDATE t_order o JOIN t_item i ON o.order_id = i.order_id AND o.user_id = i.user_id SET o.note = i.sku, i.quantity = 9 WHERE i.quantity = 2",
        "DELETE o, i FROM t_order o JOIN t_item i ON o.order_id = i.order_id AND o.user_id = i.user_id WHERE o.order_id < 6",
        "DELETE FROM i USING t_order o LEFT JOIN t_item i ON o.order_id = i.order_id AND o.user_id = i.user_id WHERE o.status = 'paid'",
        "DELETE FROM t_item USING t_item JOIN t_dict d ON d.code = t_item.quantity WHERE d.name = 'two'",
        "UPDATE t_dict JOIN t_order ON code = order_id SET name = CONCAT(note, '!') WHERE code > 1",
        "UPDATE t_dict d JOIN t_order o ON d.code = o.user_id SET d.name = 'used'",
        "DELETE t_dict.* FROM t_dict JOIN t_order ON code = order_id WHERE t_order.order_id = 2",
        "UPDATE t_order SET total = 1.005, status = 'é' WHERE order_id < 7",
        "INSERT INTO t_order (order_id, user_id, total) VALUES (101, 1, 1), (102, 2, 2.345), (103, 4, 3), (104, 1, 4.567)",
        "INSERT IGNORE INTO t_order (order_id, user_id, total) VALUES (101, 1, 1), (1, 1, 2), (103, 4, 3), (104, 1, 4)",
        "REPLACE INTO t_order (order_id, user_id, total) VALUES (1, 1, 1), (2, 2, 2), (103, 4, 3)",
        "INSERT INTO t_order (order_id, user_id, total) VALUES (1, 1, 1), (2, 2, 2), (103, 4, 3) ON DUPLICATE KEY UPDATE note = 'dup'",
        "DELETE FROM t_order WHERE (SELECT COUNT(*) FROM t_item WHERE t_item.order_id = t_order.order_id AND quantity > 1) > 0",
        "UPDATE t_order SET note = 'far' WHERE order_id IN (SELECT k FROM t_far)",
        "UPDATE t_order o JOIN t_far f ON o.order_id = f.k SET o.note = f.v",
        "UPDATE t_far f JOIN t_order o ON o.order_id = f.k SET f.v = o.note",
        "UPDATE t_order o JOIN t_conf c ON o.order_id = c.k JOIN t_far f ON f.k = c.k SET o.note = CONCAT(c.v, f.v)",
        "UPDATE t_far f JOIN t_conf c ON f.k = c.k JOIN t_order o ON o.order_id = c.k SET f.v = o.status",
        "INSERT INTO t_log (id, line) SELECT o.order_id + 3000, f.v FROM t_order o, t_conf c, t_far f WHERE o.order_id = c.k AND f.k = c.k AND o.user_id = 1",
        "DELETE i FROM t_item i JOIN t_conf c ON i.order_id = c.k JOIN t_far f ON f.k = c.k WHERE f.k = 2",
        "UPDATE t_order o JOIN t_log l ON l.id = o.order_id SET o.note = l.line, l.ratio = o.total, l.day = NULL WHERE o.order_id < 9",
        "UPDATE t_far f JOIN t_order o ON o.order_id = f.k SET f.v = 'seen', o.note = CONCAT(o.note, 'far')",
        "UPDATE t_order o LEFT JOIN t_log l ON l.id = o.order_id + 20 SET o.note = 'l', l.level = 'warn' WHERE o.user_id = 1",
        "UPDATE t_conf c, t_far f SET c.v = CONCAT(c.v, 'c'), f.v = CONCAT(f.v, 'f') WHERE c.k = f.k",
        "UPDATE t_order o JOIN t_item i ON i.quantity = o.user_id SET o.note = 'q', i.sku = 'q' WHERE o.user_id = 2",
        "UPDATE t_conf SET v = (SELECT MAX(note) FROM t_order) WHERE k IN (SELECT quantity FROM t_item)",
        "DELETE f, c FROM t_far f JOIN t_conf c ON f.k = c.k WHERE f.k = 1",
        "DELETE FROM t_dict WHERE code IN (SELECT order_id FROM t_order WHERE user_id = 2)",
        "UPDATE t_dict SET name = UPPER(name)",
        "UPDATE t_order SET user_id = 7 WHERE order_id = 3",
        "UPDATE t_order SET user_id = user_id + 1 WHERE user_id IN (1, 2)",
        "UPDATE t_order SET order_id = order_id + 100, note = CONCAT('moved ', note) WHERE user_id = 2",
        "UPDATE t_order SET user_id = user_id",
        "UPDATE t_order SET user_id = 3, order_id = 3, note = 'x' WHERE order_id = 3 AND user_id = 3",
        "UPDATE t_log SET id = id + 1000 WHERE id > 20",
        "UPDATE t_log SET id = 500, line = 'é' WHERE id = 5",
        "UPDATE t_log SET id = 500 WHERE id = 12345",
        "UPDATE t_order SET note = (SELECT MAX(name) FROM t_dict) WHERE order_id > 20",
        "DO (SELECT COUNT(*) FROM t_order WHERE user_id < 3)",
        "DO (SELECT MAX(total) FROM t_order o JOIN t_item i ON o.total = i.quantity), 1 + 1",
        "DELETE FROM t_order WHERE order_id IN (SELECT code FROM t_dict)");
  }

  @Tag("quick")
  @ParameterizedTest
  @MethodSource("changes")
  void changesTheSameRows(String sql) {
    both(sql);
    sameRows();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void preparedChangesDoTheSame(String sql) throws SQLException {
    try (Connection plainBinary = fixture.onPlain("useServerPrepStmts=true");
        Connection proxiedBinary = fixture.throughProxy("useServerPrepStmts=true")) {
      String prepared =
          sql.contains(" WHERE ") ? sql.replaceFirst(" WHERE ", " WHERE ? = 1 AND ") : sql;
      Object[] one = sql.equals(prepared) ? new Object[0] : new Object[] {1};
      Transcript expected = Transcript.of(plainBinary, prepared, one);
      assertThat(Transcript.of(proxiedBinary, prepared, one).withSortedWarnings())
          .as(prepared)
          .isEqualTo(expected.withSortedWarnings());
    }
    sameRows();
  }

  /** What is deleted may be named with its database, whatever that is called on a data source. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE @.t_order FROM t_order JOIN t_item USING (order_id) WHERE t_order.order_id < 6",
        "DELETE @.t_order.*, t_item.* FROM @.t_order JOIN @.t_item USING (order_id) WHERE t_order.order_id < 6",
        "DELETE FROM @.t_order, t_item USING t_order JOIN t_item USING (order_id) WHERE t_item.quantity = 2",
        "DELETE @.t_order FROM t_order WHERE order_id = 2",
        "DELETE @.t_conf FROM @.t_conf JOIN t_order ON k = order_id",
        "DELETE @.t_far FROM t_far WHERE k = 2",
        "DELETE @.t_log FROM t_dict JOIN @.t_log ON id = code"
      })
  void whatIsDeletedIsNamedWithItsDatabase(String sql) throws SQLException {
    String name;
    try (ResultSet current = plain.createStatement().executeQuery("SELECT DATABASE()")) {
      current.next();
      name = current.getString(1);
    }
    Transcript expected = Transcript.of(plain, sql.replace("@", name));
    assertThat(expected.isError()).as(expected.head()).isFalse();
    assertThat(Transcript.of(proxied, sql.replace("@", SCHEMA)).head())
        .as(sql)
        .isEqualTo(expected.head());
    sameRows();
  }

  @Tag("quick")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t_order o JOIN t_log l ON l.id = o.order_id SET o.note = 'x', l.line = o.note",
        "UPDATE t_order o JOIN t_log l ON l.id = o.order_id SET o.note = line, line = 'x'",
        "UPDATE t_order o JOIN t_order p ON p.order_id = o.order_id + 1 SET o.note = 'x', p.status = 'y'",
      })
  void valuesThatDependOnTheOrderOfChangesAreRefused(String sql) {
    assertThat(Transcript.of(proxied, sql).head()).as(sql).contains("set those of one table");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t_log SET id = 6 WHERE id = 5",
        "UPDATE t_order SET order_id = 1, user_id = 1 WHERE order_id > 20",
        "UPDATE t_order SET status = NULL WHERE order_id > 5",
        "UPDATE t_log SET line = REPEAT('long', 40) WHERE id > 3 ORDER BY id LIMIT 4",
        "UPDATE t_order SET nothing = 1",
        "DO (SELECT nothing FROM t_order)",
        "DELETE t_nowhere FROM t_order JOIN t_item ON t_order.order_id = t_item.order_id AND t_order.user_id = t_item.user_id",
      })
  void leavesNothingBehindWhenAChangeFails(String sql) {
    Transcript expected = Transcript.of(plain, sql).withoutMessage();
    assertThat(expected.isError()).isTrue();
    assertThat(Transcript.of(proxied, sql).withoutMessage()).as(sql).isEqualTo(expected);
    sameRows();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INTO TABLE t_order CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' IGNORE 1 LINES (order_id, user_id, status, @skip, note)",
        "REPLACE INTO TABLE t_order CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' LINES TERMINATED BY '\\n' IGNORE 1 LINES (order_id, user_id, status, total, note)",
        "INTO TABLE t_dict CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 1 LINES (code, @a, name, @b, @c)",
        "INTO TABLE t_far CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 2 LINES (k, @a, v, @b, @c)",
        "INTO TABLE t_order CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 1 ROWS (order_id, user_id, @state, @total, @Note) SET status = CONCAT('<', @state, '>'), note = IFNULL(@note, 'none'), total = order_id * 2 + @total, placed = '2024-05-06'",
        "REPLACE INTO TABLE t_order CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 1 LINES (order_id, user_id, @a, @b, note) SET total = @b DIV 1",
        "INTO TABLE t_order CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 1 LINES (order_id, user_id, status, @a, @b, @c, @c) SET note = CONCAT_WS('/', @a, @b, @c)",
        "INTO TABLE t_order CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 1 LINES (order_id, user_id, status)",
        "INTO TABLE t_conf CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 1 LINES (v, @a)",
        "INTO TABLE t_far CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 6 LINES (@a, k, v)",
        "INTO TABLE t_far CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 9 LINES (k, v)",
        "INTO TABLE t_conf CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' IGNORE 3 LINES (@a, @b, @c, @d, @e) SET v = CONCAT(@a, '-', @c)",
      })
  void loadsFiles(String into, @TempDir Path directory) throws IOException {
    Path file = directory.resolve("rows.csv");
    Files.writeString(
        file,
        """
        order,user,status,total,note
        1,1,"there already",1.5,"no"
        101,1,fresh,2.5,"with ""quotes"", and a comma"
        102,2,"ok",3.5,"tab\\tand é"
        103,3,"last",4.25,\\N
        104,4,"two
        lines",5,x
        """);
    both("LOAD DATA LOCAL INFILE '" + file + "' " + into);
    sameRows();
  }

  /** Fields that a line does not have are the zeros of their types, whatever the defaults. */
  @ParameterizedTest
  @ValueSource(strings = {"t_auto", "t_numbered", "t_short"})
  void loadsLinesThatEndTooEarly(String table, @TempDir Path directory) throws IOException {
    String[] fields = {
      "1",
      "2",
      "3",
      "4",
      "y",
      "u",
      "2021-02-03",
      "p",
      "2.5",
      "3.5",
      "1",
      "2002",
      "11:00:00",
      "2021-02-03 04:05:06",
      "cd",
      "b",
      "2021-02-03 04:05:06",
      "2021-02-03 04:05:06"
    };
    var lines = new StringBuilder();
    for (int count = 1; count <= fields.length; count++) {
      fields[0] = Integer.toString(count);
      lines.append(String.join(",", Arrays.asList(fields).subList(0, count))).append('\n');
    }
    Path file = directory.resolve("short.csv");
    Files.writeString(file, lines);
    for (Connection each : List.of(plain, proxied)) {
      for (String sql :
          List.of(
              "CREATE TABLE "
                  + table
                  + " (id INT NOT NULL PRIMARY KEY, i INT DEFAULT 7, n INT, r INT NOT NULL,"
                  + " s VARCHAR(10) DEFAULT 'x', t TEXT, d DATE DEFAULT '2020-01-01',"
                  + " e ENUM('p','q') NOT NULL DEFAULT 'q', f DOUBLE DEFAULT 1.5,"
                  + " m DECIMAL(5,2) NOT NULL, b BIT(3) NOT NULL DEFAULT b'1',"
                  + " y YEAR DEFAULT 2001, h TIME DEFAULT '10:00:00',"
                  + " o DATETIME DEFAULT '2020-01-01', v VARBINARY(5) DEFAULT 'ab',"
                  + " k SET('a','b') DEFAULT 'a', p TIMESTAMP NULL DEFAULT '2020-01-01 00:00:00',"
                  + " q TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00')",
              "SET timestamp = 1700000000",
              "LOAD DATA LOCAL INFILE '"
                  + file
                  + "' INTO TABLE "
                  + table
                  + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','",
              "SET timestamp = DEFAULT")) {
        assertThat(Transcript.of(each, sql).head()).as(sql).doesNotStartWith("error");
      }
    }
    both("SELECT * FROM " + table + " ORDER BY id");
    both("SELECT id, e + 0, k + 0, HEX(v) FROM " + table + " ORDER BY id");
    for (Connection each : List.of(plain, proxied)) {
      assertThat(Transcript.of(each, "DROP TABLE " + table).isError()).isFalse();
    }
  }

  /** Of each line where a server does, and as often. */
  @ParameterizedTest
  @ValueSource(strings = {"t_dict (code, name, touched)", "t_far (k, v)"})
  void warnsOfLinesInTheirOrder(String columns, @TempDir Path directory) throws IOException {
    Path file = directory.resolve("doubts.csv");
    Files.writeString(file, "50,1\n51\n52y,2,2024-01-01\n53\n54z,4,2024-01-01,5,6\n55\n");
    String load =
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE %s CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','"
                .replace("%s' INTO TABLE %s", file + "' INTO TABLE " + columns.split(" ", 2)[0])
            + " "
            + columns.split(" ", 2)[1];
    assertThat(Transcript.of(proxied, load)).isEqualTo(Transcript.of(plain, load));
    sameRows();
  }

  @Test
  void loadsNothingOfAFileThatCannotBePlaced(@TempDir Path directory)
      throws IOException, SQLException {
    Path file = directory.resolve("rows.csv");
    Files.writeString(file, "101\t1\n102\tnobody\n");
    Transcript answer =
        Transcript.of(
            proxied,
            "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE t_order (order_id, user_id)");
    assertThat(answer.head()).startsWith("error 1235").contains("user_id");
    sameRows();
  }

  @Tag("quick")
  @Test
  void fillsKeysOfEveryForm() throws SQLException {
    try (Connection prepared = fixture.throughProxy("useServerPrepStmts=true")) {
      for (String sql :
          new String[] {
            "INSERT INTO t_key (name) VALUES ('a')",
            "INSERT INTO t_key (id, name) VALUES (NULL, 'b'), (DEFAULT, 'c'), (7, 'd')",
            "INSERT INTO t_key SET name = 'e'",
            "INSERT INTO t_key (name) SELECT name FROM t_dict",
            "INSERT INTO t_word (name) VALUES ('a'), ('b')",
            "INSERT INTO t_word (id, name) VALUES (NULL, 'c'), ('own', 'd')",
          }) {
        assertThat(Transcript.of(proxied, sql).isError()).as(sql).isFalse();
      }
      String both = "INSERT INTO t_key (id, name) VALUES (?, ?), (?, ?)";
      assertThat(Transcript.of(prepared, both, null, "f", 8L, "g").isError()).isFalse();
      assertThat(Transcript.of(prepared, both, 9L, "h", null, "i").isError()).isFalse();
      Transcript last = Transcript.of(proxied, "SELECT LAST_INSERT_ID() > 0");
      assertThat(last.rows().toString()).contains("1");
      assertThat(
              Transcript.of(proxied, "SELECT COUNT(*), COUNT(DISTINCT id), SUM(id < 10) FROM t_key")
                  .rows())
          .containsExactly("Long 12|Long 12|BigDecimal 3|");
      assertThat(
              Transcript.of(proxied, "SELECT COUNT(*), SUM(CHAR_LENGTH(id) = 32) FROM t_word")
                  .rows())
          .containsExactly("Long 4|BigDecimal 3|");
      Transcript.of(proxied, "DELETE FROM t_key");
      Transcript.of(proxied, "DELETE FROM t_word");
    }
  }

  @Test
  void findsMomentsThatTextsHold() {
    String[] moments = {
      "DATE '2024-02-03'", "DATE '20240304'", "TIMESTAMP '2024-05-06 07:08:09.50'"
    };
    String[] stored = {"2024-02-03", "2024-03-04", "2024-05-06 07:08:09.50"};
    for (int i = 0; i < moments.length; i++) {
      String insert = "INSERT INTO t_word VALUES (" + moments[i] + ", 'moment')";
      assertThat(Transcript.of(proxied, insert).isError()).as(insert).isFalse();
      assertThat(
              Transcript.of(proxied, "SELECT name FROM t_word WHERE id = '" + stored[i] + "'")
                  .rows())
          .as(insert)
          .hasSize(1);
    }
    Transcript.of(proxied, "DELETE FROM t_word WHERE name = 'moment'");
  }

  @Test
  void copiesOfABroadcastTableHaveTheSameTime(MariaDbServers servers) throws SQLException {
    for (String sql :
        List.of(
            "INSERT INTO t_dict (code, touched) VALUES (50, NOW()), (51, CURRENT_TIMESTAMP)",
            "INSERT INTO t_dict (code, touched) SELECT k + 60, NOW() FROM t_conf",
            "UPDATE t_dict SET touched = NOW() WHERE code < 3")) {
      assertThat(Transcript.of(proxied, sql).isError()).as(sql).isFalse();
    }
    String copies = "SELECT GROUP_CONCAT(code, ':', touched ORDER BY code) FROM it_writes.t_dict";
    assertThat(servers.primaryA().queryOne(copies)).isEqualTo(servers.primaryB().queryOne(copies));
    for (String sql :
        List.of(
            "DELETE FROM t_dict WHERE code > 9",
            "UPDATE t_dict SET touched = NULL",
            "SET timestamp = DEFAULT")) {
      assertThat(Transcript.of(proxied, sql).isError()).as(sql).isFalse();
    }
  }

  @Tag("quick")
  @Test
  void definesTablesOnAllNodes() throws SQLException {
    for (String sql :
        List.of(
            "DROP TABLE IF EXISTS t_gone, t_other",
            "CREATE TABLE t_copy LIKE t_conf",
            "CREATE TABLE IF NOT EXISTS t_copy LIKE t_conf",
            "CREATE TABLE t_filled AS SELECT k, v FROM t_conf WHERE k = 1",
            "SELECT * FROM t_filled",
            "CREATE INDEX by_note ON t_order (status)",
            "ALTER TABLE t_order ADD COLUMN extra INT DEFAULT 4, ADD KEY by_extra (extra)",
            "SELECT order_id, extra FROM t_order WHERE order_id < 3 ORDER BY order_id",
            "ALTER TABLE t_order DROP COLUMN extra",
            "DROP INDEX by_note ON t_order",
            "RENAME TABLE t_copy TO t_copied",
            "DROP TABLE t_copied, t_filled",
            "CREATE TABLE t_sum AS SELECT status, COUNT(*) AS n FROM t_order GROUP BY status",
            "SELECT * FROM t_sum ORDER BY status",
            "DROP TABLE t_sum",
            "DROP TABLE IF EXISTS t_copied, t_filled",
            "TRUNCATE t_item",
            "SELECT COUNT(*) FROM t_item")) {
      Transcript expected = Transcript.of(plain, sql);
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isFalse();
      if (!sql.startsWith("DROP TABLE IF")) {
        assertThat(answer).as(sql).isEqualTo(expected);
      }
    }
    assertThat(Transcript.of(proxied, "CREATE TABLE t_order (a INT)").head())
        .startsWith("error 1050");
  }
}
