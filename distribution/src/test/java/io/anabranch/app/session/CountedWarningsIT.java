package io.anabranch.app.session;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * How many warnings statements over shards have, and how many of them are kept: a literal that is
 * compared is converted once, whatever number of nodes does so, a value of a row in each row.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class CountedWarningsIT {

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) {
    sharded = ShardedFixture.start(servers, "it_counted", ShardedFixture.HALVES, List.of());
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  private static String rows(String head, int from, String row) {
    var rows = new StringJoiner(", ", head, "");
    for (int id = from; id < from + 100; id++) {
      rows.add(row.replace("#", Integer.toString(id)));
    }
    return rows.toString();
  }

  @Test
  void literalsCountOnceAndRowsEach() throws SQLException {
    compare(
        "CREATE TABLE f (id INT PRIMARY KEY, n INT, d DATE, t VARCHAR(10))",
        "INSERT INTO f VALUES (1, 1, '2024-01-01', 'a'), (2, 2, '2024-01-02', '1'), (3, 3, NULL,"
            + " '3x'), (4, 4, '2024-01-04', '4'), (5, 5, '2024-01-05', 'x')",
        "SET sql_mode = ''",
        "UPDATE f SET n = n + 1 WHERE id IN ('1', '3x')",
        "DELETE FROM f WHERE id IN ('1', 'x') AND n > 1000",
        "UPDATE f SET n = n + 1 WHERE n = 'abc'",
        "UPDATE f SET d = 'abc' WHERE n < 100",
        "UPDATE f SET d = 'abc', n = '5y' WHERE n = '5y'",
        "UPDATE f SET n = 'q'",
        "DELETE FROM f WHERE n > '100x'",
        "DELETE FROM f WHERE t = 5",
        "INSERT INTO f VALUES (11, 'x', 'abc', 1), (12, 'x', 'abc', 2), (13, 'y', 'abc', 3)",
        "INSERT INTO f VALUES (11, 1, 'abc', 1), (12, 1, 'abc', 2) ON DUPLICATE KEY UPDATE d = 'abc',"
            + " n = 'x'",
        "INSERT INTO f SELECT id + 100, 'x', 'abc', t FROM f WHERE n = '0x'",
        "SELECT id FROM f WHERE n = 'abc' ORDER BY id",
        "SELECT id FROM f WHERE n IN ('abc', '3') ORDER BY id",
        "SELECT COUNT(*) FROM f WHERE n > '1x'",
        "SELECT t + 0 FROM f ORDER BY id");
  }

  @Test
  void asManyAreKeptAsServersKeep() throws SQLException {
    var statements = new ArrayList<String>();
    statements.add("CREATE TABLE f (id INT PRIMARY KEY, n TINYINT, t VARCHAR(10))");
    statements.add("SET sql_mode = ''");
    int from = 1;
    for (String most : List.of("DEFAULT", "5", "0", "150", "1000")) {
      statements.add("SET max_error_count = " + most);
      statements.add(rows("INSERT INTO f VALUES ", from, "(#, 1000, 'x#')"));
      statements.add("SELECT t + 0 FROM f ORDER BY id");
      statements.add("SELECT SUM(t) FROM f");
      statements.add("UPDATE f SET n = t");
      statements.add("DELETE FROM f WHERE t = 5");
      statements.add("INSERT INTO f SELECT id + %d, 1000, t FROM f".formatted(10_000 * from));
      statements.add("DELETE FROM f WHERE id >= 10000");
      from += 100;
    }
    compare(statements.toArray(String[]::new));
  }

  private static void compare(String... statements) throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      Transcript.of(proxied, "DROP TABLE IF EXISTS f");
      Transcript.of(plain, "DROP TABLE IF EXISTS f");
      for (String sql : statements) {
        String wanted = told(plain, sql);
        softly.assertThat(told(proxied, sql)).as(sql).isEqualTo(wanted);
      }
    }
    softly.assertAll();
  }

  private static String told(Connection connection, String sql) {
    String answer = Transcript.of(connection, sql).withoutMessage().withoutWarnings().head();
    int kept = Transcript.of(connection, "SHOW WARNINGS").rows().size();
    return answer + Transcript.of(connection, "SHOW COUNT(*) WARNINGS").rows() + " kept " + kept;
  }
}
