package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.table.ShardedPair;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of one table that are not alike, on either server: never a value under a wrong name. */
abstract class SchemaDriftCases {

  abstract ShardedPair pair();

  @BeforeEach
  void anew() throws SQLException {
    ShardedPair pair = pair();
    pair.run(
        "DROP TABLE IF EXISTS t",
        "DROP TABLE IF EXISTS u",
        "DROP TABLE IF EXISTS dict",
        "CREATE TABLE t (id INT, user_id INT, a INT, b INT, PRIMARY KEY (id, user_id))",
        "CREATE TABLE u (id INT, user_id INT, a INT, b INT, PRIMARY KEY (id, user_id))",
        "CREATE TABLE dict (k INT PRIMARY KEY, a INT, b INT)",
        "INSERT INTO t VALUES (1,1,10,20),(2,1,11,21),(3,2,12,22),(4,2,13,23)",
        "INSERT INTO u VALUES (1,1,10,20),(2,2,11,21)",
        "INSERT INTO dict VALUES (1,2,3)");
  }

  private void past(int source, String sql) {
    pair().server.execute("USE " + pair().actual(source), sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM u",
        "SELECT * FROM u ORDER BY id",
        "SELECT u.* FROM u",
        "SELECT DISTINCT * FROM u",
        "SELECT x.*, 1 FROM u x ORDER BY id",
        "SELECT * FROM u NATURAL JOIN dict",
        "SELECT COUNT(*) FROM (SELECT * FROM u) d WHERE d.a > 10",
        "INSERT INTO u VALUES (7,1,1,1)",
        "INSERT INTO u SELECT id + 10, user_id, a, b FROM t",
        "REPLACE INTO u VALUES (7,1,1,1)"
      })
  void anotherOrderIsRefusedUntilItIsMended(String sql) throws SQLException {
    past(1, "ALTER TABLE u MODIFY COLUMN b INT AFTER user_id");
    lookAnew();
    assertThat(pair().refusal(sql)).contains("AB2049").contains("'u'").contains("CHECK TABLE u");
    assertThat(pair().refusal("SELECT a, b FROM u ORDER BY id")).isEmpty();
    assertThat(pair().rows("SELECT a, b FROM u ORDER BY id")).containsExactly("10|20", "11|21");
    past(1, "ALTER TABLE u MODIFY COLUMN b INT AFTER a");
    assertThat(pair().refusal(sql)).isEmpty();
  }

  /** DDL through the proxy lets it forget what it knew. */
  private void lookAnew() throws SQLException {
    pair().run("ALTER TABLE dict COMMENT = 'seen'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM u ORDER BY id",
        "SELECT * FROM u WHERE id > 0 ORDER BY id LIMIT 10",
        "SELECT u.* FROM u ORDER BY id",
        "SELECT x.* FROM u x JOIN dict d ON d.k = 1 ORDER BY x.id",
        "SELECT DISTINCT * FROM u ORDER BY id",
        "SELECT * FROM u NATURAL JOIN (SELECT 1 AS one) o ORDER BY id",
        "SELECT d.* FROM (SELECT * FROM u) d ORDER BY id",
        "SELECT * FROM u UNION SELECT * FROM u ORDER BY id"
      })
  void aKnownPlanGivesNoValueUnderAnotherName(String sql) throws SQLException {
    List<String> before = pair().named(sql);
    assertThat(before)
        .hasSize(2)
        .allMatch(row -> row.startsWith("{a=10, b=20") || row.startsWith("{a=11, b=21"));
    past(1, "ALTER TABLE u MODIFY COLUMN b INT AFTER user_id");
    assertSameOrRefused(sql, before);
    past(0, "ALTER TABLE u MODIFY COLUMN b INT AFTER user_id");
    assertSameOrRefused(sql, before);
    past(0, "ALTER TABLE u DROP COLUMN a");
    past(1, "ALTER TABLE u DROP COLUMN a");
    assertThat(pair().refusal(sql)).isNotEmpty();
  }

  private void assertSameOrRefused(String sql, List<String> rows) throws SQLException {
    String refusal = pair().refusal(sql);
    if (refusal.isEmpty()) {
      assertThat(pair().named(sql)).isEqualTo(rows);
    } else {
      assertThat(refusal).contains("AB2049");
    }
  }

