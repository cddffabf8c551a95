package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All words that a server knows and does not reserve, as columns, aliases and common tables of
 * statements over shards.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class WordsAsNamesIT {

  /** Each word is tried in so many of the statements, in all over some words. */
  private static final int OF_EACH = 4;

  /** Reserved by some server, or by the parser: tried in all statements. */
  private static final List<String> DOUBTFUL =
      List.of("returning", "offset", "window", "minus", "contains", "diagnostics", "tablespace");

  /** The key's column; and with a qualifier in front of it, a sequence's value. */
  private static final List<String> OTHERS = List.of("id", "nextval");

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT id, w FROM f WHERE w > 2 AND id > 3 ORDER BY w DESC, id LIMIT 4",
          "SELECT w, COUNT(*) FROM f GROUP BY w HAVING w > 1 ORDER BY w",
          "SELECT w x, SUM(w) OVER (ORDER BY id) FROM f ORDER BY id",
          "SELECT a.w FROM f a JOIN f b ON a.w = b.id AND b.w < 9 ORDER BY a.id",
          "SELECT id AS w FROM f ORDER BY w LIMIT 3",
          "SELECT w.id FROM f AS w WHERE w.id > 3 ORDER BY w.id LIMIT 3",
          "SELECT id w FROM f ORDER BY id LIMIT 3",
          "SELECT id FROM f w ORDER BY id LIMIT 3",
          "SELECT w FROM f WHERE id IN (SELECT w FROM f) ORDER BY id",
          "SELECT DISTINCT w FROM f ORDER BY w",
          "SELECT MAX(w), w + 1 FROM f WHERE w IS NOT NULL GROUP BY w + 1 ORDER BY 2",
          "SELECT d.w FROM (SELECT w, id FROM f WHERE w < 4) d ORDER BY d.id LIMIT 5",
          "SELECT w FROM f WHERE id = 3 UNION SELECT w FROM f WHERE id = 4 ORDER BY w",
          "WITH w AS (SELECT id, w FROM f) SELECT * FROM w ORDER BY id LIMIT 3",
          "UPDATE f SET w = w + 1 WHERE id = 5 AND w >= 0",
          "UPDATE f SET w = w + 1 WHERE w = 3",
          "INSERT INTO f (id, w) VALUES (100, 7), (101, 8) ON DUPLICATE KEY UPDATE w = VALUES(w) + 1",
          "DELETE FROM f WHERE w IN (7, 8) AND id >= 100",
          "SELECT id FROM f ORDER BY w, id LIMIT 2 OFFSET 1");

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture = ShardedFixture.start(servers, "it_words", ShardedFixture.HALVES, List.of());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void areNamesWhereServersTakeThemForNames() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      List<String> words = words(plain);
      assertThat(words).containsAll(List.of("value", "contains")).hasSizeGreaterThan(200);
      for (Connection each : List.of(plain, proxied)) {
        fill(each, words);
      }
      var statements = new ArrayList<String>();
      int next = 0;
      for (String word : words) {
        int count = DOUBTFUL.contains(word) ? STATEMENTS.size() : OF_EACH;
        for (int i = 0; i < count; i++) {
          statements.add(STATEMENTS.get(next++ % STATEMENTS.size()).replaceAll("\\bw\\b", word));
        }
      }
      new Comparison(proxied, plain).sameRows(statements.toArray(String[]::new));
    }
  }

  /** Those that the server takes for the name of a column. */
  private static List<String> words(Connection plain) throws SQLException {
    var words = new ArrayList<String>();
    try (Statement statement = plain.createStatement();
        ResultSet known =
            statement.executeQuery("SELECT DISTINCT word FROM information_schema.keywords")) {
      while (known.next()) {
        String word = known.getString(1).toLowerCase(Locale.ROOT);
        if (word.matches("[a-z_]\\w+") && !OTHERS.contains(word) && isTaken(plain, word)) {
          words.add(word);
        }
      }
    }
    words.sort(null);
    return words;
  }

  private static boolean isTaken(Connection plain, String word) {
    boolean isTaken =
        !Transcript.of(plain, "CREATE TEMPORARY TABLE tried (" + word + " INT)").isError();
    Transcript.of(plain, "DROP TEMPORARY TABLE IF EXISTS tried");
    return isTaken;
  }

  private static void fill(Connection connection, List<String> words) {
    Transcript.of(connection, "DROP TABLE IF EXISTS f");
    String columns =
        words.stream().map(word -> "`" + word + "` INT").collect(Collectors.joining(", "));
    Transcript made =
        Transcript.of(connection, "CREATE TABLE f (id BIGINT PRIMARY KEY, " + columns + ")");
    assertThat(made.isError()).as(made.toString()).isFalse();
    for (int id = 1; id < 14; id++) {
      var row = new StringBuilder("INSERT INTO f VALUES (").append(id);
      for (int i = 0; i < words.size(); i++) {
        row.append(", ").append((id * 7 + i) % 5);
      }
      assertThat(Transcript.of(connection, row.append(')').toString()).isError()).isFalse();
    }
  }
}
