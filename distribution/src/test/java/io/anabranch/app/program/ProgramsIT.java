package io.anabranch.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What triggers, stored functions and views over them do to a session stays with it, and with it
 * alone: two connections serve all sessions here.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ProgramsIT {

  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_programs",
        "DROP DATABASE IF EXISTS it_programs_1",
        "CREATE DATABASE it_programs",
        "CREATE DATABASE it_programs_1",
        "CREATE TABLE it_programs.account (acct_num INT PRIMARY KEY, amount DECIMAL(10,2))",
        "CREATE TABLE it_programs.plain (id INT)",
        "CREATE TRIGGER it_programs.ins_sum BEFORE INSERT ON it_programs.account FOR EACH ROW"
            + " SET @sum = @sum + NEW.amount",
        "CREATE FUNCTION it_programs.remember() RETURNS INT NO SQL BEGIN SET @u = IFNULL(@u, 0) + 1; RETURN @u; END",
        "CREATE FUNCTION it_programs.harmless(n INT) RETURNS INT NO SQL RETURN n + 1",
        "CREATE FUNCTION it_programs.scratch() RETURNS INT NO SQL"
            + " BEGIN CREATE TEMPORARY TABLE IF NOT EXISTS tmp (n INT); RETURN 1; END",
        "CREATE FUNCTION it_programs.lock_up() RETURNS INT NO SQL RETURN GET_LOCK('it_programs', 0)",
        "CREATE FUNCTION it_programs.any_lock(n VARCHAR(20)) RETURNS INT NO SQL RETURN GET_LOCK(n, 0)",
        "CREATE FUNCTION it_programs.let_go() RETURNS INT NO SQL RETURN RELEASE_LOCK('it_programs')",
        "CREATE FUNCTION it_programs.in_short() RETURNS INT NO SQL"
            + " BEGIN DECLARE n INT DEFAULT GET_LOCK('it_programs', 0); RETURN RELEASE_LOCK('it_programs'); END",
        "CREATE FUNCTION it_programs.indirect() RETURNS INT NO SQL RETURN it_programs.lock_up()",
        "CREATE VIEW it_programs.locking AS SELECT it_programs.indirect() AS n",
        "CREATE TABLE it_programs.guarded (id INT PRIMARY KEY, n INT)",
        "CREATE TRIGGER it_programs.guard BEFORE INSERT ON it_programs.guarded FOR EACH ROW"
            + " SET NEW.n = GET_LOCK('it_programs', 0)",
        "CREATE VIEW it_programs.remembering AS SELECT it_programs.remember() AS n",
        "CREATE VIEW it_programs.upper_view AS SELECT n FROM it_programs.remembering");
    for (String schema : List.of("it_programs", "it_programs_1")) {
      for (String table : List.of("t_0", "t_1")) {
        server.execute(
            "CREATE TABLE %s.%s (id INT PRIMARY KEY, v INT)".formatted(schema, table),
            "CREATE TRIGGER %1$s.seen_%2$s AFTER INSERT ON %1$s.%2$s FOR EACH ROW SET @last = NEW.id"
                .formatted(schema, table));
      }
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: one\ndataSources:\n" + one("ds_0", "it_programs") + "rules: []\n",
            "databaseName: narrow\ndataSources:\n"
                + one("ds_0", "it_programs").replace("maxPoolSize: 2", "maxPoolSize: 1")
                + "rules: []\n",
            "databaseName: shop\ndataSources:\n"
                + one("ds_0", "it_programs")
                + one("ds_1", "it_programs_1")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_${0..1}.t_${0..1}
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: db } }
                      tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: tb } }
                  shardingAlgorithms:
                    db: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
                    tb: { type: INLINE, props: { algorithm-expression: "t_${id.intdiv(2) % 2}" } }
                """);
  }

  private static String one(String name, String schema) {
    return RunningProxy.source(name, server, schema).replace("maxPoolSize: 10", "maxPoolSize: 2");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  /** The manual's own example of a trigger. */
  @Test
  void aTriggersVariableIsTheSessions() throws SQLException {
    try (Connection first = proxy.connect("one");
        Connection second = proxy.connect("one")) {
      rows(first, "SET @sum = 0");
      rows(first, "INSERT INTO account VALUES (137, 14.98), (141, 1937.50), (97, -100.00)");
      assertThat(rows(second, "SELECT @sum")).isEqualTo(rows(second, "SELECT NULL"));
      assertThat(rows(first, "SELECT @sum + 0.00").toString()).contains("1852.48");
      rows(second, "SET @sum = 5");
      assertThat(rows(first, "SELECT @sum + 0.00").toString()).contains("1852.48");
    }
  }

  @Test
  void aStatementThatFailsHasRunItsTriggers() throws SQLException {
    try (Connection first = proxy.connect("one");
        Connection second = proxy.connect("one")) {
      rows(first, "DELETE FROM account WHERE acct_num IN (7, 8)");
      rows(first, "SET @sum = 1");
      assertThat(
              Transcript.of(first, "INSERT INTO account VALUES (7, 1), (8, 2), (7, 4)").isError())
          .isTrue();
      assertThat(rows(second, "SELECT @sum IS NULL").toString()).contains("1");
      assertThat(rows(first, "SELECT @sum + 0.00").toString()).contains("8.00");
    }
  }

  @Test
  void whatFunctionsAndViewsLeaveReachesNobodyElse() throws SQLException {
    for (String sql :
        List.of(
            "SELECT remember()",
            "SELECT * FROM upper_view",
            "INSERT INTO plain SELECT remember()",
            "DO remember()",
            "SELECT 1 FROM DUAL WHERE REMEMBER() > 0")) {
      try (Connection first = proxy.connect("one");
          Connection second = proxy.connect("one")) {
        rows(first, sql);
        assertThat(rows(second, "SELECT @u IS NULL").toString()).as(sql).contains("1");
        assertThat(rows(first, "SELECT @u").toString()).as(sql).contains("1");
        rows(first, sql);
        assertThat(rows(first, "SELECT @u").toString()).as(sql).contains("2");
      }
    }
  }

  @Test
  void aTemporaryTableOfAFunctionEndsWithItsSession() throws SQLException {
    try (Connection first = proxy.connect("one")) {
      rows(first, "SELECT scratch()");
      assertThat(rows(first, "SELECT COUNT(*) FROM tmp").toString()).contains("0");
    }
    try (Connection second = proxy.connect("one")) {
      assertThat(Transcript.of(second, "SELECT COUNT(*) FROM tmp").isError()).isTrue();
    }
  }

  @Test
  void aLockOfAProgramIsHeldByItsSessionUntilThatEnds() throws SQLException {
    for (String sql :
        List.of(
            "SELECT lock_up()",
            "DO lock_up()",
            "SET @x = lock_up()",
            "SELECT indirect()",
            "SELECT * FROM locking",
            "SELECT any_lock('it_programs')",
            "INSERT INTO guarded (id) VALUES (1)",
            "INSERT INTO guarded (id) VALUES (1), (2), (2)")) {
      try (Connection second = proxy.connect("one")) {
        try (Connection first = proxy.connect("one")) {
          assertThat(Transcript.of(first, sql).isError()).as(sql).isEqualTo(sql.endsWith("(2)"));
          assertThat(isFree(second)).as(sql).isFalse();
          rows(first, "SELECT 1");
          assertThat(isFree(second)).as(sql).isFalse();
        }
        Eventually.holds(sql, () -> isFree(second));
        rows(second, "DELETE FROM guarded");
      }
    }
  }

  @Test
  void aPreparedStatementsLockIsTheSessionsToo() throws SQLException {
    try (Connection second = proxy.connect("one")) {
      try (Connection first = proxy.connect("one");
          PreparedStatement taking =
              first.prepareStatement("INSERT INTO guarded (id) VALUES (?)")) {
        taking.setInt(1, 9);
        taking.executeUpdate();
        assertThat(isFree(second)).isFalse();
      }
      Eventually.holds("the lock is free", () -> isFree(second));
      rows(second, "DELETE FROM guarded");
    }
  }

  @Test
  void aLockThatAProgramReleasesBindsNobody() throws SQLException {
    try (Connection first = proxy.connect("narrow");
        Connection second = proxy.connect("narrow")) {
      rows(first, "SELECT in_short()");
      assertThat(isFree(second)).isTrue();
      rows(first, "SELECT lock_up()");
      rows(first, "SELECT let_go()");
      assertThat(isFree(second)).isTrue();
      rows(first, "SELECT any_lock('it_programs')");
      rows(first, "SELECT RELEASE_ALL_LOCKS()");
      assertThat(isFree(second)).isTrue();
    }
  }

  @Test
  void theHolderOfALockHasTheSessionsNumber() throws SQLException {
    try (Connection first = proxy.connect("one");
        Connection second = proxy.connect("one")) {
      String sql = "SELECT IS_USED_LOCK('it_programs_own') = CONNECTION_ID()";
      rows(first, "SELECT GET_LOCK('it_programs_own', 0)");
      assertThat(rows(first, sql).toString()).contains("1");
      assertThat(rows(second, sql).toString()).contains("0");
      rows(first, "SELECT RELEASE_LOCK('it_programs_own')");
      assertThat(rows(first, sql)).isEqualTo(rows(first, "SELECT NULL"));
    }
  }

  private static boolean isFree(Connection connection) {
    return rows(connection, "SELECT IS_FREE_LOCK('it_programs')").toString().contains("1");
  }

  @Test
  void whatChangesNothingOfTheSessionHoldsNoConnection() throws SQLException {
    try (Connection first = proxy.connect("narrow");
        Connection second = proxy.connect("narrow")) {
      assertThat(rows(first, "SELECT harmless(1)").toString()).contains("2");
      assertThat(rows(first, "INSERT INTO plain VALUES (1)")).isNotNull();
      assertThat(rows(second, "SELECT harmless(2)").toString()).contains("3");
    }
  }

  @Test
  void programsThatComeLaterAreKnownFromThenOn() throws SQLException {
    try (Connection first = proxy.connect("one");
        Connection second = proxy.connect("one")) {
      rows(first, "CREATE TABLE late (id INT)");
      rows(first, "INSERT INTO late VALUES (1)");
      rows(first, "CREATE TRIGGER late_seen AFTER INSERT ON late FOR EACH ROW SET @late = NEW.id");
      rows(first, "INSERT INTO late VALUES (2)");
      assertThat(rows(second, "SELECT @late IS NULL").toString()).contains("1");
      assertThat(rows(first, "SELECT @late").toString()).contains("2");
      rows(first, "DROP TABLE late");
    }
  }

  @Test
  void locksOfProgramsThatComeLaterAreKnownAtOnce() throws SQLException {
    try (Connection second = proxy.connect("one")) {
      try (Connection first = proxy.connect("one")) {
        rows(
            first,
            "CREATE FUNCTION new_lock() RETURNS INT NO SQL RETURN GET_LOCK('it_programs', 0)");
        rows(second, "CREATE VIEW new_view AS SELECT new_lock() AS n");
        rows(first, "SELECT * FROM new_view");
        assertThat(isFree(second)).isFalse();
      }
      Eventually.holds("the lock is free", () -> isFree(second));
      rows(second, "DROP VIEW new_view");
      rows(second, "DROP FUNCTION new_lock");
    }
  }

  @Test
  void overShardsOneNodeAtATimeMayRunThem() throws SQLException {
    try (Connection first = proxy.connect("shop");
        Connection second = proxy.connect("shop")) {
      rows(first, "INSERT INTO t VALUES (3, 0)");
      assertThat(rows(second, "SELECT @last IS NULL").toString()).contains("1");
      assertThat(rows(first, "SELECT @last").toString()).contains("3");
    }
  }

  @Test
  void overShardsALockIsTakenOnOneOrRefused() throws SQLException {
    try (Connection second = proxy.connect("shop")) {
      try (Connection first = proxy.connect("shop")) {
        rows(first, "SELECT lock_up(), t.* FROM t WHERE id = 2");
        Transcript refused = Transcript.of(first, "SELECT lock_up(), t.* FROM t");
        assertThat(refused.isError()).isTrue();
        assertThat(refused.head()).contains("AB2001").contains("GET_LOCK");
        rows(first, "INSERT INTO t VALUES (2, 0)");
        rows(first, "SELECT lock_up(), t.* FROM t WHERE id = 2");
        assertThat(isFree(second)).isFalse();
      }
      Eventually.holds("the lock is free", () -> isFree(second));
    }
  }

  private static List<String> rows(Connection connection, String sql) {
    Transcript answer = Transcript.of(connection, sql);
    assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isFalse();
    return answer.rows();
  }
}
