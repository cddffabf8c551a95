package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.table.ShardedPair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CHECK TABLE … ACROSS SHARDS, on either server: what it finds, and that its repairs repair. */
abstract class ShardCheckCases {

  private static final Pattern REPAIR = Pattern.compile("repair: (.*)$");

  abstract ShardedPair pair();

  @BeforeEach
  void anew() throws SQLException {
    pair()
        .run(
            "DROP TABLE IF EXISTS t",
            "DROP TABLE IF EXISTS u",
            "DROP TABLE IF EXISTS made",
            "DROP TABLE IF EXISTS word",
            "DROP TABLE IF EXISTS dict",
            "DROP TABLE IF EXISTS alone",
            "CREATE TABLE t (id INT, user_id INT, a INT DEFAULT 3, b VARCHAR(20), PRIMARY KEY (id,"
                + " user_id), KEY by_a (a), UNIQUE KEY by_b (b, id, user_id))",
            "CREATE TABLE u (id INT PRIMARY KEY, user_id INT, name VARCHAR(20), d DECIMAL(9,2), day"
                + " DATE, UNIQUE KEY by_name (name), UNIQUE KEY by_d (d, day), UNIQUE KEY short"
                + " (name(3)))",
            "CREATE TABLE made (id BIGINT PRIMARY KEY, user_id INT)",
            "CREATE TABLE word (w VARCHAR(20) COLLATE utf8mb4_bin PRIMARY KEY, n INT)",
            "CREATE TABLE dict (k INT PRIMARY KEY, f FLOAT, ts TIMESTAMP NULL, x VARCHAR(20), j"
                + " JSON)",
            "CREATE TABLE alone (id INT)",
            "INSERT INTO t (id, user_id, b) VALUES (1,1,'x'),(2,1,'y'),(3,2,'x'),(4,2,NULL)",
            "INSERT INTO u VALUES (1,1,'a',1,'2024-01-01'),(2,2,'b',2,'2024-01-01')",
            "INSERT INTO made (user_id) VALUES (1),(2),(3)",
            "INSERT INTO word VALUES ('one',1),('two',2),('three',3)",
            "INSERT INTO dict VALUES (1,1.5,'2024-01-01 10:00:00','a','{}'),(2,NULL,NULL,NULL,NULL)");
  }

  private void past(int source, String... statements) {
    for (String sql : statements) {
      pair().server.execute("USE " + pair().actual(source), sql);
    }
  }

  private List<String> check(String tables) throws SQLException {
    return pair().rows("CHECK TABLE " + tables + " ACROSS SHARDS");
  }

  private String only(String table, String what) throws SQLException {
    List<String> found = check(table).stream().filter(row -> row.contains(what)).toList();
    assertThat(found).as(check(table).toString()).hasSize(1);
    return found.getFirst();
  }

  private static String status(List<String> rows) {
    return rows.getLast();
  }

  @Test
  void healthyTablesAreOk() throws SQLException {
    assertThat(check("t, made, word, dict"))
        .containsExactly(
            pair().name() + ".t|check|status|OK",
            pair().name() + ".made|check|status|OK",
            pair().name() + ".word|check|status|OK",
            pair().name() + ".dict|check|status|OK");
  }

  @Test
  void looseKeysAreListed() throws SQLException {
    List<String> rows = check("u");
    assertThat(rows).filteredOn(row -> row.contains("|warning|AB2050")).hasSize(4);
    assertThat(status(rows)).endsWith("|status|OK");
  }