  @Test
  void knownTablesGetValuesIntoTheColumnsThatWereMeant() throws SQLException {
    past(1, "ALTER TABLE u MODIFY COLUMN b INT AFTER user_id");
    past(1, "ALTER TABLE dict MODIFY COLUMN b INT AFTER k");
    pair()
        .run(
            "INSERT INTO u VALUES (11,1,1,2),(12,2,1,2)",
            "INSERT INTO u SELECT id + 20, user_id, 1, 2 FROM t",
            "REPLACE INTO dict VALUES (2,1,2)");
    assertThat(pair().rows("SELECT DISTINCT a, b FROM u WHERE id > 10")).containsExactly("1|2");
    for (int source = 0; source < 2; source++) {
      assertThat(
              pair().server.answer("SELECT a FROM " + pair().actual(source) + ".dict WHERE k = 2"))
          .isEqualTo("1");
    }
  }

  @Test
  void tablesOfOneDataSourceAreCompared() throws SQLException {
    past(0, "ALTER TABLE t_1 MODIFY COLUMN b INT AFTER user_id");
    lookAnew();
    assertThat(pair().refusal("SELECT * FROM t WHERE user_id = 2"))
        .contains("AB2049")
        .contains("ds_0.t_1")
        .contains("order");
    past(0, "ALTER TABLE t_1 MODIFY COLUMN b INT AFTER a");
    assertThat(pair().rows("SELECT * FROM t WHERE user_id = 2 ORDER BY id"))
        .containsExactly("3|2|12|22", "4|2|13|23");
  }

  @Test
  void knownPlansOverTablesOfOneDataSourceNameTheirColumns() throws SQLException {
    assertThat(pair().rows("SELECT * FROM t ORDER BY id")).hasSize(4);
    past(0, "ALTER TABLE t_1 MODIFY COLUMN b INT AFTER user_id");
    assertThat(pair().rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("1|1|10|20", "2|1|11|21", "3|2|12|22", "4|2|13|23");
  }

  @Test
  void otherTypesAreRefusedWhereTheyAreRead() throws SQLException {
    past(1, "ALTER TABLE t_0 MODIFY COLUMN a VARCHAR(20)");
    lookAnew();
    assertThat(pair().refusal("SELECT a FROM t")).contains("AB2049").contains("'a'");
    assertThat(pair().refusal("SELECT b FROM t WHERE a > 3")).contains("AB2049");
    assertThat(pair().refusal("UPDATE t SET b = 1 WHERE a > 3")).contains("AB2049");
    assertThat(pair().refusal("DELETE FROM t WHERE a > 3")).contains("AB2049");
    assertThat(pair().rows("SELECT b FROM t ORDER BY id")).containsExactly("20", "21", "22", "23");
    past(1, "ALTER TABLE t_0 MODIFY COLUMN a BIGINT");
    assertThat(pair().rows("SELECT a FROM t ORDER BY id")).containsExactly("10", "11", "12", "13");
  }

  @Test
  void anAlterThatFailedOnOneNodeIsToldAndMended() throws SQLException {
    past(1, "ALTER TABLE t_0 ADD COLUMN c INT FIRST");
    assertThat(pair().refusal("ALTER TABLE t ADD COLUMN c INT")).contains("AB3005");
    assertThat(pair().refusal("SELECT * FROM t")).contains("AB2049").contains("ds_1.t_0");
    assertThat(pair().refusal("SELECT c FROM t")).isEmpty();
    past(1, "ALTER TABLE t_0 MODIFY COLUMN c INT AFTER b");
    assertThat(pair().rows("SELECT * FROM t WHERE id = 1 OR id = 4 ORDER BY id"))
        .containsExactly("1|1|10|20|null", "4|2|13|23|null");
  }

  @Test
  void aConditionThatHidesAnotherTableIsNoSuccess() throws SQLException {
    past(1, "DROP TABLE t_0");
    past(1, "CREATE TABLE t_0 (id INT, other INT)");
    past(1, "DROP TABLE dict");
    past(1, "CREATE TABLE dict (k INT, other INT)");
    assertThat(
            pair()
                .refusal(
                    "CREATE TABLE IF NOT EXISTS t (id INT, user_id INT, a INT, b INT, PRIMARY KEY"
                        + " (id, user_id))"))
        .contains("AB2049")
        .contains("ds_1.t_0")
        .contains("ADD COLUMN `user_id`");
    assertThat(pair().refusal("CREATE TABLE IF NOT EXISTS dict (k INT PRIMARY KEY, a INT, b INT)"))
        .contains("AB2049")
        .contains("ds_1.dict");
  }

  @Test
  void aDefinitionOverPartsThatDifferIsWarnedOf() throws SQLException {
    past(1, "ALTER TABLE t_0 ADD INDEX only_here (a)");
    List<String> warnings = pair().warnings("ALTER TABLE t ADD COLUMN c INT");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst()).contains("32049").contains("only_here").contains("DROP INDEX");
    assertThat(pair().refusal("CREATE INDEX by_b ON t (b)")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t DROP COLUMN user_id",
        "ALTER TABLE t DROP user_id",
        "ALTER TABLE t DROP `USER_ID`",
        "ALTER TABLE t DROP COLUMN a, DROP COLUMN user_id",
        "ALTER TABLE t RENAME COLUMN user_id TO who",
        "ALTER TABLE t CHANGE user_id who INT",
        "ALTER TABLE t CHANGE COLUMN user_id who INT, ADD c INT",
        "ALTER TABLE t MODIFY user_id VARCHAR(20)",
        "ALTER TABLE t MODIFY COLUMN user_id SMALLINT",
        "ALTER TABLE t MODIFY id INT UNSIGNED",
        "ALTER TABLE t MODIFY id DECIMAL(10,2)",
        "ALTER TABLE t MODIFY id INT AS (a + 1)",
        "ALTER TABLE word MODIFY w VARCHAR(3)",
        "ALTER TABLE word MODIFY w VARCHAR(30) CHARACTER SET latin1",
        "ALTER TABLE word MODIFY w INT",
        "ALTER TABLE word CONVERT TO CHARACTER SET latin1",
        "ALTER TABLE word ADD c INT, CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        "ALTER TABLE t /*!40000 DROP COLUMN user_id */",
        "ALTER TABLE t /*! RENAME COLUMN user_id TO who */",
        "ALTER TABLE t ADD c INT /*!50000 , DROP COLUMN user_id */",
        "ALTER TABLE made DROP COLUMN id",
        "ALTER TABLE made RENAME COLUMN id TO number"
      })
  void columnsThatPlaceRowsStay(String sql) throws SQLException {
    assertThat(pair().refusal(sql)).startsWith("1235 ").contains("AB2002").contains("column");
  }

