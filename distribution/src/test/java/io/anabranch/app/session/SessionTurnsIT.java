package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions in turns on the same connections: what one leaves there (insert ids, counts, warnings,
 * variables) is never another's. Statements are drawn by chance, and each is answered as by one
 * database that has the same sessions.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SessionTurnsIT {

  private static final int SESSIONS = 3;
  private static final int STEPS = 400;
  private static final int SHOWN = 12;

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT LAST_INSERT_ID()",
          "SELECT ROW_COUNT()",
          "SHOW WARNINGS",
          "SHOW COUNT(*) WARNINGS",
          "SELECT @@warning_count",
          "SELECT @@identity, @@last_insert_id",
          "SELECT @a, @b",
          "SELECT CONNECTION_ID() = @me");

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture = ShardedFixture.start(servers, "it_turns", ShardedFixture.HALVES, List.of());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void areAnsweredAsByOneDatabase(long seed) throws SQLException {
    var random = new Random(seed);
    var sessions = new ArrayList<Turns>();
    try {
      for (int i = 0; i < SESSIONS; i++) {
        sessions.add(new Turns(fixture.throughProxy(), fixture.onPlain()));
      }
      for (String sql :
          List.of(
              "DROP TABLE IF EXISTS fz, fy, f",
              "DROP VIEW IF EXISTS fv",
              "DROP FUNCTION IF EXISTS fl",
              "CREATE VIEW fv AS SELECT LAST_INSERT_ID() AS l",
              "CREATE FUNCTION fl() RETURNS BIGINT READS SQL DATA RETURN LAST_INSERT_ID()",
              "CREATE TABLE fy (id INT AUTO_INCREMENT PRIMARY KEY, value VARCHAR(20))",
              "CREATE TABLE fz (id INT AUTO_INCREMENT PRIMARY KEY, u INT UNIQUE, n INT, t VARCHAR(5))",
              "CREATE TABLE f (id INT PRIMARY KEY, n INT)",
              "CREATE TRIGGER ft BEFORE INSERT ON f FOR EACH ROW SET NEW.n = IFNULL(NEW.n, LAST_INSERT_ID())")) {
        sessions.getFirst().run(sql, "before");
      }
      var former = new ArrayDeque<String>();
      Turns open = null;
      for (int step = 0; step < STEPS; step++) {
        Turns session = open == null ? sessions.get(random.nextInt(SESSIONS)) : open;
        var statements = new ArrayList<String>(List.of(statement(random)));
        for (int i = random.nextInt(3); i > 0; i--) {
          statements.add(QUESTIONS.get(random.nextInt(QUESTIONS.size())));
        }
        for (String sql : statements) {
          former.add(sessions.indexOf(session) + ": " + sql);
          session.run(sql, "seed " + seed + " behind " + former);
          if (former.size() > SHOWN) {
            former.remove();
          }
          open =
              sql.equals("BEGIN") || (open != null && !sql.matches("COMMIT|ROLLBACK"))
                  ? session
                  : null;
        }
      }
    } finally {
      for (Turns session : sessions) {
        session.close();
      }
    }
  }

  /** One session: through the proxy, and beside it on a database. */
  private record Turns(Connection proxied, Connection direct) {

    void run(String sql, String situation) throws SQLException {
      Transcript expected = named(Transcript.of(direct, sql));
      Transcript seen = Transcript.of(proxied, sql);
      assertThat(seen.rows()).as("%s%n%s", situation, expected.head()).isEqualTo(expected.rows());
      if (!expected.isError() && expected.rows().isEmpty()) {
        assertThat(seen.head()).as(situation).isEqualTo(expected.head());
      }
      assertThat(seen.isError()).as("%s%n%s", situation, seen.head()).isEqualTo(expected.isError());
    }

    private static Transcript named(Transcript answer) {
      String plain = fixture.plainSchema();
      return new Transcript(
          answer.head().replace(plain, fixture.schema()),
          answer.rows().stream().map(row -> row.replace(plain, fixture.schema())).toList());
    }

    void close() throws SQLException {
      proxied.close();
      direct.close();
    }
  }

  private static String statement(Random random) {
    int u = 1 + random.nextInt(12);
    int n = random.nextInt(10);
    int id = 1 + random.nextInt(30);
    String found = " ON DUPLICATE KEY UPDATE ";
    String rows = "INSERT INTO fz (u, n) VALUES (" + u + ", " + n + ")";
    String keyed = "INSERT INTO fz (id, u, n) VALUES (" + id + ", " + u + ", " + n + ")";
    String given = "REPLACE INTO fy VALUES (";
    String sharded = "INSERT INTO f VALUES (" + u + ", " + n + ")";
    List<String> all =
        List.of(
            rows,
            rows + ", (" + id + ", 1)",
            rows.replace("INSERT", "INSERT IGNORE") + ", (" + id + ", 1)",
            rows + found + "n = n + 1",
            rows + ", -- two\n (" + id + ", 1)" + found + "n = n + 1",
            rows + " /* two */ , (" + id + ", 1)" + found + "n = n + 1",
            rows.replace("VALUES", "VALUES /* 'select' */") + found + "n = n + 1",
            rows + found + "id = LAST_INSERT_ID(id)",
            rows + found + "id = LAST_INSERT_ID(id), n = VALUES(n)",
            rows.replace("INSERT", "REPLACE"),
            keyed,
            keyed + found + "n = VALUES(n)",
            keyed.replace("INSERT", "REPLACE"),
            given + id + ", " + u + ")",
            given + "' " + id + "', 'a')",
            given + "'" + id + ".2 b', NULL)",
            given + "_latin1'" + id + "', 'a')",
            given + "ABS(" + id + "), 'a')",
            given + "NULL, " + id + ")",
            "REPLACE INTO fy SET id = " + id,
            "REPLACE INTO fy (id, value) SELECT " + id + ", 'b'",
            "INSERT INTO fy (value) VALUES (LAST_INSERT_ID(" + id + ") + LAST_INSERT_ID())",
            "INSERT INTO fy (value) VALUES (fl())",
            "INSERT INTO fz (u) SELECT " + (200 + id) + " UNION ALL SELECT " + u,
            "INSERT INTO fz (u) VALUES (" + (300 + id) + ") /* one */, (" + u + ")",
            "INSERT INTO fz (u, n) VALUES (" + u + ", LAST_INSERT_ID(" + id + "))",
            "UPDATE fz SET n = LAST_INSERT_ID(" + id + "), t = LAST_INSERT_ID() WHERE u = " + u,
            "SELECT l FROM fv",
            "SELECT fl(), `last_insert_id`(), @@`identity`",
            "SELECT LAST_INSERT_ID(" + id + "), LAST_INSERT_ID(), @@last_insert_id",
            "SELECT LAST_INSERT_ID(" + id + "), EXP(1000)",
            "SET @a = fl()",
            "SET @a = LAST_INSERT_ID(" + id + "), @b = LAST_INSERT_ID()",
            "SET @a = LAST_INSERT_ID(" + id + "), @b = EXP(1000)",
            "SET @`c``d` = " + n + ", @'e''f' = 5, @a = @`c``d` + @`e'f`",
            "INSERT INTO fz (u, n) VALUES (NULL, 1), (NULL, 2)",
            "INSERT INTO fz (u, n) VALUES (" + (40 + id) + ", LAST_INSERT_ID())",
            "INSERT INTO fz (u, n) SELECT u + 20, n FROM fz WHERE u = " + u,
            "INSERT INTO fz (u, t) VALUES (" + (80 + id) + ", 'too long')",
            "INSERT IGNORE INTO fz (u, t) VALUES (" + (80 + id) + ", 'too long')",
            "UPDATE fz SET n = LAST_INSERT_ID(n + 1) WHERE u = " + u,
            "UPDATE fz SET n = n WHERE u = " + u,
            "DELETE FROM fz WHERE u = " + u,
            sharded,
            sharded + found + "n = n + 1",
            sharded + found + "id = LAST_INSERT_ID(id)",
            sharded + found + "n = LAST_INSERT_ID(f.n + 5)",
            sharded.replace("INSERT", "INSERT IGNORE"),
            sharded.replace("INSERT", "REPLACE"),
            "UPDATE f SET n = LAST_INSERT_ID(" + id + ") WHERE id = " + u,
            "DELETE FROM f WHERE id = " + u,
            "SELECT id, n FROM f ORDER BY id",
            "REPLACE INTO f VALUES ("
                + u
                + ", NULL), ("
                + id
                + ", NULL), ("
                + (u + 1)
                + ", "
                + n
                + ")",
            "INSERT INTO f SELECT u + 50, NULL FROM fz WHERE u > 0 ON DUPLICATE KEY UPDATE n = fl()",
            "SELECT id FROM f WHERE n < fl() ORDER BY id",
            "SELECT n, fl(), COUNT(*) FROM f GROUP BY n ORDER BY n",
            "SELECT n FROM f WHERE n < fl() UNION SELECT fl() ORDER BY 1",
            "SELECT f.n, fl(), g.c FROM f JOIN (SELECT n, COUNT(*) AS c FROM f GROUP BY n) g ON g.n = f.n ORDER BY f.id",
            "UPDATE f SET n = fl() WHERE n < " + n,
            "DELETE FROM f WHERE n = fl()",
            "SELECT id FROM f WHERE n < (SELECT l FROM fv) ORDER BY id",
            "SELECT COUNT(*) FROM f WHERE id < " + u,
            "SELECT u FROM fz WHERE u > " + u + " ORDER BY u",
            "SELECT id FROM fz WHERE id = LAST_INSERT_ID()",
            "SELECT LAST_INSERT_ID(" + id + ")",
            "DO LAST_INSERT_ID(" + id + ")",
            "SELECT 1 + '" + n + "x'",
            "SELECT * FROM no_such_table",
            "SET @a = " + n,
            "SET @b = LAST_INSERT_ID()",
            "SET @a = LAST_INSERT_ID(" + id + ") + 1",
            "SET @me = CONNECTION_ID()",
            "SET @b = ROW_COUNT(), @a = @@warning_count",
            "SET @a = @@identity * 2",
            "SELECT @b := n FROM fz WHERE u = " + u,
            "SELECT n INTO @a FROM fz WHERE u = " + u,
            "BEGIN",
            "COMMIT",
            "ROLLBACK");
    return all.get(random.nextInt(all.size()));
  }
}
