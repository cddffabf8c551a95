package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements whose subqueries and queries find their rows on the node of the row around them. */
@ExtendWith(MariaDbServers.Resolver.class)
class ColocatedIT {

  private static final String TIED = "i.order_id = o.order_id AND i.user_id = o.user_id";

  private static WritesFixture fixture;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_colocated");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    plain = fixture.onPlain();
    proxied = fixture.throughProxy();
    fixture.rows().forEach(this::both);
    both("DELETE FROM t_item WHERE order_id % 4 = 0");
    both("INSERT INTO t_item VALUES (700, 700, 77, 'alone', 1)");
    both(
        "INSERT INTO t_item SELECT item_id + 100, order_id, user_id, 'more', quantity * 3 FROM t_item WHERE order_id % 3 = 0");
  }

  @AfterEach
  void disconnect() throws SQLException {
    WritesFixture.EMPTYING.forEach(this::both);
    plain.close();
    proxied.close();
  }

  private void both(String sql) {
    Transcript expected = Transcript.of(plain, sql);
    assertThat(Transcript.of(proxied, sql).withSortedWarnings())
        .as(sql)
        .isEqualTo(expected.withSortedWarnings());
  }

  /** What the proxy does, by the first word of EXPLAIN ROUTE's answer. */
  private boolean isStaged(String sql) {
    return Transcript.of(proxied, "EXPLAIN ROUTE " + sql).rows().toString().contains("ab_stage_");
  }

  static List<String> queries() {
    return List.of(
        "SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_item i WHERE %s AND i.quantity > 1) ORDER BY 1",
        "SELECT o.order_id FROM t_order o WHERE NOT EXISTS (SELECT 1 FROM t_item i WHERE %s) ORDER BY 1",
        "SELECT o.order_id, (SELECT MAX(i.quantity) FROM t_item i WHERE %s) AS m FROM t_order o ORDER BY m DESC, o.order_id LIMIT 4, 7",
        "SELECT COUNT(*) FROM t_order o WHERE NOT EXISTS (SELECT 1 FROM t_item i WHERE %s AND i.user_id = 1)",
        "SELECT o.status, SUM(o.total) FROM t_order o WHERE 2 < (SELECT SUM(quantity) FROM t_item i WHERE %s) GROUP BY o.status ORDER BY 1",
        "SELECT o.order_id FROM t_order o WHERE o.total > ALL (SELECT i.quantity FROM t_item i WHERE %s) ORDER BY 1 DESC",
        "SELECT o.order_id FROM t_order o WHERE 'sku1' IN (SELECT i.sku FROM t_item i WHERE %s UNION SELECT i.sku FROM t_item i WHERE %s AND quantity > 2) ORDER BY 1",
        "SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_item i WHERE %s AND EXISTS (SELECT 1 FROM t_order n WHERE n.order_id = i.order_id AND n.user_id = i.user_id AND n.total > i.quantity)) ORDER BY 1",
        "SELECT o.order_id FROM t_order o LEFT JOIN t_item i ON %s WHERE i.item_id IS NULL OR EXISTS (SELECT 1 FROM t_item j JOIN t_dict d ON d.code = j.quantity WHERE j.order_id = o.order_id AND j.user_id = i.user_id) ORDER BY 1",
        "SELECT DISTINCT (SELECT COUNT(*) FROM t_item i WHERE %s) AS n FROM t_order o ORDER BY n");
  }

  @ParameterizedTest
  @MethodSource("queries")
  void queriesRunOnEachNode(String form) {
    String sql = form.replace("%s", TIED);
    both(sql);
    assertThat(isStaged(sql)).as(sql).isFalse();
    both(
        sql.replace(
            " t_order o WHERE ", " t_order o WHERE o.user_id = 2 AND o.order_id = 12 AND "));
  }

  /** Whichever comes first, and whatever node of the sharded table is the first one. */
  @Test
  void singleTablesOfTwoDataSourcesAreJoined() {
    for (String from :
        List.of(
            "t_order o, t_conf c, t_far f WHERE o.order_id = c.k AND f.k = c.k",
            "t_far f JOIN t_conf c USING (k) JOIN t_order o ON o.order_id = k WHERE TRUE",
            "t_order o LEFT JOIN t_far f ON o.order_id = f.k LEFT JOIN t_conf c ON c.k = f.k WHERE TRUE",
            "t_order o JOIN t_item i USING (order_id, user_id), t_conf c, t_far f WHERE order_id = c.k AND f.k < 9")) {
      both("SELECT COUNT(*), MAX(f.v), MIN(c.v) FROM " + from);
      both("SELECT COUNT(*) FROM " + from + " AND o.user_id = 1");
      both("SELECT o.status, c.v FROM " + from + " ORDER BY 1, 2");
    }
  }

  /** To ON of a join tables in front of a comma are unknown. */
  @Test
  void onKnowsNothingInFrontOfAComma() {
    both(
        "SELECT i.item_id, d.user_id FROM t_item i, (SELECT 1 AS user_id) d JOIN t_dict x ON user_id = 1 ORDER BY 1, x.code");
  }

  /** USING makes one column of those that it names, and of no others. */
  @Test
  void otherNamesThanThoseOfUsingRoute() {
    String sql =
        "SELECT o.order_id, status FROM t_order o JOIN (SELECT 'paid' AS status UNION SELECT 'new') d USING (status) WHERE user_id = 2 AND order_id = 2 ORDER BY 2";
    both(sql);
    assertThat(isStaged(sql)).isFalse();
  }

  /** Where a subquery may see other rows, or is a value of all rows, copies are made. */
  @ParameterizedTest
  @MethodSource("others")
  void queriesThatNeedOtherNodesAreStaged(String sql) {
    both(sql);
    assertThat(isStaged(sql)).as(sql).isTrue();
  }

  /** Tables of numbers that every server has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM seq_1_to_3",
        "SELECT * FROM seq_1_to_9_step_4 s ORDER BY seq DESC",
        "SELECT a.seq, b.seq FROM seq_1_to_3 a, seq_1_to_3 b ORDER BY 1, 2",
        "SELECT s.seq, o.order_id FROM seq_1_to_30 s JOIN t_order o ON o.order_id = s.seq ORDER BY 1",
        "SELECT seq_0_to_4.seq, COUNT(user_id) FROM seq_0_to_4 LEFT JOIN t_order ON user_id = seq GROUP BY seq ORDER BY seq",
        "SELECT order_id FROM t_order WHERE order_id IN (SELECT seq FROM seq_1_to_40_step_3) ORDER BY 1",
        "SELECT seq FROM seq_1_to_40 WHERE seq NOT IN (SELECT order_id FROM t_order) ORDER BY 1",
        "SELECT seq FROM seq_1_to_3 UNION SELECT order_id FROM t_order ORDER BY 1",
        "SELECT SUM(seq), (SELECT MAX(order_id) FROM t_order) FROM seq_1_to_100"
      })
  void numbersAreEverywhere(String sql) {
    both(sql);
  }

  static Stream<String> others() {
    return Stream.of(
        "SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_item i WHERE i.order_id = o.order_id + 1 AND i.user_id = o.user_id) ORDER BY 1",
        "SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_item i WHERE (i.order_id = o.order_id AND i.user_id = o.user_id) OR i.quantity > 20) ORDER BY 1",
        "SELECT o.order_id FROM t_order o WHERE (SELECT COUNT(*) FROM t_order p LEFT JOIN t_item i ON i.order_id = p.order_id AND i.user_id = p.user_id AND i.order_id = o.order_id AND i.user_id = o.user_id WHERE p.user_id = 1) > 3 ORDER BY 1",
        "SELECT (SELECT SUM(o.total) FROM t_dict d LIMIT 1) FROM t_order o",
        // what follows two tables does not bring them together
        "SELECT a.order_id, b.order_id, i.item_id FROM t_order a JOIN t_order b ON b.status = a.status LEFT JOIN t_item i ON i.order_id = a.order_id AND i.user_id = a.user_id AND i.order_id = b.order_id AND i.user_id = b.user_id ORDER BY 1, 2, 3",
        "SELECT COUNT(*), COUNT(i.item_id) FROM t_order a CROSS JOIN t_order b LEFT JOIN t_item i ON i.order_id = b.order_id AND i.user_id = b.user_id AND i.order_id = a.order_id AND i.user_id = a.user_id WHERE a.order_id <= 3 AND b.order_id > 3",
        "SELECT a.order_id, b.order_id, (SELECT COUNT(i.item_id) FROM t_order j LEFT JOIN t_item i ON i.order_id = j.order_id AND i.user_id = j.user_id AND i.order_id = a.order_id AND i.user_id = a.user_id WHERE j.order_id = b.order_id AND j.user_id = b.user_id) AS n FROM t_order a, t_order b WHERE a.order_id < 6 ORDER BY 1, 2",
        // USING is about the column that the left side has, which may be a derived table's
        "SELECT d.user_id, d.order_id, a.status, b.sku FROM (SELECT 77 AS user_id, 700 AS order_id UNION ALL SELECT user_id, order_id FROM t_item WHERE item_id < 4) d LEFT JOIN t_order a USING (user_id, order_id) LEFT JOIN t_item b USING (user_id, order_id) ORDER BY 1, 2, 4",
        // ON knows the tables of its join only: quantity is the common table's
        "WITH d AS (SELECT 3 AS quantity, 1 AS id) SELECT i.item_id FROM d JOIN t_order o ON quantity = 3 AND o.user_id = d.id JOIN t_item i ON i.user_id = o.user_id ORDER BY 1",
        "SELECT x.n, i.item_id FROM (SELECT 1 AS n) x, (SELECT 5 AS quantity) d JOIN t_order o ON quantity = 5 JOIN t_item i ON i.user_id = o.user_id ORDER BY 1, 2",
        "SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM (SELECT 1 AS order_id) o, t_item i WHERE i.order_id = o.order_id AND i.user_id = 1) ORDER BY 1");
  }

  static Stream<String> changes() {
    return Stream.of(
        "UPDATE t_order o SET o.total = (SELECT SUM(quantity) FROM t_item i WHERE %s) WHERE order_id > 5",
        "UPDATE t_order o SET o.note = 'none' WHERE NOT EXISTS (SELECT 1 FROM t_item i WHERE %s)",
        "DELETE FROM t_item WHERE EXISTS (SELECT 1 FROM t_order o WHERE o.order_id = t_item.order_id AND o.user_id = t_item.user_id AND o.status = 'paid')",
        "UPDATE t_order o SET o.user_id = o.user_id + 1 WHERE EXISTS (SELECT 1 FROM t_item i WHERE %s AND quantity > 2)",
        "DELETE FROM t_order WHERE NOT EXISTS (SELECT 1 FROM t_item i WHERE i.order_id = t_order.order_id AND i.user_id = t_order.user_id) ORDER BY order_id LIMIT 2",
        "INSERT INTO t_item (item_id, order_id, user_id, sku) SELECT 500, order_id, user_id, status FROM t_order WHERE order_id > 3",
        "INSERT INTO t_item SELECT item_id + 300, order_id, user_id, sku, quantity FROM t_item",
        "INSERT INTO t_item (item_id, order_id, user_id, sku) SELECT 1, o.order_id, i.user_id, o.status FROM t_order o JOIN t_item i ON %s WHERE i.item_id < 100 ON DUPLICATE KEY UPDATE quantity = o.total, t_item.sku = CONCAT(t_item.sku, '!')",
        "REPLACE INTO t_item (item_id, order_id, user_id, sku) SELECT order_id, order_id, user_id, 'r' FROM t_order",
        "REPLACE INTO t_item (item_id, order_id, user_id, sku) SELECT order_id, order_id, user_id, 'r' FROM t_order WHERE user_id = 2 AND order_id = 2",
        "INSERT IGNORE INTO t_item (item_id, order_id, user_id, sku) SELECT order_id, order_id, user_id, 'r' FROM t_order",
        "INSERT INTO t_item (item_id, order_id, user_id) SELECT 502, order_id, user_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_item i WHERE %s AND i.quantity > 1)",
        "INSERT INTO t_item (item_id, order_id, user_id) SELECT o.order_id, o.order_id, o.user_id FROM t_order o");
  }

  @ParameterizedTest
  @MethodSource("changes")
  void changesRunOnEachNode(String form) throws SQLException {
    String sql = form.replace("%s", TIED);
    Transcript expected = Transcript.of(plain, sql);
    Transcript answer = Transcript.of(proxied, sql);
    if (expected.isError()) {
      expected = expected.withoutMessage();
      answer = answer.withoutMessage();
    }
    assertThat(answer.withSortedWarnings()).as(sql).isEqualTo(expected.withSortedWarnings());
    WritesFixture.CONTENTS.forEach(this::both);
  }
}
