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
import org.junit.jupiter.params.provider.ValueSource;

/** Stored functions work where rows are; programs do not write to one copy of a broadcast table. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class RoutinesIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_routines");
    fixture.same(fixture.rows().toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void functionsAreCalledWhereRowsAre() throws SQLException {
    fixture.same(
        "CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN n * 2",
        "CREATE OR REPLACE FUNCTION called(c INT) RETURNS VARCHAR(40) READS SQL DATA BEGIN"
            + " DECLARE found VARCHAR(40); SELECT name INTO found FROM t_dict WHERE code = c;"
            + " RETURN IFNULL(found, 'nobody'); END",
        "SELECT twice(21)",
        "SELECT order_id, twice(order_id), called(order_id) FROM t_order WHERE twice(user_id) > 2 ORDER BY 1",
        "SELECT SUM(twice(quantity)) FROM t_item",
        "SELECT twice(k) FROM t_far ORDER BY 1",
        "CREATE FUNCTION twice(n INT) RETURNS INT RETURN 0",
        "DROP FUNCTION called",
        "DROP FUNCTION twice",
        "DROP FUNCTION twice",
        "DROP FUNCTION IF EXISTS twice");
  }

  /** The time that a function tells is the statement's, on all data sources. */
  @Test
  void functionsHaveOneMoment() throws SQLException {
    fixture.same(
        "CREATE FUNCTION moment() RETURNS DATETIME(6) NO SQL RETURN NOW(6)",
        "SELECT COUNT(DISTINCT moment()) FROM t_order",
        "SELECT COUNT(DISTINCT o.m) FROM (SELECT `moment`() AS m FROM t_order) o",
        "SELECT COUNT(DISTINCT moment(), NOW(6)) FROM t_log",
        "DROP FUNCTION moment");
  }

  @Test
  void whatReadsSingleTablesLivesBesideThem() throws SQLException {
    fixture.same(
        "CREATE FUNCTION settings() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM t_conf)",
        "DROP FUNCTION settings",
        "CREATE PROCEDURE shows() SELECT COUNT(*) FROM t_conf",
        "CALL shows()",
        "DROP PROCEDURE shows");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE PROCEDURE p() INSERT INTO t_dict (code) VALUES (9)",
        "CREATE PROCEDURE p(n INT) BEGIN IF n > 0 THEN UPDATE t_dict SET name = 'x'; END IF; END",
        "CREATE FUNCTION p() RETURNS INT BEGIN DELETE FROM t_dict; RETURN 1; END",
        "CREATE EVENT p ON SCHEDULE EVERY 1 DAY DO DELETE FROM t_dict",
        "CREATE FUNCTION p() RETURNS INT RETURN (SELECT COUNT(*) FROM t_order)",
        "CREATE PROCEDURE p() SELECT * FROM t_order",
      })
  void isRefusedByName(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.isRefusal()).as("%s: %s", sql, answer.head()).isTrue();
    }
  }
}
