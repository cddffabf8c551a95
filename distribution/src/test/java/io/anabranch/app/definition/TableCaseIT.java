package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On servers that tell upper from lower case, {@code T} is another table than {@code t}: statements
 * of every kind, over tables of every placement, with and without a table of the other name. What
 * one plain server answers is answered, or refused; and the table that was not named is as it was.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
@Tag("long")
class TableCaseIT {

  private static final String SCHEMA = "it_case";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t_sharded: &placed
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
          t_beside: *placed
        bindingTables: [ "t_sharded, t_beside" ]
        shardingAlgorithms:
          quarters: { type: MOD, props: { sharding-count: 4 } }
      - !BROADCAST
        tables: [t_broadcast]
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  private static final String COLUMNS = " (id INT PRIMARY KEY, v INT, w VARCHAR(20))";
  private static final String ROWS = " VALUES (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')";
  private static final String TWIN_ROWS = " VALUES (2, 7, 'twin'), (9, 8, 'other')";

  /** {@code %1$s} is the name in the other case, {@code %2$s} as the table is called. */
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM %1$s ORDER BY id",
          "SELECT COUNT(*), SUM(v) FROM %1$s",
          "SELECT %1$s.w FROM %1$s WHERE %1$s.id = 2",
          "SELECT x.w FROM %1$s x WHERE x.id IN (2, 9) ORDER BY x.id",
          "SELECT %2$s.w FROM %1$s WHERE %2$s.id = 2",
          "SELECT %1$s.w FROM %2$s WHERE %1$s.id = 2",
          "SELECT %1$s.w FROM %2$s AS %1$s WHERE %1$s.id = 2",
          "SELECT %2$s.w FROM %1$s AS %2$s WHERE %2$s.id = 2",
          "SELECT x.w, y.w FROM %2$s x JOIN %1$s y ON x.id = y.id ORDER BY 1",
          "SELECT x.w, y.w FROM t_beside x JOIN %1$s y ON x.id = y.id ORDER BY 1",
          "SELECT * FROM t_beside WHERE id IN (SELECT id FROM %1$s) ORDER BY id",
          "SELECT (SELECT MAX(v) FROM %1$s)",
          "SELECT id FROM t_beside WHERE EXISTS (SELECT 1 FROM %1$s z WHERE z.id = t_beside.id)",
          "WITH c AS (SELECT id, w FROM %1$s) SELECT * FROM c ORDER BY id",
          "SELECT w FROM %1$s UNION SELECT w FROM t_beside ORDER BY 1",
          "SELECT w, COUNT(*) FROM %1$s GROUP BY w ORDER BY w",
          "SELECT * FROM %1$s WHERE id = 2 FOR UPDATE",
          "SELECT a.id FROM t_beside a, t_beside A WHERE a.id = A.id AND a.id = 2",
          "SELECT a.id FROM t_beside a, %2$s A WHERE a.id = 1 AND A.id = 2",
          "EXPLAIN SELECT id FROM %1$s",
          "DO (SELECT COUNT(*) FROM %1$s)",
          "SET @counted = (SELECT COUNT(*) FROM %1$s)",
          "INSERT INTO %1$s VALUES (5, 50, 'five')",
          "INSERT INTO %1$s (id, v) VALUES (5, 50), (6, 60)",
          "INSERT INTO %1$s VALUES (2, 1, 'x') ON DUPLICATE KEY UPDATE v = v + 1",
          "INSERT INTO %1$s SELECT id + 100, v, w FROM t_beside",
          "INSERT INTO t_beside SELECT id + 100, v, w FROM %1$s",
          "INSERT INTO t_plain SELECT id + 100, v, w FROM %1$s",
          "INSERT INTO %2$s SELECT id + 100, v, w FROM %1$s",
          "INSERT INTO %1$s SELECT id + 100, v, w FROM %2$s",
          "REPLACE INTO %1$s VALUES (2, 22, 'new')",
          "UPDATE %1$s SET v = v + 1",
          "UPDATE %1$s SET v = 0 WHERE id = 2",
          "UPDATE %2$s SET v = 0 WHERE %1$s.id = 2",
          "UPDATE t_beside b JOIN %1$s y ON b.id = y.id SET b.v = y.v",
          "DELETE FROM %1$s WHERE id = 2",
          "DELETE FROM %1$s",
          "DELETE FROM %2$s WHERE %1$s.id = 2",
          "DELETE b FROM t_beside b JOIN %1$s y ON b.id = y.id",
          "TRUNCATE TABLE %1$s",
          "TRUNCATE %1$s",
          "DROP TABLE %1$s",
          "DROP TABLE IF EXISTS %1$s",
          "DROP TABLE t_none, %1$s",
          "DROP VIEW %1$s",
          "ALTER TABLE %1$s ADD COLUMN z INT",
          "ALTER TABLE %1$s RENAME TO t_other",
          "ALTER TABLE %2$s RENAME TO %1$s",
          "RENAME TABLE %1$s TO t_other",
          "RENAME TABLE %2$s TO %1$s",
          "CREATE INDEX i_v ON %1$s (v)",
          "DROP INDEX i_v ON %1$s",
          "CREATE TABLE %1$s (id INT PRIMARY KEY)",
          "CREATE TABLE IF NOT EXISTS %1$s (id INT PRIMARY KEY)",
          "CREATE TABLE t_other LIKE %1$s",
          "CREATE TABLE t_other AS SELECT * FROM %1$s",
          "CREATE VIEW v_other AS SELECT id, w FROM %1$s",
          "CREATE VIEW %1$s AS SELECT 1 AS one",
          "CREATE TRIGGER r_other BEFORE INSERT ON %1$s FOR EACH ROW SET NEW.v = 1",
          "LOCK TABLES %1$s WRITE",
          "SHOW COLUMNS FROM %1$s",
          "SHOW INDEX FROM %1$s",
          "SHOW CREATE TABLE %1$s",
          "DESCRIBE %1$s",
          "CHECKSUM TABLE %1$s",
          "CHECK TABLE %1$s",
          "ANALYZE TABLE %1$s",
          "HANDLER %1$s OPEN");

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture =
        ShardedFixture.start(
            servers,
            SCHEMA,
            RULES,
            List.of("CREATE TABLE t_far" + COLUMNS, "CREATE TABLE t_plain" + COLUMNS));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static Stream<String> tables() {
    return Stream.of("t_sharded", "t_broadcast", "t_near", "t_far");
  }

  /** Every kind, where no table has the other name. */
  @ParameterizedTest
  @MethodSource("tables")
  void tellsOfNoTable(String table) throws SQLException {
    compare(table, false);
  }

  /** Every kind, where a table without rules has the other name. */
  @ParameterizedTest
  @MethodSource("tables")
  void keepsTablesApart(String table) throws SQLException {
    compare(table, true);
  }

  private static void compare(String table, boolean hasTwin) throws SQLException {
    String other = table.replace("t_", "T_");
    var softly = new SoftAssertions();
    int same = 0;
    boolean isChanged = true;
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      for (String pattern : STATEMENTS) {
        // statements that go to the first data source whatever they name
        boolean isOfOne = hasTwin && pattern.matches("(DO|HANDLER) .*");
        String sql = isOfOne ? "SELECT 1" : pattern.formatted(other, table);
        if (isChanged) {
          begin(proxied, plain, table, hasTwin ? other : null);
        }
        Transcript answer = Transcript.of(proxied, sql);
        Transcript wanted = Transcript.of(plain, sql);
        boolean isOfNone = !hasTwin && answer.isError() && wanted.isError();
        isChanged =
            !isOfNone && !sql.matches("(SELECT|WITH|SHOW|DESCRIBE|EXPLAIN|CHECK|ANALYZE) .*");
        String said = sql + ": " + answer.head();
        if (answer.isRefusal()) {
          continue;
        }
        same++;
        softly.assertThat(number(answer)).as(said).isEqualTo(number(wanted));
        if (!wanted.isError() && sql.matches("(?s)(SELECT|WITH|SHOW|DESCRIBE).*")) {
          softly.assertThat(rows(answer)).as(said).isEqualTo(rows(wanted));
        }
        for (String each : List.of(table, "t_beside", "t_plain", "t_none", "t_other", other)) {
          String content = "SELECT * FROM " + each + " ORDER BY id";
          softly
              .assertThat(content(proxied, content))
              .as(said + ", then " + each)
              .isEqualTo(content(plain, content));
        }
      }
    }
    softly.assertThat(same).isGreaterThan(STATEMENTS.size() * 3 / 5);
    softly.assertAll();
  }

  private static String number(Transcript answer) {
    return answer.isError() ? answer.withoutMessage().head() : "";
  }

  private static List<String> rows(Transcript answer) {
    return answer.rows().stream().map(row -> row.replace(SCHEMA + "_plain", SCHEMA)).toList();
  }

  private static List<String> content(Connection connection, String sql) {
    Transcript answer = Transcript.of(connection, sql);
    var all = new ArrayList<String>(answer.rows());
    all.add(number(answer));
    return all;
  }

  /** All tables anew: those with the other name where they are made without the proxy. */
  private static void begin(
      Connection proxied, Connection plain, String table, @Nullable String twin) {
    for (Connection each : List.of(proxied, plain)) {
      Transcript.of(each, "UNLOCK TABLES");
      Transcript.of(each, "ROLLBACK");
    }
    String other = table.replace("t_", "T_");
    DatabaseServer away = fixture.away();
    for (DatabaseServer server : List.of(fixture.home(), away)) {
      server.execute(
          "USE " + SCHEMA,
          "DROP VIEW IF EXISTS v_other, " + other,
          "DROP TABLE IF EXISTS t_other, " + other);
    }
    away.execute(
        "USE " + SCHEMA,
        "DROP TABLE IF EXISTS t_far, t_plain",
        "CREATE TABLE t_far" + COLUMNS,
        "CREATE TABLE t_plain" + COLUMNS);
    ok(plain, "DROP VIEW IF EXISTS v_other, " + other);
    ok(plain, "DROP TABLE IF EXISTS t_far, t_plain, t_other, " + other);
    ok(plain, "CREATE TABLE t_far" + COLUMNS);
    ok(plain, "CREATE TABLE t_plain" + COLUMNS);
    if (twin != null) {
      String create = "CREATE TABLE " + twin + COLUMNS;
      away.execute("USE " + SCHEMA, create, "INSERT INTO " + twin + TWIN_ROWS);
      ok(plain, create);
      ok(plain, "INSERT INTO " + twin + TWIN_ROWS);
    }
    for (Connection each : List.of(proxied, plain)) {
      for (String name : List.of(table, "t_beside", "t_plain")) {
        boolean isFar = name.equals("t_far") || name.equals("t_plain");
        if (!isFar) {
          ok(each, "DROP TABLE IF EXISTS " + name);
          ok(each, "CREATE TABLE " + name + COLUMNS);
        }
        ok(each, "INSERT INTO " + name + ROWS);
      }
    }
  }

  private static void ok(Connection connection, String sql) {
    Transcript answer = Transcript.of(connection, sql);
    assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isFalse();
  }

  /** The error of a server, with the table that may have been meant. */
  @Test
  void namesTheTableOfTheConfiguration() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      begin(proxied, plain, "t_sharded", null);
      assertThat(Transcript.of(proxied, "SELECT * FROM T_SHARDED").head())
          .contains("1146 42S02", "Table 'it_case.T_SHARDED' doesn't exist", "'t_sharded'");
      assertThat(Transcript.of(proxied, "CREATE TABLE T_SHARDED (id INT)").head())
          .contains("AB2002", "'T_SHARDED', 't_sharded'");
    }
  }

  /** Temporary tables of one session. */
  @Test
  void keepsTemporaryTablesApart() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      begin(proxied, plain, "t_sharded", null);
      var softly = new SoftAssertions();
      for (String sql :
          List.of(
              "CREATE TEMPORARY TABLE own (id INT, w INT)",
              "INSERT INTO own VALUES (1, 1)",
              "SELECT * FROM OWN",
              "CREATE TEMPORARY TABLE OWN (id INT)",
              "INSERT INTO OWN VALUES (2)",
              "SELECT * FROM own",
              "SELECT * FROM OWN",
              "DROP TEMPORARY TABLE OWN",
              "SELECT * FROM OWN",
              "SELECT * FROM own",
              "CREATE TEMPORARY TABLE T_SHARDED (id INT, x INT)",
              "INSERT INTO T_SHARDED VALUES (1, 2)",
              "SELECT * FROM T_SHARDED",
              "SELECT * FROM t_sharded ORDER BY id",
              "DROP TABLE T_SHARDED",
              "SELECT * FROM T_SHARDED",
              "SELECT * FROM t_sharded ORDER BY id")) {
        Transcript answer = Transcript.of(proxied, sql);
        Transcript wanted = Transcript.of(plain, sql);
        softly.assertThat(number(answer)).as(sql + answer.head()).isEqualTo(number(wanted));
        softly.assertThat(answer.rows()).as(sql).isEqualTo(wanted.rows());
      }
      softly.assertAll();
    }
  }
}
