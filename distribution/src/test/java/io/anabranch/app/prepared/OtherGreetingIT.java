package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A proxy that greets as the other kind of server than those behind it: values of user variables
 * are written by the rules of the servers that read them.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class OtherGreetingIT {

  private static final List<String> VALUES =
      List.of(
          "x'31'",
          "x''",
          "CAST('2' AS BINARY)",
          "2",
          "-1",
          "18446744073709551615",
          "1.5",
          "2.0",
          "1e0",
          "'2'",
          "'2.25'",
          "'a'",
          "NULL");

  private static final List<String> VARIABLES =
      List.of(
          "SELECT id FROM f WHERE id <= @p ORDER BY id",
          "SELECT id FROM f WHERE k = @p ORDER BY id",
          "SELECT id FROM f WHERE @p + 0 > k ORDER BY id",
          "SELECT id FROM f WHERE s = @p ORDER BY id",
          "SELECT id FROM f WHERE CONCAT(@p) = s ORDER BY id",
          "SELECT id FROM f WHERE s LIKE @p ORDER BY id",
          "DELETE FROM f WHERE id <= @p",
          "UPDATE f SET k = 9 WHERE k >= @p",
          "INSERT INTO f VALUES (20, @p, @p, @p)");

  private static final List<String> MARKERS =
      List.of(
          "SELECT id FROM f WHERE id <= ? ORDER BY id",
          "SELECT id FROM f WHERE s = ? ORDER BY id",
          "SELECT id FROM f ORDER BY ?, id LIMIT 3",
          "SELECT COUNT(*) FROM f GROUP BY ?",
          "SELECT CONCAT(?, ''), id FROM f ORDER BY id",
          "SELECT s + ? FROM f WHERE id = 1",
          "DELETE FROM f WHERE id <= ?",
          "UPDATE f SET k = ? WHERE id < 3",
          "INSERT INTO f VALUES (20, 1, 1, ?)");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    boolean isMariaDb = servers.primaryA().queryOne("SELECT VERSION()").contains("MariaDB");
    sharded =
        ShardedFixture.start(
            servers,
            "it_greeting",
            ShardedFixture.HALVES,
            List.of(),
            "proxy-server-version: '" + (isMariaDb ? "5.7.19" : "11.4.2-MariaDB") + "'");
    // a start with a greeting of its own waits for no database
    Eventually.holds("the data sources can be reached", OtherGreetingIT::isReached);
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE f (id INT PRIMARY KEY, k INT, x DECIMAL(8,2), s VARCHAR(40))");
        statement.execute(
            "INSERT INTO f VALUES (1, 1, 1.5, '1'), (2, 2, 2.5, '2'), (3, 3, 1.5, 'a'),"
                + " (4, 4, NULL, '1.5'), (5, NULL, 1, NULL), (6, 49, 49, '49')");
      }
    }
  }

  private static boolean isReached() {
    try (Connection proxied = sharded.throughProxy()) {
      return proxied.isValid(5);
    } catch (SQLException down) {
      return !String.valueOf(down.getMessage()).contains("AB3001");
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @Test
  void variablesAreWrittenForTheirServers() throws SQLException {
    var soft = new SoftAssertions();
    for (String value : VALUES) {
      for (String sql : VARIABLES) {
        compare(soft, List.of("SET @p = " + value), sql);
      }
    }
    soft.assertAll();
  }

  @Test
  void parametersOfExecuteAreWrittenForTheirServers() throws SQLException {
    var soft = new SoftAssertions();
    for (String value : VALUES) {
      for (String sql : MARKERS) {
        compare(
            soft,
            List.of("SET @p = " + value, "PREPARE s FROM \"" + sql + "\""),
            "EXECUTE s USING @p");
      }
    }
    soft.assertAll();
  }

  /** What changes is looked at and undone. */
  private static void compare(SoftAssertions soft, List<String> before, String sql)
      throws SQLException {
    var answers = new ArrayList<String>();
    try (Connection direct = sharded.onPlain();
        Connection proxied = sharded.throughProxy()) {
      for (Connection each : List.of(direct, proxied)) {
        each.setAutoCommit(false);
        for (String one : before) {
          Transcript done = Transcript.of(each, one);
          assertThat(done.isError()).as(one + ": " + done).isFalse();
        }
        Transcript answer = Transcript.of(each, sql);
        String told = answer.isError() ? answer.withoutMessage().head() : answer.rows().toString();
        answers.add(told + Transcript.of(each, "SELECT * FROM f ORDER BY id").rows());
        each.rollback();
      }
    }
    soft.assertThat(answers.get(1)).as(before + " " + sql).isEqualTo(answers.get(0));
  }
}
