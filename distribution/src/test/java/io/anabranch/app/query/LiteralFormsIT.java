package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A statement with one literal in the place of another: what is remembered of the first must not
 * decide the answer to the second. Every form of literal behind every other one, in both orders.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class LiteralFormsIT {

  private static final List<String> LITERALS =
      List.of(
          "5",
          "X'05'",
          "0x05",
          "x'35'",
          "0x35",
          "b'101'",
          "0b101",
          "B'00000101'",
          "'5'",
          "\"5\"",
          "'5' ''",
          "'' '5'",
          "_utf8mb4'5'",
          "_latin1'5'",
          "_binary'5'",
          "_utf8mb4 x'35'",
          "_binary 0x35",
          "N'5'",
          "n'5'",
          "5.0",
          "5.00",
          "005",
          ".5e1",
          "5e0",
          "5E+0",
          "50e-1",
          "-5",
          "+5",
          "- -5",
          "-(-5)",
          "-'5'",
          "+'5'",
          "TRUE",
          "FALSE",
          "NULL",
          "\\N",
          "99999999999999999999",
          "DATE '2024-01-05'",
          "TIME '00:00:05'",
          "TIMESTAMP '2024-01-05 00:00:05'",
          "DATE'2024-01-05' + INTERVAL 1 DAY",
          "5 COLLATE utf8mb4_bin",
          "'5' COLLATE utf8mb4_bin",
          "'a\\'b'",
          "'a''b'",
          "'5 '",
          "'5x'");

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_literals");
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      new Comparison(proxied, plain)
          .same(
              "CREATE TABLE t_log (id INT PRIMARY KEY, c VARCHAR(40), b VARBINARY(40), d DECIMAL(9,2),"
                  + " f DOUBLE, t DATETIME)",
              "CREATE TABLE t_order (order_id BIGINT, user_id BIGINT, note VARCHAR(40), n INT,"
                  + " PRIMARY KEY (order_id, user_id))",
              "INSERT INTO t_log VALUES (0,'0','0',0,0,NULL), (1,'1','1',1,1,NULL),"
                  + " (5,'5','5',5,5,'2024-01-05'), (6,'a''b',x'05',5.5,5.5,'2024-01-05 00:00:05'),"
                  + " (53,'5 ',x'35',-5,-5,'2024-01-06'), (54,'5x','x',53,53,NULL)",
              "INSERT INTO t_order VALUES (5,1,'5',5),(5,2,'x',6),(6,5,'5x',53),(7,4,'y',NULL)");
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  static Stream<String> places() {
    return Stream.of(
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.id = %1$s",
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.c = %1$s ORDER BY 1",
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.b = %1$s ORDER BY 1",
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.d <=> %1$s OR %2$s.f > %1$s ORDER BY 1",
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.id IN (%1$s, 1) ORDER BY 1",
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.id BETWEEN 1 AND %1$s ORDER BY 1",
        "SELECT %2$s.id FROM t_log %2$s WHERE %2$s.c LIKE %1$s ORDER BY 1",
        "SELECT %2$s.user_id FROM t_order %2$s WHERE %2$s.order_id = %1$s ORDER BY 1",
        "SELECT %1$s AS v, COUNT(*) FROM t_log %2$s",
        "SELECT %2$s.id, %1$s AS v FROM t_log %2$s ORDER BY 1",
        "SELECT %2$s.id, CONCAT(%1$s, 'z') AS v, %1$s + 0 AS w FROM t_log %2$s ORDER BY 1",
        "SELECT MAX(%1$s) AS v, COUNT(DISTINCT %1$s) AS w FROM t_log %2$s",
        "SELECT IF(%2$s.id = %1$s, %1$s, 'no') AS v, COUNT(*) FROM t_log %2$s GROUP BY v ORDER BY v",
        "SELECT SUM(%2$s.d) FROM t_log %2$s HAVING SUM(%2$s.d) > %1$s",
        "SELECT v, COUNT(*) FROM (SELECT %1$s AS v FROM t_log %2$s) x GROUP BY v");
  }

  /** Each twice, so that texts are read by their shapes, too. */
  @ParameterizedTest
  @MethodSource("places")
  void oneBehindAnother(String place) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String form : LITERALS) {
        same(plain, proxied, place.formatted(form, "one"));
        same(plain, proxied, place.formatted(form, "one"));
      }
      for (String form : LITERALS.reversed()) {
        same(plain, proxied, place.formatted(form, "two"));
      }
    }
  }

  /** Rows, counts and errors; what is refused by name is no wrong answer. */
  private static void same(Connection plain, Connection proxied, String sql) {
    Transcript answer = Transcript.of(proxied, sql);
    if (answer.head().contains(" AB2")) {
      return;
    }
    Transcript expected = Transcript.of(plain, sql);
    assertThat(answer.rows()).as("%s: %s", sql, answer.head()).isEqualTo(expected.rows());
    assertThat(kind(answer)).as("%s: %s", sql, answer.head()).isEqualTo(kind(expected));
  }

  /**
   * Without warnings and texts, which count the rows of a server, and without what a UNION of
   * tables tells otherwise: the decimals of byte strings, and that a column has no type.
   */
  private static String kind(Transcript answer) {
    return answer
        .withoutMessage()
        .head()
        .replaceAll(" warning .*", "")
        .replaceAll("\\|byte\\[]\\|(\\d+)\\|39\\|", "|byte[]|$1|0|")
        .replace("|NULL|byte[]|", "|BINARY|byte[]|");
  }

  static Stream<String> writes() {
    return Stream.of(
        "UPDATE t_log SET c = %1$s WHERE id = 54",
        "UPDATE t_log SET c = 'hit' WHERE id = %1$s",
        "UPDATE t_log SET c = 'hit' WHERE b = %1$s",
        "DELETE FROM t_log WHERE c = %1$s",
        "INSERT INTO t_order (order_id, user_id, note, n) VALUES (9, 77, %1$s, 1)",
        "DELETE FROM t_order WHERE note = %1$s");
  }

  @ParameterizedTest
  @MethodSource("writes")
  void oneWriteBehindAnother(String write) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      var forms = new ArrayList<>(LITERALS);
      forms.addAll(LITERALS.reversed());
      for (String form : forms) {
        same(plain, proxied, "BEGIN");
        same(plain, proxied, write.formatted(form));
        same(plain, proxied, "SELECT note, COUNT(*) FROM t_order GROUP BY note ORDER BY note");
        same(plain, proxied, "SELECT id, c FROM t_log ORDER BY id");
        same(plain, proxied, "ROLLBACK");
      }
    }
  }
}
