package io.anabranch.app.prepared;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.TypedProbe;
import io.anabranch.app.fixture.client.TypedProbe.Bound;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a prepared statement answers to parameters of one type is what the server answers: whatever
 * types other clients have executed the same text with, and whatever types this client has. Types ×
 * types × places of a parameter, through one data source, a group of two, and over shards.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ParameterTypesIT {

  private static final String TABLE =
      "CREATE TABLE t (id INT PRIMARY KEY, code VARCHAR(20), n INT, u BIGINT UNSIGNED,"
          + " d DECIMAL(10,2), f DOUBLE, dt DATETIME, da DATE, tm TIME, y YEAR, b VARBINARY(20),"
          + " x BIT(8))";

  private static final List<String> ROWS =
      List.of(
          "(1, '1', 1, 1, 1.5, 1.5, '2020-01-01 00:00:00', '2020-01-01', '01:00:00', 2020,"
              + " '1', b'1')",
          "(2, '01', 2, 2, 1, 1, '2020-01-01 01:00:00', '2020-01-02', '00:00:01', 2021,"
              + " '01', b'0')",
          "(3, ' 1', 0, 3, 2, 2, '2021-02-03 04:05:06', '2021-02-03', '04:05:06', 2001,"
              + " 'abc', b'110001')",
          "(4, '1.0', -1, 4, 0, 0, NULL, NULL, NULL, NULL," + " NULL, NULL)");

  private static final List<Bound> VALUES =
      List.of(
          Bound.number("int", 0x0008, 1),
          Bound.number("unsigned", 0x8008, 1),
          Bound.number("double", 0x0005, Double.doubleToLongBits(1)),
          Bound.text("decimal", 0x00F6, "1.5"),
          Bound.text("number", 0x00FD, "1"),
          Bound.text("negative", 0x00FD, "-1"),
          Bound.text("fraction", 0x00FD, "1.0"),
          Bound.text("text", 0x00FD, "abc"),
          Bound.text("bytes", 0x00FC, "1"),
          new Bound("date", 0x000A, new byte[] {4, (byte) 0xE4, 7, 1, 1}),
          new Bound("datetime", 0x000C, new byte[] {7, (byte) 0xE4, 7, 1, 1, 1, 0, 0}),
          new Bound("time", 0x000B, new byte[] {8, 0, 0, 0, 0, 0, 1, 0, 0}),
          new Bound("null", 0x0006, null));

  /** How many of them are neither times nor NULL. */
  private static final int PLAIN = 9;

  /** Each with one or two markers; statements of a table end in a place for more conditions. */
  private static final List<String> QUERIES =
      List.of(
          "SELECT id FROM t WHERE code = ? ORDER BY id",
          "SELECT id FROM t WHERE n = ? ORDER BY id",
          "SELECT id FROM t WHERE u < ? ORDER BY id",
          "SELECT id FROM t WHERE d >= ? ORDER BY id",
          "SELECT id FROM t WHERE f <> ? ORDER BY id",
          "SELECT id FROM t WHERE dt = ? ORDER BY id",
          "SELECT id FROM t WHERE da <= ? ORDER BY id",
          "SELECT id FROM t WHERE tm = ? ORDER BY id",
          "SELECT id FROM t WHERE y = ? ORDER BY id",
          "SELECT id FROM t WHERE b = ? ORDER BY id",
          "SELECT id FROM t WHERE x = ? ORDER BY id",
          "SELECT id FROM t WHERE x > ? ORDER BY id",
          "SELECT id FROM t WHERE code IN (?, '2') ORDER BY id",
          "SELECT id FROM t WHERE n BETWEEN ? AND 2 ORDER BY id",
          "SELECT id FROM t WHERE code LIKE ? ORDER BY id",
          "SELECT id FROM t WHERE n + ? = 2 ORDER BY id",
          "SELECT id FROM t WHERE COALESCE(?, code) = code ORDER BY id",
          "SELECT id FROM t WHERE n = ? OR code = ? ORDER BY id",
          "SELECT id FROM t WHERE (code, n) = (?, ?) ORDER BY id",
          "SELECT id FROM t ORDER BY id LIMIT ?");

  private static final List<String> EXPRESSIONS =
      List.of(
          "SELECT ?",
          "SELECT ? + 1",
          "SELECT CONCAT(?, 'a')",
          "SELECT IF(?, 1, 2)",
          "SELECT ? = '1'",
          "SELECT COALESCE(?, 'a')",
          "SELECT CASE WHEN ? THEN 1 ELSE ? END",
          "SELECT ROUND(?, 1)",
          "SELECT DATE_ADD('2020-01-01', INTERVAL ? DAY)",
          "SELECT UPPER(?)");

  private static final List<String> WRITES =
      List.of(
          "UPDATE t SET n = 7 WHERE code = ?",
          "DELETE FROM t WHERE code = ?",
          "DELETE FROM t WHERE n = ? OR dt = ?",
          "UPDATE t SET n = ? WHERE id = 1",
          "UPDATE t SET code = ? WHERE id = 2",
          "UPDATE t SET d = ?, code = ? WHERE id = 3",
          "UPDATE t SET n = ? WHERE code = ?",
          "UPDATE t SET n = n + ? WHERE id = 1",
          "UPDATE t SET code = CONCAT(?, code) WHERE id = 1",
          "UPDATE t SET dt = ? WHERE id = 1",
          "INSERT INTO t (id, n, code) VALUES (5, ?, ?)",
          "INSERT INTO t (id, d) VALUES (5, ? + 1)",
          "INSERT INTO t (id, u) VALUES (5, ?)",
          "UPDATE t SET x = ? WHERE id = 1",
          "DELETE FROM t WHERE x = ?",
          "INSERT INTO t (id, f) VALUES (1, 1) ON DUPLICATE KEY UPDATE f = ?");

  private static final String SCHEMA = "it_types";

  private static final Pattern SCHEMAS =
      Pattern.compile("`(it_types\\w*|mariadb_\\w+|mysql_\\w+)`\\.");

  private static final Pattern PER_SHARD = Pattern.compile("warnings \\d+");

  enum Way {
    MARIADB_PASSED,
    MARIADB_SHARDED,
    MYSQL_PASSED,
    MYSQL_SPLIT,
    MYSQL_SHARDED
  }

  private static MariaDbServer mariaDb;
  private static @Nullable MySqlServer mySql;
  private static RunningProxy overMariaDb;
  private static @Nullable RunningProxy overMySql;

  @BeforeAll
  static void start(MariaDbServers servers) {
    mariaDb = servers.primaryA();
    for (String suffix : List.of("", "_plain", "_0", "_1")) {
      mariaDb.execute(
          "DROP DATABASE IF EXISTS " + SCHEMA + suffix, "CREATE DATABASE " + SCHEMA + suffix);
    }
    overMariaDb =
        RunningProxy.start(
            List.of(),
            "databaseName: mariadb_passed\ndataSources:\n"
                + RunningProxy.source("ds_0", mariaDb, SCHEMA)
                + "rules: []\n",
            "databaseName: mariadb_sharded\ndataSources:\n"
                + RunningProxy.source("ds_0", mariaDb, SCHEMA + "_0")
                + RunningProxy.source("ds_1", mariaDb, SCHEMA + "_1")
                + sharding());
  }

  private static String sharding() {
    return """
        rules:
        - !SHARDING
          tables:
            t:
              actualDataNodes: ds_${0..1}.t
              databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
          shardingAlgorithms:
            halves: { type: MOD, props: { sharding-count: 2 } }
        """;
  }

  private static RunningProxy overMySql() {
    RunningProxy known = overMySql;
    if (known == null) {
      MySqlServer.assumeInstalled();
      MySqlServer server = MySqlServer.start("types");
      mySql = server;
      server.execute(
          "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'", "GRANT ALL ON *.* TO proxy@'%'");
      server.execute("CREATE USER plain@'%' IDENTIFIED BY ''", "GRANT ALL ON *.* TO plain@'%'");
      for (String suffix : List.of("", "_plain", "_0", "_1")) {
        server.execute("CREATE DATABASE " + SCHEMA + suffix);
      }
      RunningProxy started =
          RunningProxy.start(
              List.of(),
              "databaseName: mysql_passed\ndataSources:\n"
                  + server.dataSource("ds_0", SCHEMA)
                  + "rules: []\n",
              "databaseName: mysql_split\ndataSources:\n"
                  + server.dataSource("w", SCHEMA)
                  + server.dataSource("r", SCHEMA)
                  + """
                    rules:
                    - !READWRITE_SPLITTING
                      dataSourceGroups:
                        g: { writeDataSourceName: w, readDataSourceNames: [r] }
                    """,
              "databaseName: mysql_sharded\ndataSources:\n"
                  + server.dataSource("ds_0", SCHEMA + "_0")
                  + server.dataSource("ds_1", SCHEMA + "_1")
                  + sharding());
      Eventually.holds("the proxy reaches MySQL", () -> XaFixture.reaches(started, "mysql_passed"));
      known = started;
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

  private static TypedProbe through(Way way) throws IOException {
    RunningProxy proxy = way.name().startsWith("MYSQL") ? overMySql() : overMariaDb;
    return new TypedProbe(
        new CommandProbe(
            proxy.port(),
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            way.name().toLowerCase(Locale.ROOT)));
  }

  private static TypedProbe direct(Way way) throws IOException {
    String schema = SCHEMA + "_plain";
    return new TypedProbe(
        way.name().startsWith("MYSQL")
            ? new CommandProbe(requireNonNull(mySql).port(), "plain", "", schema)
            : new CommandProbe(mariaDb.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, schema));
  }

  private static void fill(TypedProbe client) throws IOException {
    client.query("DELETE FROM t");
    client.query("INSERT INTO t VALUES " + String.join(", ", ROWS));
  }

  private static void create(TypedProbe client) throws IOException {
    client.query("DROP TABLE IF EXISTS t");
    assertThat(client.query(TABLE)).startsWith("OK");
    fill(client);
  }

  /** Numbers, strings and NULL. */
  private static List<Bound> bindPlain(String sql, Random random) {
    var bound = new ArrayList<Bound>();
    int markers = (int) sql.chars().filter(c -> c == '?').count();
    for (int i = 0; i < markers; i++) {
      int value = random.nextInt(PLAIN + 1);
      bound.add(value == PLAIN ? VALUES.getLast() : VALUES.get(value));
    }
    return bound;
  }

  private static List<Bound> bind(String sql, int value) {
    var bound = new ArrayList<Bound>();
    int markers = (int) sql.chars().filter(c -> c == '?').count();
    for (int i = 0; i < markers; i++) {
      bound.add(VALUES.get((value + i * (1 + value / VALUES.size())) % VALUES.size()));
    }
    return bound;
  }

  private static List<String> texts(Way way) {
    var texts = new ArrayList<>(QUERIES);
    texts.addAll(WRITES);
    if (way.name().endsWith("SHARDED")) {
      texts.removeIf(sql -> sql.contains("LIMIT ?"));
    } else {
      texts.addAll(EXPRESSIONS);
    }
    return texts;
  }

  /** What a statement is answered, and what it leaves in the table. */
  private static String run(TypedProbe client, int statement, String sql, List<Bound> values)
      throws IOException {
    boolean isWrite = !sql.startsWith("SELECT");
    if (isWrite) {
      client.query("BEGIN");
    }
    String answer = client.execute(statement, values);
    if (!isWrite) {
      return answer;
    }
    String rows = client.query("SELECT * FROM t ORDER BY id");
    client.query("ROLLBACK");
    return answer + "\n" + rows;
  }

  /**
   * Schemas have other names, and over shards another row may be the one that is wrong, and be
   * warned of once more.
   */
  private static String plainly(Way way, String answer) {
    String unnamed = SCHEMAS.matcher(answer).replaceAll("");
    return way.name().endsWith("SHARDED")
        ? PER_SHARD.matcher(unnamed).replaceAll("").replaceAll("error (\\d+)[^\n]*", "error $1")
        : unnamed;
  }

  private static String prepared(TypedProbe client, String sql, List<Bound> values)
      throws IOException {
    int statement = client.prepare(sql);
    String answer = run(client, statement, sql, values);
    client.close(statement);
    return answer;
  }

  @ParameterizedTest
  @EnumSource
  void othersTypesDecideNothing(Way way) throws IOException {
    var softly = new SoftAssertions();
    try (TypedProbe one = through(way);
        TypedProbe other = through(way);
        TypedProbe plain = direct(way)) {
      create(one);
      create(plain);
      int types = VALUES.size();
      assertThat(types).as("a prime, so that each step meets all").isEqualTo(13);
      for (String sql : texts(way)) {
        var expected = new ArrayList<String>();
        for (int i = 0; i < types; i++) {
          expected.add(prepared(plain, sql, bind(sql, i)));
        }
        // each type behind each other one
        for (int step = 1; step < types; step++) {
          for (int i = 0; i < types; i++) {
            int value = i * step % types;
            softly
                .assertThat(plainly(way, prepared(i % 2 == 0 ? one : other, sql, bind(sql, value))))
                .as("%s %s, step %d", sql, bind(sql, value), step)
                .isEqualTo(plainly(way, expected.get(value)));
          }
        }
      }
    }
    softly.assertAll();
  }

  /** As a number of another kind they would be stored as another one. */
  @ParameterizedTest
  @EnumSource
  void textsAreStoredAsTheNumbersThatTheySay(Way way) throws IOException {
    List<String> texts =
        List.of("9007199254740993", "18446744073709551615", "2.5", "0.125", "1e-40", "1e30", "x");
    var softly = new SoftAssertions();
    try (TypedProbe one = through(way);
        TypedProbe other = through(way);
        TypedProbe plain = direct(way)) {
      create(one);
      create(plain);
      for (String column : List.of("n", "u", "d", "f", "code")) {
        for (String sql :
            List.of(
                "UPDATE t SET " + column + " = ? WHERE id = 1",
                "INSERT INTO t (id, " + column + ") VALUES (5, ?)")) {
          for (Bound first : VALUES) {
            for (String text : texts) {
              List<Bound> values = List.of(Bound.text("text", 0x00FD, text));
              prepared(one, sql, List.of(first));
              softly
                  .assertThat(plainly(way, prepared(other, sql, values)))
                  .as("%s '%s' behind another's %s", sql, text, first)
                  .isEqualTo(plainly(way, prepared(plain, sql, values)));
            }
          }
        }
      }
    }
    softly.assertAll();
  }

  /** A handle's own former types decide, as on the server, whatever others do in between. */
  @ParameterizedTest
  @EnumSource
  void ownTypesDecide(Way way) throws IOException {
    var random = new Random(17);
    var softly = new SoftAssertions();
    int refused = 0;
    int all = 0;
    try (TypedProbe client = through(way);
        TypedProbe other = through(way);
        TypedProbe plain = direct(way)) {
      create(client);
      create(plain);
      for (String sql : texts(way)) {
        for (int i = 0; i < 6; i++) {
          int proxied = client.prepare(sql);
          int wanted = plain.prepare(sql);
          var history = new ArrayList<List<Bound>>();
          for (int execution = 0; execution < 4; execution++) {
            List<Bound> values = bindPlain(sql, random);
            history.add(values);
            prepared(other, sql, bind(sql, random.nextInt(VALUES.size())));
            String answer = run(client, proxied, sql, values);
            String expected = run(plain, wanted, sql, values);
            all++;
            if (answer.contains("AB2041")) {
              refused++;
              break;
            }
            softly
                .assertThat(plainly(way, answer))
                .as("%s %s", sql, history)
                .isEqualTo(plainly(way, expected));
          }
          client.close(proxied);
          plain.close(wanted);
        }
      }
    }
    softly.assertAll();
    assertThat(refused).as("of %d", all).isLessThan(all / 10);
  }

  /** A connection that is new to a handle is given its types, or the execution is refused. */
  @ParameterizedTest
  @EnumSource
  void connectionsAreGivenTheTypesOfAHandle(Way way) throws IOException {
    var random = new Random(4);
    var softly = new SoftAssertions();
    try (TypedProbe client = through(way);
        TypedProbe other = through(way);
        TypedProbe plain = direct(way)) {
      create(client);
      create(plain);
      var texts = new ArrayList<>(texts(way));
      Collections.shuffle(texts, random);
      for (String sql : texts.subList(0, 24)) {
        int proxied = client.prepare(sql);
        int wanted = plain.prepare(sql);
        var history = new ArrayList<List<Bound>>();
        for (int execution = 0; execution < 4; execution++) {
          List<Bound> values = bindPlain(sql, random);
          history.add(values);
          // holds the connection that the handle has had
          other.query("BEGIN");
          prepared(other, "SELECT id FROM t WHERE id IN (1, 2)", List.of());
          fill(plain);
          fill(client);
          String answer = client.execute(proxied, values);
          if (!answer.contains("AB2041")) {
            softly
                .assertThat(
                    plainly(way, answer + "\n" + client.query("SELECT * FROM t ORDER BY id")))
                .as("%s %s", sql, history)
                .isEqualTo(
                    plainly(
                        way,
                        plain.execute(wanted, values)
                            + "\n"
                            + plain.query("SELECT * FROM t ORDER BY id")));
          } else {
            other.query("COMMIT");
            break;
          }
          other.query("COMMIT");
        }
        client.close(proxied);
        plain.close(wanted);
      }
    }
    softly.assertAll();
  }
}
