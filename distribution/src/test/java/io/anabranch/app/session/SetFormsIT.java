package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SET in all its forms does what it does on one plain database, for its own session and for no
 * other.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SetFormsIT {

  private static final String PASSED = "it_set_forms_passed";
  private static final String OTHER = "it_set_forms_other";

  private static ShardedFixture sharded;
  private static DatabaseServer plain;
  private static DatabaseServer behind;
  private static RunningProxy passing;

  @BeforeAll
  static void start(DatabaseServers servers) {
    sharded = ShardedFixture.start(servers, "it_set_forms");
    plain = servers.primaryA();
    behind = servers.primaryB();
    for (DatabaseServer server : List.of(plain, behind)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + PASSED,
          "DROP DATABASE IF EXISTS " + OTHER,
          "CREATE DATABASE " + PASSED,
          "CREATE DATABASE " + OTHER,
          "CREATE TABLE " + PASSED + ".t (id INT PRIMARY KEY, name VARCHAR(20))",
          "CREATE TABLE " + OTHER + ".t (id INT PRIMARY KEY, name VARCHAR(20))",
          "INSERT INTO " + PASSED + ".t VALUES (1, 'a')");
    }
    passing = RunningProxy.start(List.of(), RunningProxy.passThrough(PASSED, behind));
  }

  @AfterAll
  static void stop() {
    sharded.close();
    passing.close();
  }

  /** Each is a session. */
  static final List<List<String>> SESSIONS =
      List.of(
          // names of variables, of one token and of several
          List.of(
              "SET @@session.`max_error_count` = 5",
              "SELECT @@max_error_count",
              "SET @@session . max_error_count = 6",
              "SELECT @@max_error_count",
              "SET @@local. `max_error_count` = 7, @@session.`max_sort_length` = 100",
              "SELECT @@max_error_count, @@max_sort_length",
              "SET @a = 1, @@session . sql_mode = 'ANSI_QUOTES'",
              "SELECT \"a\" FROM (SELECT 1 AS a) x",
              "SET @@session . = 1",
              "SET @@session . sql_mode . x = 1",
              "SET @@`max_error_count` = 8",
              "SELECT @@max_error_count"),
          // what is in quotes
          List.of(
              "SET @'a\\nb' = 1, @\"c\\'d\" = 2, @`e\\f` = 3",
              "SELECT @'a\\nb', @`anb`, @\"c'd\", @`e\\f`",
              "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
              "SET @'a\\b' = 4",
              "SELECT @'a\\b', @`a\\b`, @ab",
              "SET sql_mode = 'ANSI_QUOTES'",
              "SET @\"a\\c\" = 5",
              "SELECT @\"a\\c\", @`a\\c`",
              "SELECT @\"a\\\", (SELECT 1) -- \""),
          // values are read as before the statement
          List.of(
              "SET NAMES latin1, @a = '\u4f60', @b = '\u00e9'",
              "SELECT HEX(@a), COLLATION(@a), HEX(@b), @@character_set_client",
              "SET NAMES utf8mb4",
              "SET @a = '\u4f60', NAMES latin1, character_set_results = utf8mb4",
              "SELECT HEX(@a), @@character_set_client, @@character_set_results",
              "SET NAMES utf8mb4, @c = nonsense()",
              "SELECT @@character_set_client",
              "SET NAMES utf8mb4",
              "SET CHARACTER SET latin1, @d = '\u4f60'",
              "SELECT HEX(@d), @@character_set_client"),
          // names beyond ASCII, whatever is spoken
          List.of(
              "SET @\u540d = 1, @a = 2",
              "SET NAMES gbk",
              "SELECT @a",
              "SET NAMES utf8mb4",
              "SELECT @\u540d, @a",
              "SET character_set_client = latin1",
              "SELECT @a",
              "SET character_set_client = utf8mb4",
              "SET @\u540d = 3",
              "SELECT @\u540d, @a, @@character_set_client, @@character_set_connection",
              "SELECT @\u540d := 4",
              "SELECT @\u540d"),
          // DEFAULT is the server's
          List.of(
              "SET NAMES latin1",
              "SET character_set_client = DEFAULT",
              "SELECT @@character_set_client = @@global.character_set_client, HEX('\u00e9')",
              "SET character_set_results = DEFAULT",
              "SELECT @@character_set_results = @@global.character_set_results"),
          // autocommit is no query
          List.of(
              "SET autocommit = 1 + 0",
              "SET autocommit = (SELECT 0)",
              "SELECT @@autocommit",
              "SET autocommit = 1) FROM t WHERE (id = 1",
              "SET autocommit = 1 /*!999999 ( */ ) FROM t WHERE (1 = 1",
              "SET autocommit = CONCAT('o', 'n')",
              "SELECT @@autocommit",
              "SET autocommit = 1.5",
              "SET autocommit = CONCAT('o', 'x')",
              "SET @a = 1) , @b = (2"));

  @ParameterizedTest
  @FieldSource("SESSIONS")
  void isAsOnOneServer(List<String> session) throws SQLException {
    try (Connection proxied =
            Driver.MYSQL.connect(passing.port(), PASSED, RunningProxy.USER, RunningProxy.PASSWORD);
        Connection direct =
            Driver.MYSQL.connect(
                plain.port(), PASSED, MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      for (String sql : session) {
        Transcript expected = Transcript.of(direct, sql);
        assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(expected);
      }
    }
  }

  /** What each leaves, if anything, is its session's alone. */
  static final List<String> LEAVING =
      List.of(
          "SET @@session.`sql_mode` = 'ANSI_QUOTES'",
          "SET @@session . autocommit = 0",
          "SET @@session.`autocommit` = 0",
          "SET @@local. `character_set_client` = 'latin1'",
          "SET ROLE NONE, sql_mode = 'ANSI_QUOTES'",
          "SET PASSWORD FOR nobody@nowhere = PASSWORD('x'), sql_mode = 'ANSI_QUOTES'",
          "SET GLOBAL max_error_count = DEFAULT, @@sql_mode = 'ANSI_QUOTES'",
          "SET GLOBAL max_error_count = DEFAULT, @@autocommit = 0",
          "SET sql_mode = 'MSSQL'",
          "SET sql_mode = 'ANSI,MSSQL'",
          "SET NAMES dec8",
          "SET character_set_client = dec8",
          "SET character_set_client = swe7, @a = 1",
          "SET autocommit = 1) INTO @leaves FROM t WHERE (1",
          "SET STATEMENT max_statement_time = 10 FOR SET autocommit = 0",
          "SET STATEMENT max_statement_time = 10 FOR SET sql_mode = 'ANSI_QUOTES'",
          "SET STATEMENT max_statement_time = 10 FOR SET NAMES latin1",
          "SET STATEMENT max_statement_time = 10 FOR USE " + OTHER,
          "SET STATEMENT max_statement_time = 10 FOR LOCK TABLES t WRITE",
          "SET STATEMENT max_statement_time = 10 FOR FLUSH TABLES WITH READ LOCK",
          "SET STATEMENT max_statement_time = 10 FOR PREPARE leaves FROM 'SELECT 1'",
          "SET STATEMENT max_statement_time = 10 FOR SET TRANSACTION READ ONLY",
          "SET STATEMENT max_statement_time = 10 FOR EXECUTE IMMEDIATE 'SET sql_mode=ANSI_QUOTES'",
          "SET STATEMENT max_statement_time = 10 FOR SET @leaves = 1",
          "SET STATEMENT sql_mode = 'MSSQL' FOR SELECT 1",
          "SET @leaves\u540d = 1");

  private static final String STATE =
      "SELECT CONCAT(@@sql_mode), CONCAT(@@character_set_client), @leaves, @leaves\u540d,"
          + " \"it\" = 'it', (SELECT COUNT(*) FROM t WHERE id = 1)";

  @ParameterizedTest
  @FieldSource("LEAVING")
  void leavesNothingToOtherSessions(String sql) throws SQLException {
    try (Connection proxied = connect()) {
      Transcript.of(proxied, sql);
    }
    Transcript expected;
    try (Connection direct =
        Driver.MYSQL.connect(behind.port(), PASSED, MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      expected = Transcript.of(direct, STATE);
    }
    var sessions = new ArrayList<Connection>();
    try {
      for (int i = 0; i < 4; i++) {
        Connection session = connect();
        sessions.add(session);
        assertThat(Transcript.of(session, STATE).rows()).isEqualTo(expected.rows());
        Transcript.of(session, "INSERT INTO t VALUES (" + (2 + i) + ", 'b')");
        assertThat(Transcript.of(session, "EXECUTE leaves").head()).contains("1243");
      }
      try (Connection direct =
          Driver.MYSQL.connect(behind.port(), PASSED, MariaDbServer.USER, MariaDbServer.PASSWORD)) {
        assertThat(Transcript.of(direct, "SELECT COUNT(*) FROM t").rows().toString())
            .as("committed")
            .contains("5");
        Transcript.of(direct, "DELETE FROM t WHERE id > 1");
      }
    } finally {
      for (Connection session : sessions) {
        session.close();
      }
    }
  }

  private static Connection connect() throws SQLException {
    return Driver.MYSQL.connect(passing.port(), PASSED, RunningProxy.USER, RunningProxy.PASSWORD);
  }

  /** The session that speaks another character set has variables of its own, too. */
  @Test
  void namesBeyondAsciiAreForgottenUnderAllCharacterSets() throws SQLException {
    for (String spoken : List.of("gbk", "latin1", "sjis", "utf8mb4")) {
      try (Connection proxied = connect()) {
        Transcript.of(proxied, "SET @\u540d = 'secret'");
        Transcript.of(proxied, "SELECT 1");
      }
      try (Connection proxied = connect()) {
        Transcript.of(proxied, "SET NAMES " + spoken);
        Transcript.of(proxied, "SELECT 1");
        Transcript.of(proxied, "SET NAMES utf8mb4");
        assertThat(Transcript.of(proxied, "SELECT @\u540d").rows().toString())
            .doesNotContain("secret");
      }
    }
  }

  /** Over shards, where the value stands in the statements that databases get. */
  @Test
  void variablesAreComparedByTheirCollation() throws SQLException {
    try (Connection proxied = sharded.throughProxy();
        Connection direct = sharded.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        Transcript.of(each, "DROP TABLE IF EXISTS t_order");
      }
      for (String sql :
          List.of(
              "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT,"
                  + " name VARCHAR(30) COLLATE utf8mb4_general_ci,"
                  + " exact VARCHAR(30) COLLATE utf8mb4_bin)",
              "INSERT INTO t_order VALUES (1, 1, 'a', 'a'), (2, 2, 'b', 'B'), (3, 3, 'A', 'a')",
              "SET @v = 'A' COLLATE utf8mb4_bin, @w = 'B' COLLATE utf8mb4_general_ci",
              "SELECT order_id FROM t_order WHERE name = @v ORDER BY order_id",
              "SELECT order_id FROM t_order WHERE name IN (@v, 'B') ORDER BY order_id",
              "SELECT order_id FROM t_order WHERE name = @w OR exact = @w ORDER BY order_id",
              "SELECT exact INTO @z FROM t_order WHERE order_id = 1",
              "UPDATE t_order SET user_id = 9 WHERE name = @z AND order_id > 0",
              "SELECT order_id, user_id FROM t_order ORDER BY order_id",
              "INSERT INTO t_order VALUES (4, 4, @v, @z)",
              "SELECT order_id, name, exact FROM t_order ORDER BY order_id",
              "DELETE FROM t_order WHERE name = @v AND order_id > 0",
              "SELECT order_id FROM t_order ORDER BY order_id",
              "SET @n = EXISTS (SELECT * FROM t_order WHERE order_id = 2)",
              "SELECT @n")) {
        Transcript expected = Transcript.of(direct, sql);
        assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(expected);
      }
    }
  }

  /** Whatever the session speaks when another shard joins. */
  @Test
  void savepointsKeepTheirNames() throws SQLException {
    try (Connection proxied =
            Driver.MYSQL.connect(
                sharded.proxy.port(), sharded.schema(), RunningProxy.USER, RunningProxy.PASSWORD);
        Connection direct =
            Driver.MYSQL.connect(
                plain.port(), sharded.plainSchema(), MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      for (Connection each : List.of(proxied, direct)) {
        Transcript.of(each, "DROP TABLE IF EXISTS t_order");
      }
      for (String sql :
          List.of(
              "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT, name VARCHAR(30))",
              "BEGIN",
              "INSERT INTO t_order VALUES (1, 1, 'a')",
              "SAVEPOINT `\u4f60`",
              "SAVEPOINT plain",
              "SET NAMES gbk",
              "INSERT INTO t_order VALUES (2, 2, 'b')",
              "INSERT INTO t_order VALUES (3, 3, 'c')",
              "ROLLBACK TO plain",
              "SET NAMES utf8mb4",
              "SELECT COUNT(*) FROM t_order",
              "INSERT INTO t_order VALUES (4, 4, 'd')",
              "SAVEPOINT `\u540d`",
              "INSERT INTO t_order VALUES (5, 5, 'd')",
              "ROLLBACK TO `\u540d`",
              "RELEASE SAVEPOINT `\u540d`",
              "ROLLBACK TO SAVEPOINT `\u540d`",
              "SELECT COUNT(*) FROM t_order",
              "ROLLBACK TO `\u4f60`",
              "COMMIT",
              "SELECT COUNT(*) FROM t_order")) {
        Transcript expected = Transcript.of(direct, sql);
        assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(expected);
      }
    }
  }

  /** Literals that are no ASCII: words of the grammar and numbers are what they are. */
  @ParameterizedTest
  @ValueSource(strings = {"utf8mb4", "utf16", "utf32", "ucs2"})
  void wordsAndNumbersAreReadInNoCharacterSet(String literals) throws SQLException {
    for (String results : List.of("utf8mb4", "NULL")) {
      try (Connection proxied = sharded.throughProxy();
          Connection other = sharded.throughProxy();
          Connection direct = sharded.onPlain()) {
        for (String sql :
            List.of(
                "SET character_set_results = " + results,
                "SET character_set_connection = " + literals,
                "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                "SET @a = 1.50, @b = -7, @c = 1e3, @d = 18446744073709551615, @e = NULL",
                "SET timestamp = 1000.5",
                "SET max_error_count = 9",
                "SET character_set_connection = utf8mb4",
                "SET character_set_results = utf8mb4")) {
          Transcript expected = Transcript.of(direct, sql);
          assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(expected);
        }
        String shown =
            "SELECT @a * 1, @b + 0, @c + 0, @d + 0, @e, NOW(1), @@max_error_count, o.*"
                + " FROM t_order o ORDER BY o.order_id LIMIT 1";
        // takes the connections that have been told
        Transcript.of(other, "BEGIN");
        assertThat(Transcript.of(other, "SELECT COUNT(*) FROM t_order").isError()).isFalse();
        assertThat(Transcript.of(proxied, shown).rows())
            .as(literals + ", " + results)
            .isEqualTo(Transcript.of(direct, shown).rows());
      }
    }
  }

  /** A server reads them under its global mode; sessions of the proxy, under what they set. */
  @Test
  void modesOfReadingAreGlobalForNobody() throws SQLException {
    String before = behind.queryOne("SELECT @@global.sql_mode");
    try {
      for (String mode : List.of("ANSI_QUOTES", "ANSI", "NO_BACKSLASH_ESCAPES,NO_ZERO_DATE")) {
        try (Connection administrator = connect()) {
          Transcript.of(administrator, "SET GLOBAL sql_mode = '" + mode + "'");
        }
        for (int i = 0; i < 3; i++) {
          try (Connection session = connect()) {
            assertThat(Transcript.of(session, "SELECT \"a\\\\b\" AS x").rows().toString())
                .as(mode)
                .contains("a\\b");
            Transcript.of(session, "SET sql_mode = DEFAULT");
            assertThat(Transcript.of(session, "SELECT @@sql_mode").rows())
                .isEqualTo(Transcript.of(session, "SELECT @@global.sql_mode").rows());
          }
        }
      }
    } finally {
      behind.execute("SET GLOBAL sql_mode = '" + before + "'");
    }
  }
}
