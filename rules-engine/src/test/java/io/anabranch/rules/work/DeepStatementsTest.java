package io.anabranch.rules.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.planner.PlanningWork;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Any text has a plan, a refusal or a database's error, however deep it is nested. */
@Tag("long")
class DeepStatementsTest {

  private static final long SEED = Long.getLong("deep.seed", 20_261_122);
  private static final int TEXTS = Integer.getInteger("deep.texts", 200);

  /** What opens a level, and what closes it. */
  private static final List<String[]> LEVELS =
      List.of(
          new String[] {"(", ")"},
          new String[] {"- ", ""},
          new String[] {"~", ""},
          new String[] {"! ", ""},
          new String[] {"NOT ", ""},
          new String[] {"BINARY ", ""},
          new String[] {"ABS(", ")"},
          new String[] {"IF(1, 2, ", ")"},
          new String[] {"CASE WHEN id THEN ", " END"},
          new String[] {"CASE WHEN id THEN 2 ELSE ", " END"},
          new String[] {"(id = 1 AND (id = 2 OR ", "))"},
          new String[] {"NOT (id = 1 AND ", ")"},
          new String[] {"(SELECT ", ")"},
          new String[] {"EXISTS (SELECT 1 FROM t_log WHERE ", ")"},
          new String[] {"id IN (SELECT id FROM t_log WHERE id = ", ")"},
          new String[] {"id IN (1, ", ")"},
          new String[] {"(1, ", ")"},
          new String[] {"CAST(", " AS CHAR)"},
          new String[] {"", " AND id > 1"},
          new String[] {"", " OR id = 1"},
          new String[] {"", " XOR 1"},
          new String[] {"", " || 1"},
          new String[] {"", " + 1"},
          new String[] {"", " = id"},
          new String[] {"", " IS NULL"},
          new String[] {"", " IN (1)"},
          new String[] {"", " BETWEEN 1 AND 2"},
          new String[] {"", " LIKE 'x'"},
          new String[] {"", " COLLATE utf8mb4_bin"},
          new String[] {"", " + INTERVAL 1 DAY"});

  /** Where an expression may stand; %s is it. */
  private static final List<String> PLACES =
      List.of(
          "SELECT id FROM t_log WHERE id = %s",
          "SELECT id FROM t_log WHERE %s",
          "SELECT %s FROM t_log",
          "SELECT SUM(%s) FROM t_log GROUP BY name",
          "SELECT id FROM t_log ORDER BY %s LIMIT 2",
          "SELECT id FROM t_conf JOIN t_log ON %s",
          "UPDATE t_log SET name = %s WHERE id = 1",
          "UPDATE t_log SET name = 'x' WHERE %s",
          "DELETE FROM t_log WHERE %s",
          "INSERT INTO t_log (id, name) VALUES (%s, 'x')",
          "INSERT INTO t_log (id, name) SELECT %s, 'x' FROM t_log",
          "INSERT INTO t_log (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = %s",
          "INSERT INTO t_dict (code, name) VALUES (%s, 'x')",
          "DO %s",
          "SET @v = %s",
          "CREATE VIEW v AS SELECT %s FROM t_log",
          "CREATE TABLE t_log (id INT DEFAULT (%s), name INT)",
          "CALL p(%s)",
          "EXPLAIN SELECT %s FROM t_log",
          "SELECT id FROM t_log UNION SELECT %s");

  /** Statements that are nested themselves. */
  private static final List<String[]> QUERIES =
      List.of(
          new String[] {"SELECT id FROM (", "SELECT id FROM t_log", ") d"},
          new String[] {"WITH c AS (", "SELECT id FROM t_log", ") SELECT id FROM c"},
          new String[] {"(", "SELECT id FROM t_log", ")"},
          new String[] {"(", "SELECT id FROM t_log", ") UNION ALL SELECT 1"},
          new String[] {"SELECT id FROM t_log UNION ALL (", "SELECT 1", ")"},
          new String[] {"", "SELECT id FROM t_log", " UNION ALL SELECT id, name FROM t_log"},
          new String[] {"", "SELECT id FROM t_log", " UNION SELECT 1"},
          new String[] {"", "SELECT id FROM t_log", " INTERSECT SELECT 1"},
          new String[] {"", "SELECT 1 FROM t_log", " JOIN t_log USING (id)"},
          new String[] {"", "SELECT 1 FROM t_log", ", t_log"},
          new String[] {"", "SELECT 1 FROM t_log", ", (t_log)"},
          new String[] {"EXPLAIN ", "SELECT 1 FROM t_log", ""},
          new String[] {"", "SELECT id.id", ".id"},
          new String[] {"/* c ", "*/ SELECT id FROM t_log", ""},
          new String[] {"/*! ", "SELECT id FROM t_log", " */"},
          new String[] {"((", "SELECT id FROM t_log WHERE id IN (1", ""},
          new String[] {"BEGIN ", "SELECT 1;", " END"});

