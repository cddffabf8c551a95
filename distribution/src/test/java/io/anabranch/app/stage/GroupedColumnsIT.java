package io.anabranch.app.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * ONLY_FULL_GROUP_BY, MySQL's default: what is selected beside what is grouped by is taken where
 * keys, equalities or constants decide it, and refused elsewhere, over copies as on one server.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class GroupedColumnsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          author:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
          book:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: author_id, shardingAlgorithmName: quarters } }
          note:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
        shardingAlgorithms:
          quarters: { type: MOD, props: { sharding-count: 4 } }
      - !SINGLE
        tables: ["*.*", ds_1.far]
        defaultDataSource: ds_0
      """;

  private static final String FAR =
      "CREATE TABLE far (id INT NOT NULL PRIMARY KEY, code CHAR(3) NOT NULL UNIQUE, what VARCHAR(9))";

  private static final String[] TABLES = {
    """
    CREATE TABLE author (id INT NOT NULL PRIMARY KEY, email VARCHAR(30) NOT NULL UNIQUE, nick VARCHAR(20) UNIQUE,
      name VARCHAR(20), age INT, twice INT GENERATED ALWAYS AS (age * 2))
    """,
    """
    CREATE TABLE book (isbn INT NOT NULL PRIMARY KEY, author_id INT NOT NULL, title VARCHAR(20) NOT NULL, price INT,
      UNIQUE KEY (author_id, title))
    """,
    "CREATE TABLE note (id BIGINT NOT NULL, book INT NOT NULL, t VARCHAR(20), n INT, PRIMARY KEY (id), UNIQUE KEY (book))",
    "INSERT INTO author (id, email, nick, name, age) VALUES (1, 'a@', 'aa', 'A', 1), (2, 'b@', 'bb', 'B', 2),"
        + " (3, 'c@', NULL, 'A', 3), (4, 'd@', NULL, 'D', 1)",
    "INSERT INTO book VALUES (1, 1, 'x', 10), (2, 1, 'y', 20), (3, 2, 'z', 30), (4, 3, 'w', 5)",
    "INSERT INTO note VALUES (1, 1, 'n1', 1), (2, 2, 'n2', 2), (3, 4, 'n3', 3)",
    "INSERT INTO far VALUES (1, 'abc', 'p'), (2, 'def', 'q')",
    "CREATE VIEW of_one AS SELECT id, email, name, age FROM author",
    "CREATE VIEW of_groups AS SELECT author_id, COUNT(*) AS c, MIN(title) AS t FROM book GROUP BY author_id",
    "CREATE VIEW of_join AS SELECT a.id, a.name, b.isbn, b.title FROM author a JOIN book b ON a.id = b.author_id",
  };

  /** What is selected from, and columns of it. */
  private record Rows(String from, String... columns) {}

  private static final List<Rows> ROWS =
      List.of(
          new Rows("author a", "a.id", "a.email", "a.nick", "a.name", "a.age", "a.twice"),
          new Rows("note n", "n.id", "n.book", "n.t"),
          new Rows(
              "author a JOIN book b ON a.age = b.author_id",
              "a.id",
              "a.email",
              "a.nick",
              "a.age",
              "b.isbn",
              "b.author_id",
              "b.title"),
          new Rows(
              "author a LEFT JOIN note n ON n.book = a.id",
              "a.id",
              "a.email",
              "n.id",
              "n.book",
              "n.t"),
          new Rows(
              "author a, book b WHERE a.id = b.isbn AND b.author_id = 1",
              "a.id",
              "a.name",
              "b.isbn",
              "b.author_id",
              "b.title"),
          new Rows(
              "author a JOIN note n ON n.n = a.age WHERE a.email = 'a@'",
              "a.id",
              "a.name",
              "n.id",
              "n.t"),
          new Rows(
              "book b JOIN far f ON f.id = b.isbn",
              "b.isbn",
              "b.title",
              "f.id",
              "f.code",
              "f.what"),
          new Rows(
              "(SELECT id, email, name FROM author) d JOIN book b ON d.id = b.isbn",
              "d.id",
              "d.email",
              "d.name",
              "b.isbn",
              "b.title"),
          new Rows(
              "(SELECT author_id, COUNT(*) AS c, MAX(price) m FROM book GROUP BY author_id) d"
                  + " JOIN author a ON d.c = a.id",
              "d.author_id",
              "d.c",
              "d.m",
              "a.id",
              "a.name"),
          new Rows(
              "of_one v JOIN book b ON v.age = b.isbn",
              "v.id",
              "v.email",
              "v.name",
              "b.isbn",
              "b.title"),
          new Rows(
              "of_groups v JOIN author a ON v.c = a.age",
              "v.author_id",
              "v.c",
              "v.t",
              "a.id",
              "a.name"),
          new Rows("of_join v", "v.id", "v.name", "v.isbn", "v.title"));

  private static List<String> statements() {
    var statements = new ArrayList<String>();
    for (Rows rows : ROWS) {
      if (rows.from().startsWith("of_one") && !DatabaseServers.areMySql()) {
        // MariaDB does not look at the columns of a view that it merges
        continue;
      }
      String from = " FROM " + rows.from();
      String[] columns = rows.columns();
      for (String key : columns) {
        for (String column : columns) {
          if (!key.equals(column)) {
            statements.add(
                "SELECT %s, %s, COUNT(*)%s GROUP BY %s".formatted(key, column, from, key));
          }
        }
        statements.add("SELECT " + key + ", COUNT(*)" + from);
      }
      statements.add("SELECT DISTINCT " + columns[0] + from + " ORDER BY " + columns[1]);
      statements.add(
          "SELECT %s, SUM(1) AS s%s GROUP BY %s HAVING %s IS NOT NULL"
              .formatted(columns[0], from, columns[0], columns[1]));
      statements.add(
          "SELECT %s, COUNT(*)%s GROUP BY %s ORDER BY %s"
              .formatted(columns[0], from, columns[0], columns[columns.length - 1]));
      statements.add(
          "SELECT %s, %s, CONCAT('x', COUNT(*))%s GROUP BY %s WITH ROLLUP"
              .formatted(columns[0], columns[1], from, columns[0]));
    }
    return statements;
  }

  @Test
  void areTakenAndRefusedAsOnOneServer(DatabaseServers servers) throws SQLException {
    try (ShardedFixture fixture = ShardedFixture.start(servers, "it_grouped", RULES, List.of(FAR));
        Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      for (String sql : TABLES) {
        assertThat(Transcript.of(plain, sql).isError()).as(sql).isFalse();
        assertThat(Transcript.of(proxied, sql).isError()).as(sql).isFalse();
      }
      for (String mode : List.of("ONLY_FULL_GROUP_BY", "ANSI", "")) {
        for (Connection each : List.of(proxied, plain)) {
          try (Statement statement = each.createStatement()) {
            statement.execute("SET sql_mode = '" + mode + "'");
          }
        }
        var softly = new SoftAssertions();
        for (String sql : statements()) {
          Transcript expected = Transcript.of(plain, sql);
          Transcript answer = Transcript.of(proxied, sql);
          softly.assertThat(told(answer)).as("%s: %s", mode, sql).isEqualTo(told(expected));
        }
        softly.assertAll();
      }
      // how a statement runs over copies is no setting of the session's
      for (String sql :
          List.of(
              "SET sql_mode = 'ONLY_FULL_GROUP_BY,NO_ZERO_DATE'",
              "SELECT a.id, b.title FROM author a JOIN book b ON a.age = b.isbn ORDER BY 1",
              "SELECT @@sql_mode",
              "SELECT @@sql_mode, a.id FROM author a JOIN book b ON a.age = b.isbn ORDER BY 2",
              "SELECT @@SESSION.SQL_MODE, a.id FROM author a JOIN book b ON a.age = b.isbn ORDER BY 2")) {
        assertThat(Transcript.of(proxied, sql).rows())
            .as(sql)
            .isEqualTo(Transcript.of(plain, sql).rows());
      }
    }
  }

  /**
   * The error's number; of rows without the mode how many: any of a group's values may be shown.
   */
  private static String told(Transcript answer) {
    return answer.isError() ? answer.withoutMessage().head() : String.valueOf(answer.rows().size());
  }
}
