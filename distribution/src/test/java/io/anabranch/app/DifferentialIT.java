package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated statements give the same answers through the proxy over two data sources with four
 * tables each as on one plain database: values, types, order, affected rows, error numbers. What
 * the proxy refuses is not compared but counted; it must stay the exception. A failure names the
 * seed and the statement.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class DifferentialIT {

  private static final int ROUNDS = 150;
  private static final double REFUSED_AT_MOST = 0.1;

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) {
    fixture = ShardedFixture.start(servers, "it_differential");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theProxyAnswersAsOneDatabase(long seed) throws SQLException {
    String[] protocol = seed % 2 == 0 ? new String[] {"useServerPrepStmts=true"} : new String[0];
    var generator = new StatementGenerator(seed);
    var refusals = new TreeMap<String, Integer>();
    int compared = 0;
    try (Connection plain = fixture.onPlain(protocol);
        Connection proxied = fixture.throughProxy(protocol)) {
      var softly = new SoftAssertions();
      for (String table : new String[] {"t_order", "t_item"}) {
        Transcript.of(plain, "DROP TABLE " + table);
        Transcript.of(proxied, "DROP TABLE " + table);
      }
      for (String sql : StatementGenerator.schema()) {
        assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(Transcript.of(plain, sql));
      }
      compare(softly, seed, plain, proxied, generator.insert(40), refusals);
      for (int round = 0; round < ROUNDS; round++) {
        String sql = round % 5 == 0 ? generator.change() : generator.query();
        if (compare(softly, seed, plain, proxied, sql, refusals)) {
          compared++;
        }
      }
      compare(
          softly,
          seed,
          plain,
          proxied,
          "SELECT * FROM t_order ORDER BY order_id, user_id",
          refusals);
      softly
          .assertThat(compared)
          .as("seed %d: refused %s", seed, refusals)
          .isGreaterThan((int) (ROUNDS * (1 - REFUSED_AT_MOST)));
      softly.assertAll();
    }
  }

  /** {@code -Ddifferential.seeds=1,100} draws from the first to the last of these. */
  static LongStream seeds() {
    String[] range = System.getProperty("differential.seeds", "1,6").split(",", -1);
    return LongStream.rangeClosed(Long.parseLong(range[0]), Long.parseLong(range[1]));
  }

  /** Returns false for a refusal; nothing may have changed then, so the plain side is not asked. */
  private static boolean compare(
      SoftAssertions softly,
      long seed,
      Connection plain,
      Connection proxied,
      String sql,
      Map<String, Integer> refusals) {
    Transcript answer = Transcript.of(proxied, sql);
    if (answer.isRefusal()) {
      refusals.merge(answer.head(), 1, Integer::sum);
      return false;
    }
    Transcript expected = Transcript.of(plain, sql);
    if (expected.isError() && answer.isError()) {
      // The first shard to fail may name another row than the plain database.
      expected = expected.withoutMessage();
      answer = answer.withoutMessage();
    }
    if (sql.contains("GROUP BY") || sql.contains("DISTINCT") || sql.contains("MIN(status)")) {
      expected = expected.folded();
      answer = answer.folded();
    }
    softly.assertThat(answer).as("seed %d: %s", seed, sql).isEqualTo(expected);
    return true;
  }
}
