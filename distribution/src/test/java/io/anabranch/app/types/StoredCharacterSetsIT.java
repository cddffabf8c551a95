package io.anabranch.app.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Texts of all kinds of character sets keep their bytes where rows are read before they are
 * written, or copied: among them bytes that Unicode has no character for, or one for several of
 * them.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("quick")
class StoredCharacterSetsIT {

  private static final String COLUMNS =
      """
      (id INT PRIMARY KEY, c VARCHAR(10) CHARACTER SET cp1251, g VARCHAR(10) CHARACTER SET cp1250,
       h VARCHAR(10) CHARACTER SET greek, b VARCHAR(10) CHARACTER SET cp932,
       d VARCHAR(10) CHARACTER SET gbk, e VARCHAR(10) CHARACTER SET big5,
       j VARCHAR(10) CHARACTER SET ujis, l VARCHAR(10) CHARACTER SET latin1,
       u VARCHAR(10) CHARACTER SET utf16, s VARCHAR(10) CHARACTER SET swe7,
       t VARCHAR(10) CHARACTER SET utf8mb4, v VARBINARY(20))
      """;

  private static final String ALL =
      "id, HEX(c), HEX(g), HEX(h), HEX(b), HEX(d), HEX(e), HEX(j), HEX(l), HEX(u), HEX(s), HEX(t),"
          + " HEX(v)";

  private static final List<String> STATEMENTS =
      List.of(
          "DELETE FROM t4",
          "DELETE FROM t",
          "INSERT INTO t VALUES (1, _cp1251 x'98', _cp1250 x'81', _greek x'AE', _cp932 x'8790',"
              + " _gbk x'A2E3', _big5 x'A15A', _ujis x'ADE2', _latin1 x'E985', _utf16 x'00E90041',"
              + " _swe7 x'5B41', _utf8mb4 x'C3A9', x'00FF'),"
              + " (2, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')",
          "UPDATE t SET id = id + 101",
          "SELECT " + ALL + " FROM t ORDER BY id",
          "INSERT INTO t4 SELECT * FROM t",
          "INSERT INTO t4 (id, v) SELECT id + 10, l FROM t",
          "INSERT INTO t4 (id, v) SELECT id + 20, u FROM t",
          "INSERT INTO t4 (id, t) SELECT id + 30, b FROM t WHERE id = 103",
          "INSERT INTO t4 (id, v) VALUES (901, (SELECT l FROM t WHERE id = 102)),"
              + " (902, (SELECT c FROM t WHERE id = 102))",
          "SELECT " + ALL + " FROM t4 ORDER BY id",
          "UPDATE t a JOIN t4 b ON a.id = b.id SET a.v = b.l, a.c = b.c, a.e = b.e, a.s = b.s",
          "SELECT " + ALL + " FROM t ORDER BY id",
          "SELECT " + ALL + " FROM t WHERE id > (SELECT MIN(id) FROM t4) ORDER BY id",
          "SELECT a.id, HEX(b.e) FROM t a JOIN t4 b ON a.c = b.c AND a.id <> b.id + 1 ORDER BY 1",
          "INSERT INTO t (id, v) VALUES (ABS(7), 'ascii')",
          "INSERT INTO t (id, u, v) VALUES (8, 'a', (SELECT v FROM t4 WHERE id = 901)), (9, 'b', 'c')",
          "SELECT " + ALL + " FROM t ORDER BY id",
          "SELECT COUNT(DISTINCT t), COUNT(*) FROM t",
          "INSERT INTO t (id, t) VALUES (21, 'x'), (22, 'X'), (23, 'x')",
          "SELECT COUNT(DISTINCT t), COUNT(*) FROM t",
          "SELECT UPPER(t), COUNT(*) FROM t WHERE id > 20 GROUP BY t ORDER BY 2 DESC LIMIT 1",
          "SELECT COUNT(*) FROM (SELECT DISTINCT t FROM t WHERE id > 20) x",
          "DELETE a FROM t4 a JOIN t b ON a.c = b.c AND a.s = b.s WHERE a.id = b.id",
          "SELECT " + ALL + " FROM t4 ORDER BY id");

  /** Rows for the client are in its own character set. */
  private static final List<String> RETURNING =
      List.of(
          "INSERT INTO t4 (id, l, u) SELECT id + 60, l, u FROM t WHERE id < 103 ORDER BY id"
              + " RETURNING id, l, u",
          "DELETE FROM t4 WHERE id IN (SELECT id + 60 FROM t) ORDER BY id LIMIT 1"
              + " RETURNING id, l, u");

  @Test
  void onMariaDb(MariaDbServers servers) throws Exception {
    try (TypesArena arena = TypesArena.onMariaDb(servers)) {
      // its driver ends connections that speak anything but UTF-8
      compare(arena, List.of("utf8mb4"), RETURNING);
    }
  }

  @Test
  void onMySql() throws Exception {
    MySqlServer.assumeInstalled();
    try (TypesArena arena = TypesArena.onMySql()) {
      compare(arena, List.of("utf8mb4", "binary", "utf16", "latin1", "gbk"), List.of());
    }
  }

  private static void compare(TypesArena arena, List<String> names, List<String> more)
      throws Exception {
    var differences = new ArrayList<String>();
    try (Connection proxied = arena.proxied(false);
        Connection plain = arena.plain(false)) {
      for (Connection each : List.of(proxied, plain)) {
        for (String table : List.of("t", "t4")) {
          Answer.text(each, "DROP TABLE IF EXISTS " + table);
          assertThat(Answer.text(each, "CREATE TABLE " + table + COLUMNS).error()).isEmpty();
        }
      }
      for (String each : names) {
        for (String sql : statements(each, more)) {
          Answer seen = Answer.text(proxied, sql);
          Answer wanted = Answer.text(plain, sql);
          if (!seen.error().equals(wanted.error()) || !seen.rows().equals(wanted.rows())) {
            differences.add(
                each
                    + ", "
                    + sql
                    + "\n  "
                    + seen.error()
                    + seen.rows()
                    + "\n  "
                    + wanted.error()
                    + wanted.rows());
          }
        }
      }
    }
    assertThat(differences).isEmpty();
  }

  private static List<String> statements(String names, List<String> more) {
    var statements = new ArrayList<String>();
    statements.add("SET sql_mode = 'STRICT_TRANS_TABLES'");
    statements.add(
        switch (names) {
          case "binary" -> "SET character_set_results = binary, character_set_connection = binary";
          case "utf16" -> "SET character_set_connection = utf16";
          default -> "SET NAMES " + names;
        });
    statements.addAll(STATEMENTS);
    statements.addAll(more);
    return statements;
  }
}
