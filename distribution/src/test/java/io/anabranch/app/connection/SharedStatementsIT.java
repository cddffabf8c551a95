package io.anabranch.app.connection;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.TypedProbe;
import io.anabranch.app.fixture.client.TypedProbe.Bound;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a connection's prepared statements carry from one session to another: nothing. Settings,
 * variables and databases of two sessions that share connections, values that come ahead, files.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class SharedStatementsIT {

  private static final String SCHEMA = "it_shared";
  private static final int MEGABYTE = 1 << 20;
  private static final Bound AHEAD = new Bound("ahead", 0xFC, new byte[0]);

  enum Kind {
    MARIADB,
    MYSQL
  }

  private static MariaDbServer mariaDb;
  private static @Nullable MySqlServer mySql;
  private static RunningProxy overMariaDb;
  private static @Nullable RunningProxy overMySql;

  @BeforeAll
  static void start(MariaDbServers servers) {
    mariaDb = servers.primaryA();
    for (String suffix : List.of("", "_b", "_plain", "_plain_b")) {
      mariaDb.execute(
          "DROP DATABASE IF EXISTS " + SCHEMA + suffix, "CREATE DATABASE " + SCHEMA + suffix);
    }
    overMariaDb =
        RunningProxy.start(
            List.of(),
            RunningProxy.passThrough(SCHEMA, mariaDb),
            RunningProxy.passThrough(SCHEMA + "_b", mariaDb));
  }

  private static RunningProxy over(Kind kind) {
    if (kind == Kind.MARIADB) {
      return overMariaDb;
    }
    RunningProxy known = overMySql;
    if (known == null) {
      MySqlServer.assumeInstalled();
      MySqlServer server = MySqlServer.start("shared", "--max-allowed-packet=16M");
      server.execute(
          "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'", "GRANT ALL ON *.* TO proxy@'%'");
      server.execute("CREATE USER plain@'%' IDENTIFIED BY ''", "GRANT ALL ON *.* TO plain@'%'");
      var databases = new ArrayList<String>();
      for (String suffix : List.of("", "_b", "_plain", "_plain_b")) {
        server.execute("CREATE DATABASE " + SCHEMA + suffix);
      }
      for (String suffix : List.of("", "_b")) {
        databases.add(
            "databaseName: "
                + SCHEMA
                + suffix
                + "\ndataSources:\n"
                + server.dataSource("ds_0", SCHEMA + suffix)
                + "rules: []\n");
      }
      RunningProxy started = RunningProxy.start(List.of(), databases.toArray(new String[0]));
      Eventually.holds("the proxy reaches MySQL", () -> XaFixture.reaches(started, SCHEMA));
      known = started;
      mySql = server;
      overMySql = started;
    }
    return known;
  }

  @AfterAll
  static void stop() {
    overMariaDb.close();
    if (overMySql != null) {
      overMySql.close();
    }
    if (mySql != null) {
      mySql.close();
    }
  }

  private static TypedProbe through(Kind kind) throws IOException {
    return new TypedProbe(
        new CommandProbe(
            over(kind).port(),
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            SCHEMA,
            Capability.LOCAL_FILES));
  }

  private static TypedProbe direct(Kind kind) throws IOException {
    String schema = SCHEMA + "_plain";
    return new TypedProbe(
        kind == Kind.MYSQL
            ? new CommandProbe(requireNonNull(mySql).port(), "plain", "", schema)
            : new CommandProbe(
                mariaDb.port(),
                MariaDbServer.USER,
                MariaDbServer.PASSWORD,
                schema,
                Capability.LOCAL_FILES));
  }

  private static final List<String> TEXTS =
      List.of(
          "SELECT 1 / 3",
          "SELECT DATE_FORMAT('2020-01-05', '%M')",
          "SELECT FROM_UNIXTIME(86400), TIMESTAMP'2020-01-01 00:00:00'",
          "SELECT GROUP_CONCAT(word ORDER BY id) FROM words",
          "SELECT word FROM words ORDER BY id",
          "SELECT 'word', CHARSET('word'), COLLATION('word')",
          "SELECT UNIX_TIMESTAMP(at) FROM words WHERE at > '1970-01-02 00:00:00' ORDER BY id",
          "SELECT 1 || 0",
          "SELECT WEEK('2020-01-05')",
          "SELECT @v",
          "SELECT @v + 1, CONCAT(@v, 'x')");

  private static final List<String> SETTINGS =
      List.of(
          "SET div_precision_increment = 2",
          "SET div_precision_increment = 9",
          "SET lc_time_names = 'de_DE'",
          "SET lc_time_names = 'fr_FR'",
          "SET time_zone = '+05:00'",
          "SET time_zone = '-03:00'",
          "SET group_concat_max_len = 5",
          "SET group_concat_max_len = 1000",
          "SET character_set_results = cp1251",
          "SET character_set_results = koi8r",
          "SET character_set_results = utf8mb4",
          "SET character_set_results = NULL",
          "SET NAMES latin1",
          "SET NAMES utf8mb4",
          "SET sql_mode = 'PIPES_AS_CONCAT'",
          "SET sql_mode = ''",
          "SET default_week_format = 3",
          "SET @v = 1",
          "SET @v = 'abc'",
          "SET @v = 1.50",
          "SET @v = 1e0",
          "SET @v = NULL");

  /** Two sessions take turns; each is answered what its own settings say. */
  @ParameterizedTest
  @EnumSource
  void settingsOfOthersDecideNothing(Kind kind) throws IOException {
    var softly = new SoftAssertions();
    try (TypedProbe one = through(kind);
        TypedProbe other = through(kind);
        TypedProbe plain = direct(kind);
        TypedProbe likewise = direct(kind)) {
      for (TypedProbe each : List.of(one, plain)) {
        each.query("DROP TABLE IF EXISTS words");
        each.query(
            "CREATE TABLE words (id INT PRIMARY KEY, word VARCHAR(20), at TIMESTAMP NULL)"
                + " CHARACTER SET utf8mb4");
        each.query("INSERT INTO words VALUES (1, 'жук', '1970-01-02 00:00:01'), (2, 'Ünal', NULL)");
      }
      for (int i = 0; i < SETTINGS.size(); i++) {
        String setting = SETTINGS.get(i);
        (i % 2 == 0 ? one : other).query(setting);
        (i % 2 == 0 ? plain : likewise).query(setting);
        for (String sql : TEXTS) {
          softly
              .assertThat(prepared(one, sql))
              .as("one, %s: %s", setting, sql)
              .isEqualTo(prepared(plain, sql));
          softly
              .assertThat(prepared(other, sql))
              .as("other, %s: %s", setting, sql)
              .isEqualTo(prepared(likewise, sql));
        }
      }
    }
    softly.assertAll();
  }

  private static String prepared(TypedProbe client, String sql) throws IOException {
    int statement = client.prepare(sql);
    String answer = client.execute(statement, List.of());
    client.close(statement);
    return answer;
  }

  /** A handle is answered in the character set that the session has when it is executed. */
  @ParameterizedTest
  @EnumSource
  void resultsAreInTheCharacterSetThatTheyTell(Kind kind) throws IOException {
    try (TypedProbe client = through(kind);
        TypedProbe plain = direct(kind)) {
      int proxied = client.prepare("SELECT 'жук' AS жук");
      int wanted = plain.prepare("SELECT 'жук' AS жук");
      for (String charset : List.of("cp1251", "koi8r", "utf8mb4", "cp1251", "latin1", "binary")) {
        String sql = "SET character_set_results = " + charset;
        client.query(sql);
        plain.query(sql);
        assertThat(client.execute(proxied, List.of()))
            .as(charset)
            .isEqualTo(plain.execute(wanted, List.of()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void textsMeanTheTablesOfTheirDatabase(Kind kind) throws IOException {
    var answers = new ArrayList<List<String>>();
    for (String suffix : List.of("", "_plain")) {
      try (TypedProbe client = suffix.isEmpty() ? through(kind) : direct(kind)) {
        String a = SCHEMA + suffix;
        String b = a + "_b";
        for (String schema : List.of(b, a)) {
          client.query("USE " + schema);
          client.query("DROP TABLE IF EXISTS here");
          client.query("CREATE TABLE here (name VARCHAR(20))");
          client.query("INSERT INTO here VALUES ('in " + (schema.equals(a) ? "a" : "b") + "')");
        }
        var told = new ArrayList<String>();
        client.query("BEGIN");
        int first = client.prepare("SELECT name FROM here");
        told.add(client.execute(first, List.of()));
        client.query("USE " + b);
        int second = client.prepare("SELECT name FROM here");
        told.add(client.execute(second, List.of()));
        told.add(prepared(client, "SELECT name FROM here"));
        client.query("USE " + a);
        told.add(prepared(client, "SELECT name FROM here"));
        client.query("COMMIT");
        answers.add(told);
      }
    }
    assertThat(answers.getFirst()).isEqualTo(answers.getLast());
  }

  // ---------------------------------------------------------------- values that come ahead

  @ParameterizedTest
  @EnumSource
  void longDataMayBeAsLongAsAServerTakes(Kind kind) throws IOException {
    var answers = new ArrayList<List<String>>();
    for (boolean isProxied : List.of(true, false)) {
      try (TypedProbe client = isProxied ? through(kind) : direct(kind)) {
        client.query("DROP TABLE IF EXISTS blobs");
        client.query("CREATE TABLE blobs (id INT PRIMARY KEY, b LONGBLOB, c LONGBLOB)");
        int insert = client.prepare("INSERT INTO blobs VALUES (?, ?, ?)");
        var told = new ArrayList<String>();
        client.query("BEGIN");
        int limit = 16 * MEGABYTE;
        told.add(insert(client, insert, 1, limit / 8 * 5, limit / 8 * 5));
        told.add(insert(client, insert, 2, limit - 10, 10));
        told.add(insert(client, insert, 3, limit, 1));
        told.add(insert(client, insert, 4, limit + 1, 1));
        told.add(client.reset(insert));
        told.add(insert(client, insert, 5, 0, 1));
        told.add(client.query("SELECT id, LENGTH(b), LENGTH(c), CRC32(b) FROM blobs ORDER BY id"));
        client.query("ROLLBACK");
        told.add(client.query("SELECT COUNT(*) FROM blobs"));
        answers.add(told);
      }
    }
    assertThat(answers.getFirst()).isEqualTo(answers.getLast());
  }

  private static String insert(TypedProbe client, int statement, int id, int b, int c)
      throws IOException {
    ahead(client, statement, 1, b);
    ahead(client, statement, 2, c);
    return client.execute(statement, List.of(Bound.number("id", 8, id), AHEAD, AHEAD));
  }

  private static void ahead(TypedProbe client, int statement, int parameter, int bytes)
      throws IOException {
    int left = bytes;
    do {
      byte[] piece = new byte[Math.min(left, MEGABYTE)];
      Arrays.fill(piece, (byte) (left / MEGABYTE));
      client.piece(statement, parameter, piece);
      left -= piece.length;
    } while (left > 0);
  }

  /** No session keeps more of it than one command may have, and none is worse off than before. */
  @Test
  void longDataIsBounded() throws IOException {
    try (TypedProbe client = through(Kind.MARIADB)) {
      client.query("DROP TABLE IF EXISTS blobs");
      client.query("CREATE TABLE blobs (id INT PRIMARY KEY, b LONGBLOB, c LONGBLOB)");
      int insert = client.prepare("INSERT INTO blobs VALUES (?, ?, ?)");
      client.query("BEGIN");
      assertThat(insert(client, insert, 1, 10, 10)).startsWith("OK 1");
      byte[] piece = new byte[8 * MEGABYTE];
      for (int i = 0; i < 20; i++) {
        client.piece(insert, 1 + i % 2, piece);
      }
      List<Bound> values = List.of(Bound.number("id", 8, 2), AHEAD, AHEAD);
      assertThat(client.execute(insert, values))
          .startsWith("error 1105 Parameter of prepared statement");
      assertThat(client.execute(insert, values)).startsWith("error 1105");
      client.reset(insert);
      assertThat(insert(client, insert, 3, 10, 10)).startsWith("OK 1");
      assertThat(client.query("SELECT COUNT(*) FROM blobs")).contains("0132");
      client.query("ROLLBACK");
    }
  }

  // ---------------------------------------------------------------- files, settings of one
  // statement

  @Test
  void filesAreLoadedByPreparedStatements() throws IOException {
    var answers = new ArrayList<List<String>>();
    for (boolean isProxied : List.of(true, false)) {
      try (TypedProbe client = isProxied ? through(Kind.MARIADB) : direct(Kind.MARIADB)) {
        var told = new ArrayList<String>();
        client.query("DROP TABLE IF EXISTS loaded");
        client.query("CREATE TABLE loaded (a INT PRIMARY KEY, b VARCHAR(30))");
        client.query("BEGIN");
        client.query("INSERT INTO loaded VALUES (7, 'before')");
        int load = client.prepare("LOAD DATA LOCAL INFILE 'rows' INTO TABLE loaded (a) SET b = ?");
        for (String rows : List.of("1\n2\n", "3\n", "3\n4\n", "")) {
          told.add(load(client, load, rows));
        }
        told.add(client.query("SELECT * FROM loaded ORDER BY a"));
        client.query("ROLLBACK");
        told.add(client.query("SELECT COUNT(*) FROM loaded"));
        answers.add(told);
      }
    }
    assertThat(answers.getFirst()).isEqualTo(answers.getLast());
  }

  private static String load(TypedProbe client, int statement, String rows) throws IOException {
    client.send(
        TypedProbe.bytes(
            Unpooled.buffer()
                .writeByte(0x17)
                .writeIntLE(statement)
                .writeByte(0)
                .writeIntLE(1)
                .writeByte(0)
                .writeByte(1)
                .writeShortLE(0xFD)
                .writeByte(1)
                .writeByte('q')));
    return client.file(rows.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void settingsOfOneStatementMayBePrepared() throws IOException {
    var answers = new ArrayList<List<String>>();
    for (boolean isProxied : List.of(true, false)) {
      try (TypedProbe client = isProxied ? through(Kind.MARIADB) : direct(Kind.MARIADB)) {
        var told = new ArrayList<String>();
        client.query("DROP PROCEDURE IF EXISTS two");
        told.add(
            client.query(
                "SET STATEMENT max_statement_time = 10 FOR CREATE PROCEDURE two() BEGIN"
                    + " DECLARE a INT DEFAULT 5; IF a > 1 THEN SET a = 7; END IF; SELECT a; END"));
        told.add(
            client.query(
                "SET STATEMENT max_statement_time = 10, sql_mode = '' FOR"
                    + " BEGIN NOT ATOMIC SET @a = 1; SET @a = @a + 1; END"));
        told.add(client.query("SELECT @a"));
        for (String sql :
            List.of(
                "SET STATEMENT max_statement_time = 10 FOR SELECT ?, ? + 1",
                "SET STATEMENT sql_select_limit = 1 FOR SELECT ? UNION ALL SELECT ?")) {
          int statement = client.prepare(sql);
          List<Bound> numbers = List.of(Bound.number("a", 8, 1), Bound.number("b", 8, 2));
          List<Bound> texts = List.of(Bound.text("a", 0xFD, "x"), Bound.text("b", 0xFD, "2"));
          told.add(client.execute(statement, numbers));
          told.add(client.execute(statement, texts));
          told.add(client.execute(statement, numbers));
          client.close(statement);
        }
        answers.add(told);
      }
    }
    assertThat(answers.getFirst()).isEqualTo(answers.getLast());
    assertThat(answers.getFirst().toString().toLowerCase(Locale.ROOT)).doesNotContain("error");
  }
}
