package io.anabranch.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Procedures and functions of a sharded database: what they may name, and what they are told. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class StoredProgramsIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_stored_programs");
    fixture.same(fixture.rows().toArray(String[]::new));
    fixture.same("CREATE VIEW v_orders AS SELECT order_id, user_id FROM t_order");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "CREATE PROCEDURE p() SELECT COUNT(*) FROM t_order | the sharded table 't_order' in a stored procedure",
        "CREATE PROCEDURE p() BEGIN DELETE FROM t_item WHERE order_id = 1; END | the sharded table 't_item' in a stored",
        "CREATE PROCEDURE p(IN n INT) UPDATE t_order SET note = 'x' WHERE order_id = n | the sharded table 't_order'",
        "CREATE PROCEDURE p() INSERT INTO t_conf (v) SELECT note FROM t_order | the sharded table 't_order'",
        "CREATE PROCEDURE p() SELECT COUNT(*) FROM v_orders | the view 'v_orders' over sharded tables in a stored procedure",
        "CREATE PROCEDURE p() SELECT c.v FROM t_conf c JOIN t_far f ON f.k = c.k | the table 't_far' of 'ds_1' in a stored procedure",
        "CREATE PROCEDURE p() UPDATE t_far SET v = 'x' | the table 't_far' of 'ds_1' in a stored procedure",
        "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN (SELECT COUNT(*) FROM v_orders) | 'v_orders' over sharded tables in a stored function",
        "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN (SELECT MAX(k) FROM t_far) | 't_far' of 'ds_1' in a stored function",
        "CREATE PROCEDURE p() UPDATE t_dict SET name = 'x' | of the broadcast table 't_dict' in a stored program",
        "CREATE PROCEDURE p() TRUNCATE TABLE t_order | the sharded table 't_order'",
        "CREATE PROCEDURE p() UPDATE t_conf c JOIN t_dict d ON d.code = c.k SET d.name = 'x' | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() UPDATE t_conf c, t_dict d SET d.name = 'x' WHERE d.code = c.k | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() DELETE d FROM t_dict d JOIN t_conf c ON d.code = c.k | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() DELETE FROM d USING t_conf c JOIN t_dict d ON d.code = c.k | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() WITH w AS (SELECT k FROM t_conf) DELETE FROM t_dict WHERE code IN (SELECT k FROM w) | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR NOT FOUND UPDATE t_dict SET name = 'x'; SELECT 1; END | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '23000' DELETE FROM t_dict; SELECT 1; END | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() TRUNCATE TABLE t_dict | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION TRUNCATE TABLE t_dict; SELECT 1; END | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() CREATE INDEX i ON t_dict (name) | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() DROP INDEX i ON t_dict | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() TRUNCATE t_dict | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() BEGIN SELECT 1; ALTER TABLE t_dict ADD COLUMN x INT; END | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() DROP TABLE IF EXISTS t_conf, t_dict | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() RENAME TABLE t_conf TO t_kept, t_dict TO t_moved | the broadcast table 't_dict'",
        "CREATE PROCEDURE p() BEGIN INSERT INTO t_conf (v) VALUES ('x') ON DUPLICATE KEY UPDATE v = 'y'; REPLACE INTO t_dict VALUES (1, 'x'); END | the broadcast table 't_dict'",
      })
  void whatLiesElsewhereIsRefusedByName(String sql, String reason) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      String answer = Transcript.of(proxied, sql).head();
      assertThat(answer).as(sql).contains("AB2002").contains(reason);
    }
  }

  @Test
  void whatLiesBesideThemIsUsed() throws SQLException {
    fixture.same(
        "CREATE FUNCTION worded(n INT) RETURNS VARCHAR(40) READS SQL DATA RETURN (SELECT MAX(name) FROM t_dict WHERE code = n)",
        "SELECT order_id, worded(order_id) AS w FROM t_order WHERE order_id < 5 ORDER BY order_id",
        "CREATE PROCEDURE keep(IN word VARCHAR(40)) BEGIN INSERT INTO t_conf (k, v) VALUES (50, word);"
            + " SELECT c.k, c.v, d.name FROM t_conf c LEFT JOIN t_dict d ON d.code = c.k ORDER BY c.k; END",
        "CALL keep('kept')",
        "SELECT * FROM t_conf ORDER BY k",
        "CREATE PROCEDURE looks() SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'mysql'",
        "CALL looks()",
        "DROP PROCEDURE looks",
        "CREATE PROCEDURE edits() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'failed';"
            + " UPDATE t_conf SET v = CASE WHEN k > 3 THEN REPLACE(v, 'x', 'y') ELSE INSERT(v, 1, 0, TRUNCATE(k, 0)) END;"
            + " DELETE c FROM t_conf c JOIN t_conf d USING (k) WHERE c.k < 0;"
            + " UPDATE t_conf SET v = REPLACE(INSERT(v, 1, 0, 'a'), 'a', 'b') WHERE k IN (SELECT code FROM t_dict);"
            + " INSERT INTO t_conf (k, v) SELECT k, v FROM t_conf c ON DUPLICATE KEY UPDATE v = 'twice';"
            + " SELECT k, v FROM t_conf ORDER BY k FOR UPDATE; END",
        "CALL edits()",
        "DROP PROCEDURE edits",
        "CALL looks()",
        "DROP PROCEDURE keep",
        "DROP FUNCTION worded");
  }
}
