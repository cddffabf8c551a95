package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.table.ShardedPair;
import io.anabranch.testkit.MariaDbServers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unique keys of sharded tables that no node can keep unique: warned of, or refused. */
@ExtendWith(MariaDbServers.Resolver.class)
class LooseKeysIT {

  private static ShardedPair warning;
  private static ShardedPair refusing;

  @BeforeAll
  static void start(MariaDbServers servers) {
    ShardedPair.Server server = ShardedPair.of(servers);
    warning = ShardedPair.start(server, "it_loose");
    refusing = ShardedPair.start(server, "it_strict", "uniqueKeysWithoutShardingColumns: REFUSE");
  }

  @AfterAll
  static void stop() {
    warning.close();
    refusing.close();
  }

  @BeforeEach
  void anew() throws SQLException {
    for (ShardedPair each : List.of(warning, refusing)) {
      each.run("DROP TABLE IF EXISTS u", "DROP TABLE IF EXISTS made", "DROP TABLE IF EXISTS plain");
      each.run("CREATE TABLE made (id BIGINT PRIMARY KEY, user_id INT, code INT)");
    }
    refusing.run("CREATE TABLE plain (id INT PRIMARY KEY, user_id INT)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE u (id INT PRIMARY KEY, user_id INT)",
        "CREATE TABLE u (id INT KEY, user_id INT)",
        "CREATE TABLE u (id INT, user_id INT, PRIMARY KEY (id))",
        "CREATE TABLE u (id INT UNIQUE, user_id INT)",
        "CREATE TABLE u (id INT UNIQUE KEY, user_id INT)",
        "CREATE TABLE u (id SERIAL, user_id INT)",
        "CREATE TABLE u (id INT, user_id INT, UNIQUE KEY k (id))",
        "CREATE TABLE u (id INT, user_id INT, UNIQUE INDEX (id))",
        "CREATE TABLE u (id INT, user_id INT, CONSTRAINT c UNIQUE (id))",
        "CREATE TABLE u (id INT, user_id INT, CONSTRAINT UNIQUE k USING BTREE (id))",
        "CREATE TABLE IF NOT EXISTS u (id INT, user_id INT, CONSTRAINT PRIMARY KEY (id))",
        "CREATE OR REPLACE TABLE u (id INT, user_id INT, PRIMARY KEY (id))",
        "CREATE TABLE u LIKE plain",
        "CREATE TABLE u (PRIMARY KEY (id)) SELECT 1 AS id, 1 AS user_id",
        "CREATE UNIQUE INDEX k ON made (code)",
        "ALTER TABLE made ADD UNIQUE (code)",
        "ALTER TABLE made ADD UNIQUE KEY k (code), ADD COLUMN c INT",
        "ALTER TABLE made ADD COLUMN c INT UNIQUE",
        "ALTER TABLE made ADD (c INT, UNIQUE KEY k (c))",
        "ALTER TABLE made ADD CONSTRAINT k UNIQUE (code)",
        "ALTER TABLE made MODIFY code INT UNIQUE",
        "ALTER TABLE made CHANGE code code2 INT UNIQUE",
        "ALTER TABLE made DROP PRIMARY KEY, ADD PRIMARY KEY (code)"
      })
  void keysWithoutShardingColumns(String sql) throws SQLException {
    if (!sql.contains("LIKE plain")) {
      assertThat(warning.warnings(sql)).anyMatch(told -> told.startsWith("32050 AB2050: "));
    }
    assertThat(refusing.refusal(sql)).startsWith("1503 ").contains("AB2050");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE u (id INT, user_id INT PRIMARY KEY)",
        "CREATE TABLE u (id INT, user_id INT, PRIMARY KEY (id, user_id), UNIQUE (user_id))",
        "CREATE TABLE u (id INT, user_id INT, KEY (id))",
        "CREATE UNIQUE INDEX k ON made (code, user_id)",
        "CREATE UNIQUE INDEX k ON made (code, id)",
        "CREATE INDEX k ON made (code)",
        "ALTER TABLE made ADD COLUMN c INT COMMENT 'UNIQUE'",
        "ALTER TABLE made ADD CONSTRAINT c CHECK (code > 0)"
      })
  void keysThatHoldOverNodes(String sql) throws SQLException {
    assertThat(warning.warnings(sql)).isEmpty();
    assertThat(refusing.warnings(sql)).isEmpty();
  }

  /** The collation of a new table is known once it is there. */
  @Test
  void textsThatAreEqualMayLieOnDifferentNodes() throws SQLException {
    String table = "CREATE OR REPLACE TABLE word (w VARCHAR(9) COLLATE %s, KEY (w))";
    for (String loose : List.of("utf8mb4_general_ci", "latin1_general_cs")) {
      for (ShardedPair each : List.of(warning, refusing)) {
        assertThat(each.warnings(table.formatted(loose).replace("KEY", "PRIMARY KEY")))
            .anyMatch(
                told -> told.startsWith("32050 AB2050: ") && told.contains("binary collation"));
        each.run(table.formatted(loose));
      }
      assertThat(refusing.refusal("ALTER TABLE word ADD UNIQUE k (w)")).startsWith("1503 ");
      assertThat(warning.warnings("CREATE UNIQUE INDEX k ON word (w)")).hasSize(1);
    }
    String sure = table.formatted("utf8mb4_bin").replace("KEY", "PRIMARY KEY");
    assertThat(warning.warnings(sure)).isEmpty();
    assertThat(refusing.warnings(sure)).isEmpty();
    for (ShardedPair each : List.of(warning, refusing)) {
      each.run("DROP TABLE word");
    }
  }

  @Test
  void columnsThatEachNodeWouldCountAreWarnedOf() throws SQLException {
    assertThat(
            warning.warnings(
                "CREATE TABLE u (id INT AUTO_INCREMENT, user_id INT, PRIMARY KEY (id, user_id))"))
        .anyMatch(told -> told.contains("AUTO_INCREMENT") && told.contains("keyGenerateStrategy"));
    assertThat(warning.warnings("CREATE OR REPLACE TABLE u (id INT)"))
        .anyMatch(told -> told.contains("without its sharding column 'user_id'"));
  }
}