  @Test
  void tablesOfOnePlaceAndUnknownOnesAreTold() throws SQLException {
    assertThat(check("alone")).hasSize(2).first().asString().contains("|note|").contains("ds_0");
    assertThat(check("nothing")).first().asString().contains("|error|").contains("doesn't exist");
    assertThat(pair().refusal("CHECK TABLE t ACROSS SHARDS QUICK")).contains("1064");
    assertThat(pair().refusal("CHECK TABLE mysql.user ACROSS SHARDS")).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ALTER TABLE t_1 MODIFY COLUMN b VARCHAR(20) AFTER user_id|order",
        "ALTER TABLE t_1 MODIFY COLUMN a BIGINT DEFAULT 3|bigint",
        "ALTER TABLE t_1 MODIFY COLUMN a INT DEFAULT 4|DEFAULT",
        "ALTER TABLE t_1 MODIFY COLUMN a INT NOT NULL DEFAULT 3|NOT NULL",
        "ALTER TABLE t_1 ADD COLUMN c INT FIRST|'c'",
        "ALTER TABLE t_1 DROP COLUMN a|'a'",
        "ALTER TABLE t_1 DROP INDEX by_a|'by_a' is missing",
        "ALTER TABLE t_1 ADD INDEX other (b)|'other'",
        "ALTER TABLE t_1 DROP INDEX by_a, ADD INDEX by_a (b)|by_a",
        "ALTER TABLE t_1 DROP INDEX by_a, ADD UNIQUE INDEX by_a (a, id)|by_a",
        "ALTER TABLE t_1 DROP PRIMARY KEY, ADD PRIMARY KEY (user_id, id)|PRIMARY",
        "ALTER TABLE t_1 ENGINE = MyISAM|ENGINE",
        "ALTER TABLE t_1 MODIFY COLUMN b VARCHAR(20) CHARACTER SET latin1|latin1"
      })
  void driftIsFoundAndMended(String change, String told) throws SQLException {
    past(1, change);
    List<String> rows = check("t");
    assertThat(rows)
        .anyMatch(row -> row.contains("|error|definition: ds_1.t_1") && row.contains(told));
    assertThat(status(rows)).contains("problem");
    for (int round = 0; round < 3 && !status(check("t")).endsWith("OK"); round++) {
      for (String row : check("t")) {
        Matcher repair = REPAIR.matcher(row);
        if (row.contains("|error|definition")
            && repair.find()
            && repair.group(1).startsWith("/*")) {
          pair().run(repair.group(1));
        }
      }
    }
    assertThat(check("t")).containsExactly(pair().name() + ".t|check|status|OK");
  }

  @Test
  void missingPartsAreToldAndMadeAnew() throws SQLException {
    past(0, "DROP TABLE t_1");
    past(1, "DROP TABLE dict");
    assertThat(only("t", "missing")).contains("ds_0.t_1").contains("CREATE TABLE IF NOT EXISTS");
    assertThat(only("dict", "missing")).contains("ds_1.dict");
  }

  @Test
  void misplacedRowsAreCountedAndShown() throws SQLException {
    past(0, "INSERT INTO t_0 (id, user_id) VALUES (7, 3), (8, 3), (9, 2)");
    String found = only("t", "misplaced");
    assertThat(found)
        .contains("ds_0.t_0 has 3 row(s)")
        .contains("`id` = 7")
        .contains("belongs to ds_1.t_1")
        .contains("DELETE FROM `t_0` WHERE");
    past(0, "DELETE FROM t_0 WHERE id > 6");
    past(0, "INSERT INTO word SELECT * FROM " + pair().actual(1) + ".word");
    past(1, "INSERT IGNORE INTO word SELECT * FROM " + pair().actual(0) + ".word");
    assertThat(check("word")).filteredOn(row -> row.contains("misplaced")).isNotEmpty();
  }

  @Test
  void duplicatesOverNodesAreFoundUnderTheColumnsCollation() throws SQLException {
    pair()
        .run(
            "INSERT INTO u VALUES (1,2,'A',3,'2024-01-01')",
            "INSERT INTO u VALUES (5,1,'abcd',2,'2024-01-01')",
            "INSERT INTO u VALUES (6,2,'abce',NULL,'2024-01-01')");
    List<String> rows = check("u");
    assertThat(rows)
        .filteredOn(row -> row.contains("|error|duplicates"))
        .hasSize(4)
        .anyMatch(
            row -> row.contains("PRIMARY KEY has 1 value(s)") && row.contains("`id` = 1 2 times"))
        .anyMatch(row -> row.contains("'by_name' has 1 value(s)"))
        .anyMatch(row -> row.contains("'by_d' has 1 value(s)") && row.contains("2024-01-01"))
        .anyMatch(row -> row.contains("'short' has 2 value(s)"));
    assertThat(status(rows)).endsWith("found 4 problem(s)");
    past(0, "INSERT INTO made VALUES (77, 2)");
    past(1, "INSERT INTO made VALUES (77, 3)");
    assertThat(only("made", "duplicates")).contains("`id` = 77 2 times");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "UPDATE dict SET f = 1.5000001 WHERE k = 1|`k` = 1",
        "UPDATE dict SET ts = '2024-01-01 10:00:01' WHERE k = 1|`k` = 1",
        "UPDATE dict SET x = 'A' WHERE k = 1|`k` = 1",
        "UPDATE dict SET x = 'a ' WHERE k = 1|`k` = 1",
        "UPDATE dict SET x = '' WHERE k = 2|`k` = 2",
        "UPDATE dict SET j = '[]' WHERE k = 1|`k` = 1",
        "INSERT INTO dict (k) VALUES (3)|`k` = 3",
        "DELETE FROM dict WHERE k = 1|`k` = 1"
      })
  void copiesThatDifferAreFound(String change, String row) throws SQLException {
    past(1, change);
    assertThat(only("dict", "|error|copies")).contains("ds_1.dict");
    assertThat(only("dict", "|note|")).contains(row);
    // the proxy changes no rows that a copy lacks
    past(0, "DELETE FROM dict WHERE k <> 2");
    past(1, "DELETE FROM dict WHERE k <> 2");
    pair().run("REPLACE INTO dict (k) VALUES (2)");
    assertThat(check("dict")).containsExactly(pair().name() + ".dict|check|status|OK");
  }

  @Test
  void answersInTheBinaryProtocolAndWithinTransactions() throws SQLException {
    past(0, "INSERT INTO t_0 (id, user_id) VALUES (8, 3)");
    try (Connection connection = pair().connect("useServerPrepStmts=true");
        PreparedStatement check =
            connection.prepareStatement("CHECK TABLE t, dict ACROSS SHARDS")) {
      connection.setAutoCommit(false);
      for (int i = 0; i < 2; i++) {
        try (ResultSet rows = check.executeQuery()) {
          assertThat(rows.getMetaData().getColumnLabel(4)).isEqualTo("Msg_text");
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(4)).contains("misplaced");
          assertThat(rows.next()).isTrue();
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString("Msg_text")).isEqualTo("OK");
          assertThat(rows.next()).isFalse();
        }
      }
    }
  }
}
