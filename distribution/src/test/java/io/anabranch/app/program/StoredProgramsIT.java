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
        "CALL looks()",
        "DROP PROCEDURE keep",
        "DROP FUNCTION worded");
  }
}
