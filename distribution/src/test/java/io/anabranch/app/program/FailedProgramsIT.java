package io.anabranch.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Procedures, blocks, functions and triggers that fail have done what stands in front of the error,
 * and no error packet tells of it. It is the session's alone: one connection serves all here.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class FailedProgramsIT {

  private static final String FAIL = "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'";

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_failed",
        "CREATE DATABASE it_failed",
        "CREATE TABLE it_failed.plain (id INT PRIMARY KEY)",
        "CREATE TABLE it_failed.guarded (id INT PRIMARY KEY)",
        "CREATE TRIGGER it_failed.guard BEFORE INSERT ON it_failed.guarded FOR EACH ROW"
            + " BEGIN SET @u = NEW.id; %s; END".formatted(FAIL),
        "CREATE PROCEDURE it_failed.transfer() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (1); %s; END".formatted(FAIL),
        "CREATE PROCEDURE it_failed.duplicate() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (1); INSERT INTO plain VALUES (1); END",
        "CREATE PROCEDURE it_failed.missing() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (1); SELECT * FROM no_such_table; END",
        "CREATE TABLE it_failed.keyed (id INT AUTO_INCREMENT PRIMARY KEY, n INT)",
        "CREATE PROCEDURE it_failed.keys_first() BEGIN INSERT INTO keyed (n) VALUES (1);"
            + " SELECT * FROM no_such_table; END",
        "CREATE PROCEDURE it_failed.finished() BEGIN INSERT INTO plain VALUES (2); COMMIT; %s; END"
            .formatted(FAIL),
        "CREATE PROCEDURE it_failed.patient() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (9); DO SLEEP(60); END",
        "CREATE PROCEDURE it_failed.holding() BEGIN SET autocommit = 0;"
            + " INSERT INTO plain VALUES (1); END",
        "CREATE PROCEDURE it_failed.nothing() BEGIN END",
        "CREATE FUNCTION it_failed.scratch() RETURNS INT NO SQL"
            + " BEGIN CREATE TEMPORARY TABLE IF NOT EXISTS tmp (n INT); SET @u = 1; RETURN 1; END",
        "CREATE TABLE it_failed.noted (id INT PRIMARY KEY, n INT)",
        "CREATE TRIGGER it_failed.note BEFORE INSERT ON it_failed.noted FOR EACH ROW SET @u = NEW.id",
        "CREATE TRIGGER it_failed.scratch BEFORE UPDATE ON it_failed.noted FOR EACH ROW"
            + " SET NEW.n = scratch()",
        "INSERT INTO it_failed.noted VALUES (1, 1), (2, 2)",
        "CREATE VIEW it_failed.noting AS SELECT * FROM it_failed.noted",
        "CREATE VIEW it_failed.scratching AS SELECT it_failed.scratch() AS n",
        "INSERT INTO it_failed.plain VALUES (100)");
    for (String schema : List.of("it_failed_0", "it_failed_1")) {
      shard(schema);
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: failed\ndataSources:\n" + one("ds_0", "it_failed") + "rules: []\n",
            "databaseName: shop\ndataSources:\n"
                + one("ds_0", "it_failed_0").replace("Size: 1", "Size: 2")
                + one("ds_1", "it_failed_1").replace("Size: 1", "Size: 2")
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
                - !BROADCAST
                  tables: [ dict ]
                """);
  }

  private static String one(String name, String schema) {
    return RunningProxy.source(name, server, schema).replace("maxPoolSize: 10", "maxPoolSize: 1");
  }

  /** Triggers fail for the row 3 alone, which is in the second. */
  private static void shard(String schema) {
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "CREATE FUNCTION %s.scratch() RETURNS INT NO SQL BEGIN CREATE TEMPORARY TABLE IF NOT EXISTS tmp (n INT); SET @u = 1; RETURN 1; END"
            .formatted(schema),
        "CREATE FUNCTION %s.peek() RETURNS INT READS SQL DATA BEGIN DECLARE EXIT HANDLER FOR 1146 RETURN 0; RETURN (SELECT 1 + COUNT(*) FROM tmp); END"
            .formatted(schema),
        "CREATE TABLE %s.dict (id INT PRIMARY KEY, v INT)".formatted(schema),
        "INSERT INTO %s.dict VALUES (0, 0), (1, 1)".formatted(schema),
        "CREATE TRIGGER %1$s.dict_note BEFORE INSERT ON %1$s.dict FOR EACH ROW SET @u = NEW.id"
            .formatted(schema));
    for (int i = 0; i < 2; i++) {
      String table = "t_" + i;
      int id = 2 * i + (schema.endsWith("0") ? 0 : 1);
      server.execute(
          "CREATE TABLE %s.%s (id INT PRIMARY KEY, v INT)".formatted(schema, table),
          "INSERT INTO %s.%s VALUES (%d, 0)".formatted(schema, table, id),
          "CREATE TRIGGER %1$s.%2$s_note BEFORE INSERT ON %1$s.%2$s FOR EACH ROW SET @u = NEW.id"
              .formatted(schema, table),
          "CREATE TRIGGER %1$s.%2$s_up BEFORE UPDATE ON %1$s.%2$s FOR EACH ROW BEGIN SET NEW.v = scratch(); IF NEW.id = 3 THEN %3$s; END IF; END"
              .formatted(schema, table, FAIL),
          "CREATE TRIGGER %1$s.%2$s_del BEFORE DELETE ON %1$s.%2$s FOR EACH ROW BEGIN SET @u = OLD.id; IF OLD.id = 3 THEN %3$s; END IF; END"
              .formatted(schema, table, FAIL));
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @BeforeEach
  void clear() throws SQLException {
    server.execute("DELETE FROM it_failed.plain WHERE id < 100");
  }

  @Test
  void aTransactionThatWasBegunIsTheSessions() throws SQLException {
    for (String sql :
        List.of(
            "CALL transfer()",
            "CALL duplicate()",
            "CALL missing()",
            "EXECUTE IMMEDIATE 'CALL transfer()'",
            "BEGIN NOT ATOMIC START TRANSACTION; INSERT INTO plain VALUES (1); %s; END"
                .formatted(FAIL))) {
      try (Connection first = proxy.connect("failed")) {
        fails(first, sql);
        assertThat(rows(first, "SELECT id, @@in_transaction FROM plain WHERE id < 100"))
            .as(sql)
            .containsExactly("1,1");
        run(first, "ROLLBACK");
        assertThat(rows(first, "SELECT id FROM plain WHERE id < 100")).as(sql).isEmpty();
      }
    }
  }

  @Test
  void aTransactionThatWasForgottenReachesNobody() throws SQLException {
    for (String sql : List.of("CALL transfer()", "CALL duplicate()", "CALL missing()")) {
      try (Connection first = proxy.connect("failed")) {
        fails(first, sql);
      }
      try (Connection second = proxy.connect("failed")) {
        assertThat(rows(second, "SELECT id FROM plain WHERE id < 100")).as(sql).isEmpty();
        run(second, "INSERT INTO plain VALUES (5)");
      }
      try (Connection third = proxy.connect("failed")) {
        assertThat(rows(third, "SELECT id FROM plain WHERE id < 100")).as(sql).containsExactly("5");
        run(third, "DELETE FROM plain WHERE id = 5");
      }
    }
  }

  @Test
  void aTransactionThatWasEndedIsOver() throws SQLException {
    try (Connection first = proxy.connect("failed")) {
      run(first, "BEGIN");
      run(first, "INSERT INTO plain VALUES (3)");
      fails(first, "CALL finished()");
      assertThat(rows(first, "SELECT @@in_transaction")).containsExactly("0");
      run(first, "INSERT INTO plain VALUES (4)");
      run(first, "ROLLBACK");
      assertThat(rows(first, "SELECT id FROM plain WHERE id < 100")).containsExactly("2", "3", "4");
    }
  }

  /** What fails by a table that is not there has done nothing, unless it is a program. */
  @Test
  void keysOfAProgramAreTheSessions() throws SQLException {
    try (Connection first = proxy.connect("failed")) {
      run(first, "INSERT INTO keyed (n) VALUES (0)");
      fails(first, "CALL keys_first()");
      assertThat(rows(first, "SELECT LAST_INSERT_ID() = MAX(id), MAX(n) FROM keyed"))
          .containsExactly("1,1");
    }
    try (Connection second = proxy.connect("failed")) {
      assertThat(rows(second, "SELECT LAST_INSERT_ID()")).containsExactly("0");
      run(second, "UPDATE keyed SET n = n + 1 WHERE id = LAST_INSERT_ID()");
      run(second, "REPLACE INTO keyed SELECT MAX(id), 5 FROM keyed");
      assertThat(rows(second, "SELECT LAST_INSERT_ID()")).containsExactly("0");
    }
  }

  @Test
  void stateReachesNobodyElse() throws SQLException {
    for (String sql :
        List.of(
            "INSERT INTO guarded VALUES (7)",
            "SELECT scratch(), (SELECT 1 UNION SELECT 2)",
            "INSERT INTO plain SELECT 99 + scratch()",
            "UPDATE plain SET id = (SELECT scratch() UNION SELECT 2)",
            "SELECT @u := 3, (SELECT 1 UNION SELECT 2)",
            "INSERT INTO noted VALUES (3, 3), (1, 1)",
            "INSERT INTO noting VALUES (3, 3), (1, 1)",
            "UPDATE noted SET id = 2 WHERE id = 1",
            "SELECT (SELECT n FROM scratching UNION SELECT 2)",
            "SET @x = (SELECT n FROM scratching UNION SELECT 2)",
            "SET @x = 2, sql_mode = IF((SELECT n FROM scratching) = 1, 'no mode', '')",
            "BEGIN NOT ATOMIC SET @u = 4, autocommit = 0; %s; END".formatted(FAIL),
            "x: BEGIN NOT ATOMIC CREATE TEMPORARY TABLE tmp (n INT); %s; END".formatted(FAIL))) {
      try (Connection first = proxy.connect("failed")) {
        fails(first, sql);
      }
      isClean(sql);
    }
  }

  /** Neither are these told of where they succeed. */
  @Test
  void stateOfStatementsThatLookHarmlessReachesNobodyElse() throws SQLException {
    for (String sql :
        List.of(
            "SELECT scratch(), 'information_schema'",
            "SELECT sys.id, scratch() FROM plain AS sys",
            "CREATE TEMPORARY TABLE other SELECT scratch() AS n",
            "CREATE TEMPORARY TABLE other SELECT n FROM scratching",
            "SELECT n, 'information_schema' FROM scratching",
            "SET @x = (SELECT n FROM scratching)",
            "SET sql_mode = IF((SELECT n FROM scratching) = 1, @@sql_mode, '')")) {
      try (Connection first = proxy.connect("failed")) {
        run(first, sql);
        run(first, "DROP TEMPORARY TABLE IF EXISTS other");
      }
      isClean(sql);
    }
  }

  @Test
  void aProcedureThatSurvivesKillQueryKeepsItsSession() throws Exception {
    try (Connection first = proxy.connect("failed")) {
      String id = rows(first, "SELECT CONNECTION_ID()").getFirst();
      try (Connection killer = proxy.connect("")) {
        var running = CompletableFuture.supplyAsync(() -> Transcript.of(first, "CALL patient()"));
        Eventually.holds(
            "the procedure sleeps",
            () ->
                server
                    .queryOne(
                        "SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                            + " WHERE STATE = 'User sleep' AND DB = 'it_failed'")
                    .equals("1"));
        run(killer, "KILL QUERY " + id);
        assertThat(running.get(30, TimeUnit.SECONDS).isError()).isFalse();
      }
      assertThat(rows(first, "SELECT id, @@in_transaction FROM plain WHERE id < 100"))
          .containsExactly("9,1");
      run(first, "ROLLBACK");
      assertThat(rows(first, "SELECT id FROM plain WHERE id < 100")).isEmpty();
    }
  }

  @Test
  void autocommitThatAProgramSwitchesOffStaysOff() throws SQLException {
    for (String sql :
        List.of(
            "CALL holding()",
            "BEGIN NOT ATOMIC SET autocommit = 0; INSERT INTO plain VALUES (1); END",
            "EXECUTE IMMEDIATE 'CALL holding()'")) {
      try (Connection first = proxy.connect("failed")) {
        run(first, sql);
        assertThat(
                rows(first, "SELECT @@autocommit, id, @@in_transaction FROM plain WHERE id < 100"))
            .as(sql)
            .containsExactly("0,1,1");
        run(first, "ROLLBACK");
        run(first, "INSERT INTO plain VALUES (3)");
        assertThat(rows(first, "SELECT @@autocommit, @@in_transaction")).containsExactly("0,1");
        run(first, "ROLLBACK");
        run(first, "SET autocommit = 1");
        run(first, "INSERT INTO plain VALUES (4)");
        assertThat(
                rows(first, "SELECT @@autocommit, id, @@in_transaction FROM plain WHERE id < 100"))
            .as(sql)
            .containsExactly("1,4,0");
        run(first, "DELETE FROM plain WHERE id = 4");
      }
      isClean(sql);
    }
  }

  @Test
  void stateThatIsLeftOverShardsReachesNobodyElse() throws SQLException {
    for (String sql :
        List.of(
            "INSERT INTO t VALUES (4, 0), (5, 0), (0, 0), (1, 0), (2, 0), (3, 0)",
            "INSERT INTO t VALUES (5, 0), (1, 0)",
            "UPDATE t SET v = 1",
            "DELETE FROM t",
            "INSERT INTO dict VALUES (7, 7), (1, 1)",
            "SELECT id, scratch(), (SELECT 1 UNION SELECT 2) FROM t",
            "SELECT id, v, RANK() OVER (ORDER BY v), scratch(), (SELECT 1 UNION SELECT 2) FROM t")) {
      try (Connection first = proxy.connect("shop")) {
        fails(first, sql);
      }
      isCleanOverShards(sql);
    }
    for (String sql :
        List.of(
            "SELECT id, scratch() FROM t ORDER BY id",
            "SELECT id, scratch() + RANK() OVER (ORDER BY v) FROM t",
            "UPDATE t SET v = 2 WHERE id IN (0, 1, 2)")) {
      try (Connection first = proxy.connect("shop")) {
        run(first, sql);
      }
      isCleanOverShards(sql);
    }
  }

  @Test
  void autocommitThatAProgramSwitchesOnCommits() throws SQLException {
    try (Connection first = proxy.connect("failed")) {
      run(first, "SET autocommit = 0");
      assertThat(rows(first, "SELECT @@in_transaction + 0")).containsExactly("0");
      run(first, "INSERT INTO plain VALUES (1)");
      run(first, "BEGIN NOT ATOMIC INSERT INTO plain VALUES (2); SET autocommit = 1; END");
      run(first, "ROLLBACK");
      run(first, "INSERT INTO plain VALUES (3)");
      run(first, "ROLLBACK");
      assertThat(rows(first, "SELECT id, @@autocommit FROM plain WHERE id < 100"))
          .containsExactly("1,1", "2,1", "3,1");
      run(first, "DELETE FROM plain WHERE id < 100");
      run(first, "SET autocommit = 0");
      run(first, "CALL it_failed.nothing()");
      run(first, "INSERT INTO plain VALUES (4)");
      run(first, "CALL it_failed.nothing()");
      run(first, "ROLLBACK");
      assertThat(rows(first, "SELECT COUNT(*), @@autocommit FROM plain WHERE id < 100"))
          .containsExactly("0,0");
    }
    isClean("SET autocommit = 1");
  }

  @Test
  void autocommitThatAStatementInsideSwitchesOnCommits() throws SQLException {
    for (String last : List.of("EXECUTE IMMEDIATE 'SET autocommit = 1'", "EXECUTE s")) {
      try (Connection first = proxy.connect("failed")) {
        run(first, "SET autocommit = 0");
        run(first, "PREPARE s FROM 'SET autocommit = 1'");
        run(first, "INSERT INTO plain VALUES (1)");
        run(first, last);
        run(first, "ROLLBACK");
        assertThat(rows(first, "SELECT id, @@autocommit FROM plain WHERE id < 100"))
            .as(last)
            .containsExactly("1,1");
        run(first, "DELETE FROM plain WHERE id = 1");
      }
      isClean(last);
    }
  }

  @Test
  void savepointsThatAProgramEndsAreGone() throws SQLException {
    try (Connection first = proxy.connect("failed")) {
      run(first, "BEGIN");
      run(first, "SAVEPOINT a");
      fails(first, "CALL transfer()");
      assertThat(Transcript.of(first, "ROLLBACK TO a").head()).startsWith("error 1305 ");
      assertThat(Transcript.of(first, "RELEASE SAVEPOINT a").head()).startsWith("error 1305 ");
      run(first, "SAVEPOINT b");
      run(first, "INSERT INTO plain VALUES (2)");
      run(first, "ROLLBACK TO b");
      assertThat(rows(first, "SELECT id, @@in_transaction FROM plain WHERE id < 100"))
          .containsExactly("1,1");
      run(first, "ROLLBACK");
    }
    isClean("SAVEPOINT a");
  }

  /** Looks at both connections that either shard has at most. */
  private static void isCleanOverShards(String sql) throws SQLException {
    try (Connection second = proxy.connect("shop");
        Connection third = proxy.connect("shop")) {
      for (Connection one : List.of(second, third)) {
        run(one, "BEGIN");
        for (int id = 0; id < 2; id++) {
          assertThat(rows(one, "SELECT peek(), @u IS NULL FROM t WHERE id = " + id))
              .as("%s: shard %d", sql, id)
              .containsExactly("0,1");
        }
        assertThat(rows(one, "SELECT COUNT(*) FROM t")).as(sql).containsExactly("4");
      }
    }
  }

  private static void isClean(String sql) throws SQLException {
    try (Connection second = proxy.connect("failed")) {
      assertThat(rows(second, "SELECT @u IS NULL")).as(sql).containsExactly("1");
      fails(second, "SELECT * FROM tmp");
      run(second, "INSERT INTO plain VALUES (6)");
      run(second, "ROLLBACK");
      assertThat(rows(second, "SELECT id FROM plain WHERE id = 6")).as(sql).containsExactly("6");
      run(second, "DELETE FROM plain WHERE id = 6");
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void fails(Connection connection, String sql) throws SQLException {
    assertThat(Transcript.of(connection, sql).isError()).as(sql).isTrue();
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      var rows = new ArrayList<String>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        var row = new StringJoiner(",");
        for (int i = 1; i <= columns; i++) {
          row.add(result.getString(i));
        }
        rows.add(row.toString());
      }
      return rows;
    }
  }
}