  @Test
  void columnsThatPlaceRowsMayBecomeWider() throws SQLException {
    pair()
        .run(
            "ALTER TABLE t MODIFY user_id BIGINT NOT NULL",
            "ALTER TABLE t CHANGE id id BIGINT NOT NULL COMMENT 'wide'",
            "ALTER TABLE t ADD COLUMN c INT DEFAULT 5 AFTER id",
            "ALTER TABLE t DROP COLUMN c, RENAME COLUMN a TO aa",
            "ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4",
            "ALTER TABLE t /*!99999 DROP COLUMN user_id, it's */ ADD COLUMN d INT",
            "ALTER TABLE t DROP COLUMN d");
    assertThat(pair().rows("SELECT * FROM t WHERE id = 3")).containsExactly("3|2|12|22");
  }

  @Test
  void constraintsOfPartsThatAreCalledAsTheTableKeepTheirNames() throws SQLException {
    pair().run("ALTER TABLE u ADD CONSTRAINT few CHECK (a < 100)");
    assertThat(pair().refusal("INSERT INTO u VALUES (7, 1, 100, 1)"))
        .contains("few")
        .doesNotContain("few_");
    assertThat(
            pair()
                .rows(
                    "SELECT CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS"
                        + " WHERE TABLE_NAME = 'u' AND CONSTRAINT_TYPE = 'CHECK'"))
        .containsExactly("few");
    pair().run("ALTER TABLE u DROP CONSTRAINT few", "INSERT INTO u VALUES (7, 1, 100, 1)");
  }

  @Test
  void keysAreListedAsAServerListsThem() throws SQLException {
    pair()
        .run(
            "CREATE INDEX b_second ON u (b, a)",
            "CREATE INDEX a_third ON u (a)",
            "CREATE UNIQUE INDEX x_first ON u (user_id, a)");
    assertThat(pair().rows("SHOW INDEX FROM u"))
        .extracting(row -> List.of(row.split("\\|", -1)).subList(2, 5))
        .containsExactly(
            List.of("PRIMARY", "1", "id"),
            List.of("PRIMARY", "2", "user_id"),
            List.of("x_first", "1", "user_id"),
            List.of("x_first", "2", "a"),
            List.of("b_second", "1", "b"),
            List.of("b_second", "2", "a"),
            List.of("a_third", "1", "a"));
  }
}
