package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WITH over shards, its tables read in several places, is answered as by one database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class CommonTablesIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_common_tables");
    fixture.same(fixture.rows().toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH s AS (SELECT user_id, SUM(total) t FROM t_order GROUP BY user_id), m AS (SELECT MAX(t) mt FROM s) SELECT s.* FROM s, m WHERE s.t = m.mt",
        "WITH s AS (SELECT order_id, user_id FROM t_order) SELECT a.order_id, b.user_id FROM s a JOIN s b ON a.user_id = b.user_id AND a.order_id < b.order_id ORDER BY 1, 2, b.order_id",
        "WITH s AS (SELECT order_id, user_id FROM t_order) SELECT s.order_id FROM s WHERE s.user_id IN (SELECT user_id FROM s AS x WHERE x.order_id > 20) ORDER BY 1",
        "WITH s (a, b) AS (SELECT order_id, user_id FROM t_order WHERE order_id < 9) SELECT p.a, q.b FROM s p, s q WHERE p.a = q.b ORDER BY 1, 2",
        "WITH s (a, b) AS (SELECT order_id, user_id FROM t_order WHERE order_id < 9) SELECT s.a FROM s UNION ALL SELECT s.b FROM s ORDER BY 1",
        "WITH a AS (SELECT order_id o FROM t_order), b AS (SELECT x.o FROM a x JOIN a y ON x.o = y.o + 1), c AS (SELECT COUNT(*) n FROM b) SELECT b.o, c.n FROM b, c ORDER BY b.o",
        "WITH RECURSIVE r AS (SELECT MIN(order_id) n FROM t_order UNION ALL SELECT n + 1 FROM r WHERE n < 6) SELECT x.n, y.n FROM r x JOIN r y ON x.n = y.n - 1 ORDER BY 1",
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4), s AS (SELECT order_id FROM t_order JOIN r ON n = order_id) SELECT s.order_id, r.n FROM s, r, s AS z WHERE z.order_id = r.n ORDER BY 1, 2",
        "WITH s AS (SELECT order_id FROM t_order WHERE user_id = 1) SELECT (SELECT MAX(order_id) FROM s), (SELECT MIN(order_id) FROM s), COUNT(*) FROM s",
        "SELECT * FROM (WITH s AS (SELECT user_id u FROM t_order) SELECT a.u FROM s a, s b WHERE a.u = b.u GROUP BY a.u) d ORDER BY u",
        "WITH t_order AS (SELECT order_id AS k FROM t_order WHERE order_id < 5) SELECT a.k FROM t_order a JOIN t_order b ON a.k = b.k ORDER BY 1",
        "WITH s AS (WITH i AS (SELECT order_id FROM t_order) SELECT p.order_id FROM i p JOIN i q ON p.order_id = q.order_id) SELECT a.order_id FROM s a JOIN s b ON a.order_id = b.order_id + 1 ORDER BY 1",
        "WITH s AS (SELECT order_id, ROW_NUMBER() OVER (ORDER BY order_id) rn FROM t_order) SELECT a.order_id, b.order_id FROM s a LEFT JOIN s b ON a.rn = b.rn - 1 ORDER BY 1",
        "WITH s AS (SELECT order_id, total FROM t_order ORDER BY total DESC, order_id LIMIT 3) SELECT a.order_id FROM s a JOIN s b ON b.order_id = a.order_id ORDER BY 1",
        "WITH s AS (SELECT note AS `a b` FROM t_order WHERE note LIKE '%1%') SELECT s.`a b`, (SELECT COUNT(*) FROM s) FROM s ORDER BY 1",
      })
  void areReadInSeveralPlaces(String sql) throws SQLException {
    fixture.same(sql);
    try (Connection proxied = fixture.throughProxy("useServerPrepStmts=true");
        Connection plain = fixture.onPlain("useServerPrepStmts=true")) {
      new Comparison(
              proxied, plain, answer -> answer.replace(fixture.schema + "_plain", fixture.schema))
          .samePrepared(sql);
    }
  }

  /** Literals and parameters of the table's query are in each of the places. */
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 24})
  void takeTheirParametersAlong(int most) throws SQLException {
    String sql =
        "WITH s AS (SELECT order_id o, ? AS p FROM t_order WHERE order_id <= ?)"
            + " SELECT a.o, b.p FROM s a JOIN s b ON a.o = b.o WHERE a.o > ? ORDER BY a.o";
    Object[] values = {"x", most, 2};
    for (String option : List.of("useServerPrepStmts=true", "useServerPrepStmts=false")) {
      try (Connection proxied = fixture.throughProxy(option);
          Connection plain = fixture.onPlain(option)) {
        assertThat(Transcript.of(proxied, sql, values).rows())
            .isEqualTo(Transcript.of(plain, sql, values).rows());
      }
    }
  }
}
