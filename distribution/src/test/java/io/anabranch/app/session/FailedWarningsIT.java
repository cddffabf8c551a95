package io.anabranch.app.session;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a statement over several nodes had warned of when it failed. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class FailedWarningsIT {

  /** A note in strict mode as well, nothing, and an error in strict mode. */
  private static final List<String> VALUES = List.of("1.239", "1.5", "'no'");

  private static final int ROWS = 4;

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_failed", ShardedFixture.HALVES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE f (id INT PRIMARY KEY, d DECIMAL(6,2), t TINYINT UNSIGNED NOT NULL)");
        statement.execute(
            "INSERT INTO f VALUES (101, 1, 1), (102, 2, 2), (103, 3, 3), (104, 4, 4), (105, 0, 5)");
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  /** Each row of an INSERT in each of its states: servers come to the first that fails. */
  @Test
  void ofEveryRowInFront() throws SQLException {
    var failing = new ArrayList<String>();
    int all = (int) Math.pow(VALUES.size(), ROWS);
    for (int choice = 0; choice < all; choice++) {
      var rows = new StringJoiner(", ", "INSERT INTO f (id, d, t) VALUES ", "");
      int left = choice;
      boolean fails = false;
      for (int row = 0; row < ROWS; row++) {
        String value = VALUES.get(left % VALUES.size());
        // two rows of each node in another order than the nodes'
        int id = List.of(2, 1, 3, 4).get(row);
        rows.add("(%d, %s, 1)".formatted(id, value));
        fails |= value.startsWith("'");
        left /= VALUES.size();
      }
      if (fails) {
        failing.add(rows.toString());
      }
    }
    compare("STRICT_ALL_TABLES", failing);
  }

  /** Rows that a query gives in an order fail at the first of them, wherever it goes. */
  @Test
  void ofRowsThatAreRead() throws SQLException {
    var failing = new ArrayList<String>();
    for (int choice = 0; choice < 1 << ROWS; choice++) {
      var rows = new StringJoiner(" UNION ALL ");
      for (int row = 0; row < ROWS; row++) {
        boolean fails = (choice & 1 << row) != 0;
        rows.add("SELECT %d AS id, '%s' AS v".formatted(row + 1, fails ? "no" : "1.5"));
      }
      if (choice != 0) {
        failing.add(
            "INSERT INTO f (id, d, t) SELECT id, v, 1 FROM (%s) q ORDER BY id".formatted(rows));
      }
    }
    var softly = new SoftAssertions();
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      new Comparison(proxied, plain).same("SET sql_mode = 'STRICT_ALL_TABLES'");
      for (String sql : failing) {
        String wanted = withRow(plain, sql).replace(sharded.plainSchema(), sharded.schema());
        softly.assertThat(withRow(proxied, sql)).as(sql).isEqualTo(wanted);
      }
    }
    softly.assertAll();
  }

  /** The error, and what is shown that names its row. */
  private static String withRow(Connection connection, String sql) {
    String answer = Transcript.of(connection, sql).head();
    List<String> shown = Transcript.of(connection, "SHOW WARNINGS").rows();
    return answer + shown.stream().filter(row -> row.contains("at row")).toList();
  }

  /** What the failing node alone has warned of. */
  @Test
  void ofTheNodeThatFails() throws SQLException {
    compare(
        "",
        List.of(
            "INSERT INTO f VALUES (1, 2.345, 300), (101, 1, 1)",
            "INSERT INTO f VALUES (1, 2.345, 300), (3, 'x', 300), (101, 1, 1), (2, 1, 300)",
            "INSERT INTO f VALUES (1, 2.345, 1), (2, 2.345, 1), (3, 2.345, 1), (101, 1, 1)",
            "UPDATE f SET t = IF(id = 101, 300, t), d = IF(id = 103, 9223372036854775807 + (id = 103), d)",
            "UPDATE f SET d = CAST(IF(id = 101, 'x', '1') AS SIGNED) WHERE id > 100"
                + " AND 9223372036854775807 + (id = 103) > 0",
            "DELETE FROM f WHERE IF(id = 101, CAST('7x' AS SIGNED), 9223372036854775807 + (id = 103)) < 0",
            "SELECT id, CAST(IF(MOD(id, 2), 'x', '1') AS SIGNED), 9223372036854775807 + (id = 103)"
                + " FROM f ORDER BY id",
            "SELECT SUM(CAST(IF(id = 101, 'x', '1') AS SIGNED)), MAX(9223372036854775807 + (id = 103))"
                + " FROM f",
            "SELECT id FROM f WHERE 9223372036854775807 + (id = 102) > 0",
            "SELECT id FROM f WHERE id = (SELECT id FROM f)"));
  }

  private static void compare(String mode, List<String> statements) throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      new Comparison(proxied, plain).same("SET sql_mode = '%s'".formatted(mode));
      for (boolean within : new boolean[] {false, true}) {
        for (String sql : statements) {
          String wanted = told(plain, sql, within);
          softly.assertThat(wanted).as(sql).startsWith("error ");
          softly
              .assertThat(told(proxied, sql, within))
              .as(sql)
              .isEqualTo(wanted.replace(sharded.plainSchema(), sharded.schema()));
        }
      }
    }
    softly.assertAll();
  }

  private static String told(Connection connection, String sql, boolean within) {
    Transcript.of(connection, within ? "BEGIN" : "DO 0");
    String answer = Transcript.of(connection, sql).head();
    String problems = String.join("\n", Transcript.of(connection, "SHOW WARNINGS").rows());
    String counts =
        Transcript.of(connection, "SELECT @@warning_count, @@error_count").rows().toString();
    Transcript.of(connection, "ROLLBACK");
    return (answer + "\n" + problems + "\n" + counts).toLowerCase(Locale.ROOT);
  }
}
