package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Views that the configuration lists among the tables, as users of ShardingSphere do. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ListedViewsIT {

  private static final String SCHEMA = "it_listed";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          o: &placed
            actualDataNodes: ds_${0..1}.o_${0..1}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
          i:
            <<: *placed
            actualDataNodes: ds_${0..1}.i_${0..1}
          ov:
            <<: *placed
            actualDataNodes: ds_${0..1}.ov_${0..1}
          called:
            actualDataNodes: ds_${0..1}.called_${0..1}
            databaseStrategy: { standard: { shardingColumn: who, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: nr, shardingAlgorithmName: halves } }
          alone:
            actualDataNodes: ds_${0..1}.alone
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
        bindingTables: ["o, i, ov"]
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
      - !BROADCAST
        tables: [dict, words]
      - !SINGLE
        tables: ["*.*", ds_1.sv]
        defaultDataSource: ds_0
      """;

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture =
        ShardedFixture.start(
            servers,
            SCHEMA,
            RULES,
            List.of(
                "CREATE TABLE far (k INT PRIMARY KEY, w VARCHAR(9))",
                "INSERT INTO far VALUES (1, 'x')"));
    same(
        "CREATE TABLE o (id INT, user_id INT, total DECIMAL(9,2), note VARCHAR(20), PRIMARY KEY (id, user_id))",
        "CREATE TABLE i (n INT, id INT, user_id INT, sku VARCHAR(9), PRIMARY KEY (n, id, user_id))",
        "CREATE TABLE dict (code INT PRIMARY KEY, word VARCHAR(20))",
        "INSERT INTO o VALUES (1, 1, 1.5, 'a'), (2, 1, 2.5, 'b'), (3, 2, 3.5, 'c'), (4, 2, NULL, 'd'),"
            + " (5, 3, 9, NULL), (6, 4, 8, 'f')",
        "INSERT INTO i VALUES (1, 1, 1, 's'), (2, 1, 1, 't'), (1, 2, 1, 'u'), (1, 3, 2, 'v'), (1, 6, 4, 's')",
        "INSERT INTO dict VALUES (1, 'one'), (2, 'two'), (3, 'three')");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  /** Rows and errors: a view's column may tell another table of its own. */
  private static void same(String... statements) throws SQLException {
    var softly = new SoftAssertions();
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String sql : statements) {
        softly.assertThat(seen(proxied, sql)).as(sql).isEqualTo(seen(direct, sql));
      }
    }
    softly.assertAll();
  }

  private static String seen(Connection connection, String sql) {
    Transcript answer = Transcript.of(connection, sql);
    String seen = answer.isError() ? answer.head() : answer.rows().toString();
    return seen.replace(fixture.plainSchema(), SCHEMA);
  }

  private static String answer(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      return Transcript.of(proxied, sql).toString();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, user_id, total, note FROM o WHERE total > 2",
        "SELECT * FROM o",
        "(SELECT o.id, o.user_id, total + 1 AS total, CONCAT(it_listed.o.note, '%') AS note FROM it_listed.o)",
        "SELECT x.id, x.user_id, x.total, d.word AS note FROM o x JOIN i USING (id, user_id) LEFT JOIN dict d ON d.code = x.id",
        "SELECT id, user_id, total, note FROM o WHERE user_id = 1 OR id = 6",
        "SELECT id, user_id, total, note FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.id = o.id AND i.user_id = o.user_id)",
      })
  void showsAndTakesTheRowsOfItsNodes(String query) throws SQLException {
    String own = "CREATE VIEW ov AS " + query + " WITH CASCADED CHECK OPTION;";
    boolean isJoin = query.contains("JOIN");
    same(
        isJoin ? "CREATE VIEW ov AS " + query : own.replace("it_listed.", ""),
        "SELECT * FROM ov ORDER BY id, user_id, note",
        "SELECT user_id, COUNT(*), SUM(total) FROM ov GROUP BY user_id ORDER BY user_id",
        "SELECT * FROM ov WHERE id = 3 AND user_id = 2",
        "SELECT * FROM ov WHERE user_id = 1 ORDER BY id, note",
        "SELECT ov.id, i.sku FROM ov JOIN i ON i.id = ov.id AND i.user_id = ov.user_id ORDER BY 1, 2",
        "SELECT ov.id, o.note FROM ov LEFT JOIN o ON o.id = ov.id + 1 ORDER BY 1, 2",
        "SHOW TABLES",
        "SHOW FULL TABLES LIKE 'ov'",
        "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'ov'",
        "SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE()",
        "DESCRIBE ov",
        "CREATE VIEW ov AS SELECT * FROM o",
        "CREATE OR REPLACE VIEW ov AS SELECT user_id, id FROM i",
        "SELECT * FROM ov ORDER BY id, user_id",
        "ALTER VIEW ov (user_id, id, sku) AS SELECT user_id, id, sku FROM i WHERE n = 1",
        "SELECT sku, SUM(id) FROM ov GROUP BY sku ORDER BY 1",
        "DROP VIEW ov",
        "SELECT * FROM ov",
        "DROP VIEW IF EXISTS ov",
        "DROP VIEW ov");
  }

  @Test
  void isWrittenThrough() throws SQLException {
    same(
        "CREATE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW called (nr, who, total) AS"
            + " SELECT id, user_id, total FROM o WHERE total < 100 WITH CHECK OPTION",
        "INSERT INTO called VALUES (11, 7, 5), (12, 8, 6), (13, 8, 7)",
        "UPDATE called SET total = total + 1 WHERE who = 8",
        "UPDATE called SET total = 200 WHERE nr = 12 AND who = 8",
        "DELETE FROM called WHERE nr = 13 AND who = 8",
        "SELECT * FROM called ORDER BY nr",
        "SELECT * FROM called WHERE nr = 12 AND who = 8",
        "SELECT * FROM o ORDER BY id",
        "DELETE FROM o WHERE id > 10",
        "DROP VIEW IF EXISTS called, ov",
        "SHOW TABLES LIKE 'called'");
  }

  @Test
  void itsDefinitionIsShownInLogicalNames() throws SQLException {
    same("CREATE VIEW ov AS SELECT o.id, user_id, note FROM o WHERE total > 2");
    assertThat(answer("SHOW CREATE VIEW ov"))
        .contains("VIEW `ov` AS ", "`o`.`id`", "from `o`")
        .doesNotContain("ov_", "o_0");
    assertThat(
            answer("SELECT view_definition FROM information_schema.views WHERE table_name = 'ov'"))
        .doesNotContain("o_0");
    same("DROP VIEW ov");
  }

  @Test
  void everyDataSourceHasABroadcastOne() throws SQLException {
    same(
        "CREATE VIEW words AS SELECT word, COUNT(*) AS n, MAX(code) AS code FROM dict GROUP BY word",
        "SELECT * FROM words ORDER BY code",
        "SELECT o.id, words.word FROM o JOIN words ON words.code = o.id ORDER BY 1",
        "SHOW TABLES LIKE 'words'",
        "ALTER VIEW words AS SELECT 'w' AS word, 1 AS code",
        "SELECT o.id, words.word FROM o JOIN words ON words.code = o.id ORDER BY 1",
        "DROP VIEW words",
        "SHOW TABLES LIKE 'words'");
  }

  @Test
  void aSingleOneIsWhereItIsListed() throws SQLException {
    same("CREATE VIEW sv AS SELECT 1 AS one");
    assertThat(
            fixture
                .away()
                .queryOne(
                    "SELECT COUNT(*) FROM information_schema.views WHERE table_schema = '"
                        + SCHEMA
                        + "' AND table_name = 'sv'"))
        .isEqualTo("1");
    same(
        "SELECT * FROM sv",
        "CREATE OR REPLACE VIEW sv AS SELECT word FROM dict",
        "SELECT * FROM sv ORDER BY word",
        "ALTER VIEW sv AS SELECT w, id FROM far JOIN dict ON code = k JOIN o ON id = k",
        "DROP VIEW sv",
        "CREATE VIEW sv AS SELECT id, user_id FROM o",
        "SELECT * FROM sv ORDER BY id",
        "DROP VIEW sv",
        "CREATE TABLE near (k INT PRIMARY KEY)");
    assertThat(answer("CREATE VIEW sv AS SELECT * FROM near"))
        .contains("AB2002", "!SINGLE lists in ds_1");
    same("CREATE VIEW sv AS SELECT * FROM far");
    assertThat(answer("CREATE OR REPLACE VIEW sv AS SELECT * FROM near"))
        .contains("AB2002", "DROP VIEW and make it anew");
    same("DROP VIEW sv", "DROP TABLE near");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE VIEW ov AS SELECT COUNT(*) AS n FROM o | do not come from one node each",
        "CREATE VIEW ov AS SELECT id, user_id, NOW() AS n FROM o | would have its own moment",
        "CREATE VIEW ov AS SELECT id, user_id, stored(id) AS n FROM o | would have its own moment",
        "CREATE VIEW ov AS SELECT id, user_id FROM o LIMIT 2 | do not come from one node each",
        "CREATE VIEW ov AS SELECT id, user_id FROM o UNION SELECT 1, 2 | do not come from one node",
        "CREATE VIEW ov AS SELECT o.id, o.user_id FROM o JOIN i USING (id) | from one node each",
        "CREATE VIEW ov AS SELECT * FROM dict | do not come from one node each",
        "CREATE VIEW ov AS SELECT * FROM far | do not come from one node each",
        "CREATE VIEW ov AS SELECT user_id AS id, id AS user_id FROM o | sharding column 'id'",
        "CREATE VIEW ov (id, user_id) AS SELECT id, n FROM i | sharding column 'user_id'",
        "CREATE VIEW ov AS SELECT id, user_id + 0 AS user_id FROM o | sharding column 'user_id'",
        "CREATE VIEW alone AS SELECT * FROM o | they have 2 and 4 nodes",
        "CREATE VIEW words AS SELECT id FROM o | which is not in all data sources",
        "CREATE VIEW words AS SELECT * FROM far | which is not in all data sources",
      })
  void whatNoNodeCanShowAloneIsRefused(String sql, String reason) throws SQLException {
    assertThat(answer(sql)).contains("AB2002", reason, "take it out of the configuration");
  }

  @Test
  void aViewOverAListedOneIsRefused() throws SQLException {
    same("CREATE VIEW ov AS SELECT id, user_id FROM o");
    assertThat(answer("CREATE VIEW called AS SELECT id AS nr, user_id AS who FROM ov"))
        .contains("AB2002", "over the view 'ov'");
    same(
        "CREATE VIEW over_it AS SELECT id, user_id FROM ov WHERE id > 2",
        "SELECT * FROM over_it ORDER BY id",
        "DROP VIEW over_it, ov");
  }

  @Test
  void tablesAreNoViews() throws SQLException {
    same("CREATE VIEW o AS SELECT 1 AS id", "DROP VIEW o", "DROP VIEW dict");
    same("SELECT COUNT(*) FROM o", "SELECT COUNT(*) FROM dict");
  }
}
