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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MariaDB's CREATE AGGREGATE FUNCTION, over rows of several shards. */
@ExtendWith(MariaDbServers.Resolver.class)
class StoredAggregatesIT {

  private static final String[] FUNCTIONS = {
    "CREATE AGGREGATE FUNCTION total_of(x DECIMAL(20,2)) RETURNS DECIMAL(20,2) DETERMINISTIC"
        + " BEGIN DECLARE s DECIMAL(20,2) DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND RETURN s;"
        + " LOOP FETCH GROUP NEXT ROW; SET s = s + IFNULL(x, 0); END LOOP; END",
    "CREATE AGGREGATE FUNCTION weighed(x INT, y INT) RETURNS INT DETERMINISTIC"
        + " BEGIN DECLARE s INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND RETURN s;"
        + " LOOP FETCH GROUP NEXT ROW; SET s = s + x * y; END LOOP; END",
    "CREATE FUNCTION plus_one(x INT) RETURNS INT DETERMINISTIC RETURN x + 1",
  };

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_stored_aggregates");
    fixture.same(fixture.rows().toArray(String[]::new));
    fixture.same(FUNCTIONS);
    fixture.same(
        "CREATE VIEW v_totals AS SELECT user_id, total_of(total) AS t FROM t_order GROUP BY user_id");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT total_of(total) AS t FROM t_order",
        "SELECT TOTAL_OF( total ) + 1, COUNT(*), plus_one(MAX(order_id)) FROM t_order WHERE order_id > 3",
        "SELECT status, it_stored_aggregates.`total_of`(total) AS t FROM t_order GROUP BY status ORDER BY status",
        "SELECT user_id, total_of(total) AS t FROM t_order GROUP BY user_id HAVING t > 50 ORDER BY t DESC, user_id",
        "SELECT weighed(i.quantity, COALESCE(o.user_id, 1)) AS w FROM t_order o JOIN t_item i"
            + " ON o.order_id = i.order_id AND o.user_id = i.user_id",
        "SELECT total_of(weight) FROM t_order WHERE user_id = 1 AND order_id = 1",
        "SELECT t FROM (SELECT total_of(total) AS t FROM t_order) d",
        "SELECT order_id FROM t_order WHERE total > (SELECT total_of(total) / 20 FROM t_order) ORDER BY order_id",
        "SELECT * FROM v_totals ORDER BY user_id",
        "SELECT plus_one(order_id) FROM t_order ORDER BY 1",
        "SELECT total_of(code) FROM t_dict",
        "SELECT total_of(order_id) FROM t_order WHERE order_id < 0",
      })
  void areComputedOverAllRows(String sql) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      Transcript expected = Transcript.of(plain, sql.replace("it_stored_aggregates.", ""));
      assertThat(expected.isError()).as(expected.head()).isFalse();
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.rows()).as("%s: %s", sql, answer.head()).isEqualTo(expected.rows());
    }
  }
}
