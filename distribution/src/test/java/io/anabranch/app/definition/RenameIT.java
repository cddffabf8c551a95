package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables get new names, and change places, as in one plain database. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class RenameIT {

  private static final String SCHEMA = "it_rename";
  private static final List<String> TABLES =
      List.of(
          "t_order",
          "t_order_new",
          "t_order_old",
          "t_word",
          "t_word_old",
          "t_log",
          "t_log_old",
          "t_dict",
          "t_dict_old",
          "t_conf",
          "t_conf_old");

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          t_order: &placed
            actualDataNodes: ds_${0..1}.t_order_${0..2}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_order } }
          t_order_new: { <<: *placed, actualDataNodes: "ds_${0..1}.t_order_new_${0..2}" }
          t_order_old: { <<: *placed, actualDataNodes: "ds_${0..1}.t_order_old_${0..2}" }
          t_word: &inline
            actualDataNodes: ds_${0..1}.t_word_${0..1}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: word } }
          t_word_old:
            <<: *inline
            actualDataNodes: ds_${0..1}.t_word_old_${0..1}
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: word_old } }
          t_word_turned:
            <<: *inline
            actualDataNodes: ds_${0..1}.t_word_turned_${0..1}
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: word_turned } }
        autoTables:
          t_log: &automatic
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
          t_log_old: *automatic
        shardingAlgorithms:
          by_user: { type: MOD, props: { sharding-count: 2 } }
          by_order: { type: MOD, props: { sharding-count: 3 } }
          quarters: { type: HASH_MOD, props: { sharding-count: 4 } }
          word: { type: INLINE, props: { algorithm-expression: "t_word_${id % 2}" } }
          word_old: { type: INLINE, props: { algorithm-expression: "t_word_old_${id % 2}" } }
          word_turned: { type: INLINE, props: { algorithm-expression: "t_word_turned_${(id + 1) % 2}" } }
      - !BROADCAST
        tables: [t_dict, t_dict_old]
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_1
      """;

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, SCHEMA, RULES, List.of());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void fill() throws SQLException {
    for (String table : TABLES) {
      both("DROP TABLE IF EXISTS " + table);
    }
    for (String table : List.of("t_order", "t_word", "t_log", "t_dict", "t_conf")) {
      fixture.same(
          "CREATE TABLE "
              + table
              + " (id INT NOT NULL, user_id INT NOT NULL, v VARCHAR(20), PRIMARY KEY (id, user_id), KEY (v))");
      fixture.same(
          "INSERT INTO "
              + table
              + " VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, 2, 'e'), (6, 2, 'f')");
    }
  }

  /** On both, whatever the answers. */
  private static void both(String sql) throws SQLException {
    for (Connection each : List.of(fixture.throughProxy(), fixture.onPlain())) {
      try (each) {
        Transcript.of(each, sql);
      }
    }
  }

  /** The same tables with the same rows, found by scanning and by each key. */
  private static void sameTables() throws SQLException {
    sameNames();
    for (String table : TABLES) {
      fixture.same("SHOW CREATE TABLE " + table);
      fixture.same("SELECT * FROM " + table + " ORDER BY id");
      for (int id = 1; id <= 6; id++) {
        for (int user = 1; user <= 3; user++) {
          fixture.same(
              "SELECT v FROM %s WHERE id = %d AND user_id = %d".formatted(table, id, user));
        }
      }
    }
  }

  /** The head of the column tells the database's name and with it differs in length. */
  private static void sameNames() throws SQLException {
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, "SHOW TABLES").rows())
          .isEqualTo(Transcript.of(direct, "SHOW TABLES").rows());
    }
  }

  private static String refusal(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isTrue();
      return answer.head();
    }
  }

  @ParameterizedTest
  @CsvSource({"t_order", "t_word", "t_log", "t_dict", "t_conf"})
  void eachKindThereAndBack(String table) throws SQLException {
    fixture.same("RENAME TABLE " + table + " TO " + table + "_old");
    sameTables();
    fixture.same("RENAME TABLE " + table + " TO " + table + "_old");
    fixture.same("INSERT INTO " + table + "_old VALUES (7, 7, 'g')");
    fixture.same("CREATE TABLE " + table + " LIKE " + table + "_old");
    fixture.same("RENAME TABLE " + table + " TO " + table + "_old");
    fixture.same("ALTER TABLE " + table + " RENAME TO " + table + "_old");
    fixture.same("DROP TABLE " + table);
    fixture.same("ALTER TABLE `" + table + "_old` RENAME `" + table + "`");
    fixture.same("ALTER TABLE " + table + "_old RENAME " + table);
    sameTables();
    fixture.same(
        "ALTER TABLE " + table + " ADD COLUMN w INT DEFAULT 5, RENAME AS " + table + "_old");
    sameTables();
  }

  @Tag("both")
  @Test
  void allKindsInOneStatement() throws SQLException {
    fixture.same(
        "RENAME TABLE t_dict TO t_dict_old, t_conf TO t_conf_old, t_log TO t_log_old, t_order WAIT 5 TO t_order_old");
    sameTables();
    fixture.same("RENAME TABLE t_dict_old TO t_dict, t_log TO t_log_old");
    fixture.same("RENAME TABLE t_dict_old TO t_dict, t_missing TO t_found");
    sameTables();
  }

  /** Of several that cannot be done the first is told, and of two reasons the server's first. */
  @Tag("both")
  @Test
  void whatIsWrongIsToldInTheServersOrder() throws SQLException {
    fixture.same(
        "RENAME TABLE t_dict_old TO t_dict, t_missing TO t_found",
        "RENAME TABLE t_order_old TO t_order_new, t_missing TO t_found",
        "RENAME TABLE t_dict TO t_dict_old, t_missing TO t_conf",
        "RENAME TABLE t_dict TO t_dict_old, t_dict TO t_dict_old, t_missing TO t_found",
        "RENAME TABLE t_missing TO t_conf",
        "RENAME TABLE t_conf TO t_conf",
        "RENAME TABLE t_missing TO t_missing",
        "RENAME TABLE t_missing TO t_found",
        "RENAME TABLE t_order_old TO t_order",
        "RENAME TABLE t_order_old TO t_order_new",
        "RENAME TABLE t_conf TO t_conf_old, t_conf TO t_found",
        "ALTER TABLE t_missing RENAME TO t_conf",
        "RENAME TABLE t_order NOWAIT TO t_order_old",
        "RENAME TABLE t_conf WAIT 5 TO t_conf_old");
    sameTables();
  }

  /** How schemas are changed while they are used; plans of other sessions follow. */
  @Test
  void aChangedCopyTakesThePlace() throws SQLException {
    String find = "SELECT v FROM t_order WHERE id = ? AND user_id = ?";
    try (Connection session = fixture.throughProxy("useServerPrepStmts=true");
        PreparedStatement query = session.prepareStatement(find)) {
      assertThat(value(query)).isEqualTo("a");
      fixture.same("CREATE TABLE t_order_new LIKE t_order");
      fixture.same("ALTER TABLE t_order_new ADD COLUMN w INT NOT NULL DEFAULT 1");
      both("INSERT INTO t_order_new (id, user_id, v) SELECT id, user_id, UPPER(v) FROM t_order");
      fixture.same("RENAME TABLE t_order TO t_order_old, t_order_new TO t_order");
      assertThat(value(query)).isEqualTo("A");
      sameTables();
      fixture.same(
          "RENAME TABLE t_order TO t_order_new, t_order_old TO t_order, t_order_new TO t_order_old");
      assertThat(value(query)).isEqualTo("a");
      sameTables();
    }
  }

  private static String value(PreparedStatement query) throws SQLException {
    query.setInt(1, 1);
    query.setInt(2, 1);
    try (ResultSet row = query.executeQuery()) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  @Test
  void preparedAndInATransaction() throws SQLException {
    try (Connection session = fixture.throughProxy()) {
      session.setAutoCommit(false);
      assertThat(Transcript.of(session, "DELETE FROM t_order WHERE id = 1").isError()).isFalse();
      String sql = "RENAME TABLE t_order TO t_order_old";
      assertThat(Transcript.prepared(session, sql).head()).isEqualTo("affected 0 keys");
      session.rollback();
      assertThat(Transcript.of(session, "SELECT COUNT(*) FROM t_order_old").rows())
          .containsExactly("Long 5|");
    }
  }

  @Test
  void whatIsDoneAlreadyIsLeftOut() throws SQLException {
    fixture
        .away()
        .execute(
            "RENAME TABLE %1$s.t_order_0 TO %1$s.t_order_old_0, %1$s.t_order_1 TO %1$s.t_order_old_1,"
                    .formatted(SCHEMA)
                + " %1$s.t_order_2 TO %1$s.t_order_old_2".formatted(SCHEMA));
    try (Connection direct = fixture.onPlain()) {
      assertThat(Transcript.of(direct, "RENAME TABLE t_order TO t_order_old").isError()).isFalse();
    }
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, "RENAME TABLE t_order TO t_order_old").head())
          .isEqualTo("affected 0 keys");
    }
    sameTables();
  }

  @Test
  void nothingIsDoneWhereAPartIsMissing() throws SQLException {
    fixture.away().execute("DROP TABLE " + SCHEMA + ".t_order_1");
    assertThat(refusal("RENAME TABLE t_dict TO t_dict_old, t_order TO t_order_old"))
        .contains("AB3005")
        .contains("ds_1 [there is no 't_order_1']")
        .contains("done: nowhere");
    fixture.same("SELECT * FROM t_dict ORDER BY id");
    assertThat(refusal("ALTER TABLE t_order RENAME t_order_old"))
        .contains("AB3005")
        .contains("ds_1 [there is no 't_order_1']");
  }

  @Test
  void namesThatRowsCannotHaveAreRefused() throws SQLException {
    assertThat(refusal("RENAME TABLE t_order TO t_free"))
        .contains("AB2002")
        .contains("'t_free', which is not configured");
    assertThat(refusal("RENAME TABLE t_word TO t_word_turned")).contains("strategies differ");
    assertThat(refusal("RENAME TABLE t_order TO t_log")).contains("belong elsewhere");
    assertThat(refusal("ALTER TABLE t_dict RENAME TO t_conf_old")).contains("!BROADCAST");
    assertThat(refusal("RENAME TABLE t_conf TO t_dict_old")).contains("broadcast table");
    sameTables();
  }

  @Test
  void namesOfPartsGoFirst() throws SQLException {
    fixture.same("CREATE TRIGGER tr BEFORE INSERT ON t_order FOR EACH ROW SET NEW.v = 'z'");
    assertThat(refusal("RENAME TABLE t_order TO t_order_old")).contains("trigger").contains("'tr'");
    fixture.same("DROP TRIGGER tr");
    fixture.same(
        "ALTER TABLE t_word ADD CONSTRAINT fk FOREIGN KEY (id, user_id) REFERENCES t_dict (id, user_id)");
    assertThat(refusal("RENAME TABLE t_word TO t_word_old")).contains("'fk'");
    fixture.same("ALTER TABLE t_word DROP FOREIGN KEY fk");
    fixture.same("RENAME TABLE t_word TO t_word_old, t_order TO t_order_old");
    sameTables();
  }
}