  private final PlanningWork work = new PlanningWork();

  @TestFactory
  Stream<DynamicTest> oneLevelManyTimes() {
    return LEVELS.stream()
        .flatMap(level -> PLACES.stream().map(place -> deep(place, level)))
        .map(sql -> DynamicTest.dynamicTest(shortened(sql), () -> planned(sql)));
  }

  private static String deep(String place, String[] level) {
    int depth = 3_000;
    return place.formatted(level[0].repeat(depth) + "1" + level[1].repeat(depth));
  }

  @TestFactory
  Stream<DynamicTest> queriesInQueries() {
    return QUERIES.stream()
        .flatMap(
            query ->
                Stream.of(70, 3_000).map(n -> query[0].repeat(n) + query[1] + query[2].repeat(n)))
        .map(sql -> DynamicTest.dynamicTest(shortened(sql), () -> planned(sql)));
  }

  /** What a server answers is planned, however long it is. */
  @Test
  void longChainsArePlanned() {
    for (String word : List.of("AND", "OR")) {
      String chain = "SELECT id FROM t_log WHERE id > 0" + (" " + word + " id > 1").repeat(100_000);
      assertThat(work.apply(chain)).as(word).isEqualTo("Concat");
    }
    String parentheses = "(".repeat(10_000) + "1" + ")".repeat(10_000);
    assertThat(work.apply("SELECT id FROM t_log WHERE id = " + parentheses)).isEqualTo("single");
    assertThat(work.apply("SELECT id FROM t_log WHERE id IN (1" + ", 1".repeat(300_000) + ")"))
        .isEqualTo("single");
    assertThat(work.apply("SELECT 1" + " UNION ALL SELECT 1".repeat(20_000))).isEqualTo("single");
    String subqueries = "SELECT id FROM t_log WHERE id IN (";
    assertThat(work.apply(subqueries.repeat(60) + "1" + ")".repeat(60))).isEqualTo("Stage");
    assertThat(work.apply(subqueries.repeat(3_000) + "1" + ")".repeat(3_000)))
        .isEqualTo("refused: Too high level of nesting for select");
  }

  /** Each of the names could mean any of them. */
  @Test
  void commonTablesOfOneNameAreAFew() {
    String nested =
        "WITH c AS (".repeat(14_000) + "SELECT id FROM t_log" + ") SELECT id FROM c".repeat(14_000);
    assertThat(work.apply(nested)).startsWith("refused: ").contains("256 common tables");
  }

  @Test
  void mixedLevelsHavePlansToo() {
    var random = new Random(SEED);
    for (int text = 0; text < TEXTS; text++) {
      int depth = 1 << random.nextInt(12);
      var open = new StringBuilder();
      var close = new StringBuilder();
      for (int i = 0; i < depth; i++) {
        String[] level = LEVELS.get(random.nextInt(LEVELS.size()));
        open.append(level[0]);
        close.insert(0, level[1]);
      }
      String whole = PLACES.get(random.nextInt(PLACES.size())).formatted(open + "1" + close);
      int cut = random.nextInt(10) == 0 ? random.nextInt(whole.length()) : whole.length();
      planned(whole.substring(0, cut));
    }
  }

  private void planned(String sql) {
    assertThat(work.apply(sql)).isNotEmpty();
  }

  private static String shortened(String sql) {
    return sql.substring(0, Math.min(90, sql.length()));
  }
}
