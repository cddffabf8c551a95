package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Query rules, seen by clients of both protocols, over one data source and over several. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class QueryRulesIT {
  private static final String ONE = "it_rules";
  private static final String MANY = "it_rules_sharded";
  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private @Nullable RunningProxy started;
  private final List<Connection> clients = new ArrayList<>();

  @BeforeEach
  void prepare(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    for (String schema : List.of(ONE, "it_rules_0", "it_rules_1")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    server.execute(
        "CREATE TABLE it_rules.t (id INT PRIMARY KEY, v VARCHAR(100))",
        "INSERT INTO it_rules.t SELECT seq, REPEAT('x', 50) FROM it_rules.seq_1_to_100",
        "CREATE TABLE it_rules_0.t_0 (id INT PRIMARY KEY, v VARCHAR(100))",
        "CREATE TABLE it_rules_1.t_1 (id INT PRIMARY KEY, v VARCHAR(100))",
        "INSERT INTO it_rules_0.t_0 SELECT 2 * seq, REPEAT('x', 50) FROM it_rules.seq_1_to_50",
        "INSERT INTO it_rules_1.t_1 SELECT 2 * seq - 1, REPEAT('x', 50) FROM it_rules.seq_1_to_50");
    folder = new ReloadFolder(temporary);
    folder.write("database-0.yaml", RunningProxy.passThrough(ONE, server));
    folder.write(
        "database-1.yaml",
        "databaseName: "
            + MANY
            + "\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_rules_0", 5)
            + ReloadFolder.source("ds_1", server, "it_rules_1", 5)
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_0.t_0,ds_1.t_1
                  databaseStrategy:
                    standard: { shardingColumn: id, shardingAlgorithmName: by_id }
                  tableStrategy:
                    standard: { shardingColumn: id, shardingAlgorithmName: tables_by_id }
              shardingAlgorithms:
                by_id: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
                tables_by_id: { type: INLINE, props: { algorithm-expression: "t_${id % 2}" } }
            """);
  }

  @AfterEach
  void stop() throws SQLException {
    for (Connection client : clients) {
      client.close();
    }
    if (started != null) {
      started.close();
    }
  }

  private void rules(boolean relays, String... lines) throws IOException {
    folder.write(
        "global.yaml",
        """
          authority:
            users:
            - { user: "%1$s@%%", password: %2$s, admin: true }
            - { user: one, password: one }
            - { user: two, password: two }
          props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2, proxy-relay-enabled: %3$s, proxy-slow-log-threshold-milliseconds: 0 }
          queryRules:
          """
                .formatted(RunningProxy.USER, RunningProxy.PASSWORD, relays)
            + String.join("\n", lines).indent(2));
  }

  private void start(String... lines) throws IOException {
    rules(true, lines);
    started = RunningProxy.startFrom(temporary);
  }

  private RunningProxy proxy() {
    return Objects.requireNonNull(started);
  }

  private Connection connect(String database, String user, String... options) throws SQLException {
    Connection client =
        RunningProxy.Driver.MARIADB.connect(proxy().port(), database, user, user, options);
    clients.add(client);
    return client;
  }

  private Connection admin() throws SQLException {
    Connection client = proxy().connect(ONE);
    clients.add(client);
    return client;
  }

  private static SQLException refusal(Connection client, String sql) {
    SQLException refused = refusalOrNull(client, sql);
    assertThat((Throwable) refused).as(sql).isNotNull();
    return Objects.requireNonNull(refused);
  }

  private static @Nullable SQLException refusalOrNull(Connection client, String sql) {
    return catchThrowableOfType(
        SQLException.class,
        () -> {
          try (PreparedStatement statement = client.prepareStatement(sql)) {
            statement.execute();
          }
        });
  }

  private static void works(Connection client, String sql) {
    assertThat((Throwable) refusalOrNull(client, sql)).as(sql).isNull();
  }

  /** How many rows come, and the error behind them. */
  private record Read(int rows, @Nullable SQLException error) {}

  private static Read read(Connection client, String sql) throws SQLException {
    int rows = 0;
    try (Statement statement =
        client.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      statement.setFetchSize(1);
      try (ResultSet result = ((PreparedStatement) statement).executeQuery()) {
        while (result.next()) {
          rows++;
        }
      }
      return new Read(rows, null);
    } catch (SQLException e) {
      return new Read(rows, e);
    }
  }

  private static List<String> hits(Connection admin) throws SQLException {
    return ReloadFolder.column(
        admin,
        "SELECT CONCAT(rule, ' ', position, ' ', action, ' ', hits, ' ', IFNULL(last_user, '-'))"
            + " FROM anabranch.rule_hits ORDER BY position");
  }

  static Stream<Arguments> ways() {
    return Stream.of(ONE, MANY)
        .flatMap(
            database ->
                Stream.of(
                    Arguments.of(database, "useServerPrepStmts=false"),
                    Arguments.of(database, "useServerPrepStmts=true")));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void refusals(String database, String protocol) throws Exception {
    start(
        "- { name: where, guard: WRITE_WITHOUT_WHERE }",
        "- { name: secret, match: { tables: [t], users: [two], kinds: [SELECT] }, deny: ask us }",
        "- { name: joins, guard: JOIN_WITHOUT_CONDITION, logOnly: true }");
    Connection one = connect(database, "one", protocol);
    Connection two = connect(database, "two", protocol);
    SQLException refused = refusal(one, "DELETE FROM t");
    assertThat(refused.getErrorCode()).isEqualTo(1148);
    assertThat(refused.getSQLState()).isEqualTo("42000");
    assertThat((Throwable) refused)
        .hasMessageContaining(
            "AB3040: The rule 'where' does not allow this statement: UPDATE and DELETE need a"
                + " WHERE");
    assertThat((Throwable) refusal(two, "SELECT v FROM t WHERE id = 5"))
        .hasMessageContaining("'secret'")
        .hasMessageContaining("ask us");
    works(one, "SELECT v FROM t WHERE id = 5");
    works(one, "SELECT COUNT(*) FROM t a, t b");
    works(one, "DELETE FROM t WHERE id = 5");
    works(two, "INSERT INTO t VALUES (5, 'again')");
    assertThat(ReloadFolder.column(one, "SELECT COUNT(*) FROM t")).containsExactly("100");
    // what cannot be prepared the driver sends as a text
    int asked = protocol.endsWith("true") ? 2 : 1;
    assertThat(hits(admin()))
        .containsExactly(
            "where 1 deny " + asked + " one",
            "secret 2 deny " + asked + " two",
            "joins 3 deny 1 one");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void textsAreRewritten(String database, String protocol) throws Exception {
    start(
        "- { name: other, match: { pattern: 'FROM gone_(\\d+)' }, rewrite: 'FROM t WHERE id = $1' }",
        "- { name: never, match: { pattern: LENGTH }, rewrite: 'CHAR_LENGTH', logOnly: true, log: true }",
        "- { name: of-two, match: { pattern: 'v FROM t', users: [two] }, rewrite: \"'of two' v FROM t\", next: true }",
        "- { name: last, match: { pattern: 'of two', users: [two] }, rewrite: 'last' }",
        "- { name: denied, match: { digestPattern: 'FROM `?t`? WHERE `?v`?' }, deny: no index }",
        "- { name: into-denied, match: { pattern: 'FROM there' }, rewrite: 'FROM t WHERE v' }",
        "- { name: two-of-one, match: { pattern: '#$' }, rewrite: '; DROP TABLE t' }",
        "- { name: markers, match: { pattern: 'id = 8 OR' }, rewrite: 'id = ? OR' }",
        "- { name: own, match: { pattern: 'SELECT 77' }, rewrite: 'SELECT @@autocommit' }");
    Connection one = connect(database, "one", protocol);
    Connection two = connect(database, "two", protocol);
    for (int i = 0; i < 2; i++) {
      assertThat(ReloadFolder.column(one, "SELECT id FROM gone_" + (i + 5)))
          .containsExactly(Integer.toString(i + 5));
    }
    assertThat(prepared(one, "SELECT id FROM gone_6 AND id > ?", "1")).isEqualTo("6");
    assertThat(ReloadFolder.column(one, "SELECT LENGTH('ä')")).containsExactly("2");
    assertThat(ReloadFolder.column(one, "SELECT v FROM t WHERE id = 5")).doesNotContain("last");
    assertThat(ReloadFolder.column(two, "SELECT v FROM t WHERE id = 5")).containsExactly("last");
    assertThat((Throwable) refusal(one, "SELECT id FROM there = 'x'"))
        .hasMessageContaining("'denied'");
    assertThat((Throwable) refusal(one, "SELECT id FROM t WHERE id = 1 OR '#'='#"))
        .hasMessageNotContaining("AB3046");
    assertThat((Throwable) refusal(one, "SELECT id FROM t /* x */ #"))
        .hasMessageContaining("AB3046: The rule 'two-of-one' makes several statements");
    assertThat(ReloadFolder.column(one, "SELECT 77")).containsExactly("1");
    if (protocol.endsWith("true")) {
      try (Connection strict =
          RunningProxy.Driver.MYSQL.connect(
              proxy().port(), database, "one", "one", protocol, "emulateUnsupportedPstmts=false")) {
        assertThat(
                (Throwable)
                    catchThrowableOfType(
                        SQLException.class,
                        () -> strict.prepareStatement("SELECT id FROM t WHERE id = 8 OR id = ?")))
            .hasMessageContaining("AB3046")
            .hasMessageContaining("2 parameters instead of 1");
      }
    }
    assertThat(ReloadFolder.column(one, "SELECT COUNT(*) FROM t")).containsExactly("100");
    assertThat(hits(admin()))
        .contains("other 1 rewrite 4 one", "never 2 rewrite,log 1 one", "last 4 rewrite 1 two");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void injectionsAreRefused(String database, String protocol) throws Exception {
    start("- { name: wall, guard: INJECTION, match: { exceptUsers: [two] } }");
    Connection one = connect(database, "one", protocol);
    for (int i = 0; i < 2; i++) {
      works(one, "SELECT v FROM t WHERE id = 5 OR id = 6");
      assertThat((Throwable) refusal(one, "SELECT v FROM t WHERE id = 5 OR 6 = 6"))
          .hasMessageContaining(
              "AB3040: The rule 'wall' does not allow this statement: it looks like an injection:"
                  + " a condition that is always true");
    }
    for (int length : List.of(10_000, 70_000)) {
      String padding = "/* " + "x".repeat(length) + " */";
      refusal(one, "SELECT v FROM t WHERE id = 5 " + padding + " OR 6 = 6");
      works(one, "INSERT INTO t VALUES (%d, 'x') %s".formatted(length, padding));
    }
    works(connect(database, "two", protocol), "SELECT v FROM t WHERE id = 5 OR 6 = 6");
    assertThat(ReloadFolder.column(one, "SELECT COUNT(*) FROM t")).containsExactly("102");
  }

  private static String prepared(Connection client, String sql, String value) throws SQLException {
    String found = "";
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < 2; i++) {
        statement.setString(1, value);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          found = rows.getString(1);
        }
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE, MANY})
  void textsThatAreExecutedAreAskedAbout(String database) throws Exception {
    start("- name: no-t", "  match: { tables: [t], users: [one] }", "  deny: not this one");
    Connection client = connect(database, "one");
    works(client, "SET @text = 'SELECT id FROM t'");
    for (String sql :
        List.of(
            "PREPARE p FROM 'SELECT id FROM t'",
            "PREPARE p FROM @text",
            "EXECUTE IMMEDIATE 'DELETE FROM t'",
            "EXECUTE IMMEDIATE @text")) {
      assertThat((Throwable) refusal(client, sql)).as(sql).hasMessageContaining("no-t");
    }
    assertThat(refusal(client, "EXECUTE IMMEDIATE CONCAT('SELECT id ', 'FROM t')").getErrorCode())
        .isEqualTo(1235);
    works(client, "PREPARE p FROM 'SELECT 1'");
    works(client, "EXECUTE p");
    works(client, "DEALLOCATE PREPARE p");
    Connection other = connect(database, "two");
    works(other, "PREPARE p FROM 'SELECT id FROM t'");
    works(other, "EXECUTE p");
  }

  @Test
  void aRefusedStatementLeavesItsTransactionAlone() throws Exception {
    start("- { name: drops, match: { kinds: [DROP] }, deny: never }");
    Connection one = connect(ONE, "one");
    one.setAutoCommit(false);
    works(one, "UPDATE t SET v = 'mine' WHERE id = 1");
    refusal(one, "DROP TABLE t");
    assertThat(ReloadFolder.column(admin(), "SELECT v FROM t WHERE id = 1 AND v = 'mine'"))
        .as("it was not committed")
        .isEmpty();
    one.rollback();
    assertThat(ReloadFolder.column(one, "SELECT v FROM t WHERE id = 1 AND v = 'mine'")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void rowsAreCut(String database, String protocol) throws Exception {
    start(
        "- { name: few, match: { users: [one] }, maxRows: 10 }",
        "- { name: small, match: { users: [two] }, maxBytes: 400 }");
    Connection one = connect(database, "one", protocol);
    cut(
        one,
        "SELECT id, v FROM t",
        10,
        "AB3042: The result is too large: the rule 'few' allows 10 rows");
    assertThat(read(one, "SELECT id FROM t WHERE id IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)"))
        .isEqualTo(new Read(10, null));
    assertThat(read(one, "SELECT id FROM t ORDER BY id LIMIT 10")).isEqualTo(new Read(10, null));
    one.setAutoCommit(false);
    works(one, "INSERT INTO t VALUES (1000, 'here')");
    cut(one, "SELECT id, v FROM t ORDER BY id", 10, "AB3042");
    assertThat(ReloadFolder.column(one, "SELECT v FROM t WHERE id = 1000"))
        .as("the transaction lives")
        .containsExactly("here");
    one.rollback();
    Connection two = connect(database, "two", protocol);
    Read small = read(two, "SELECT v FROM t");
    assertThat(small.rows()).isLessThanOrEqualTo(8);
    assertThat((Throwable) small.error())
        .hasMessageContaining("AB3043")
        .hasMessageContaining("'small'");
    works(two, "SELECT v FROM t WHERE id = 3");
  }

  private static void cut(Connection client, String sql, int rows, String told)
      throws SQLException {
    for (int i = 0; i < 3; i++) {
      Read result = read(client, sql);
      assertThat(result.rows()).isLessThanOrEqualTo(rows);
      SQLException error = Objects.requireNonNull(result.error());
      assertThat((Throwable) error).hasMessageContaining(told);
      assertThat(error.getErrorCode()).isEqualTo(1104);
      assertThat(ReloadFolder.column(client, "SELECT 7")).as("the session lives").contains("7");
    }
  }

  @Test
  void aLongAnswerIsNotReadToItsEnd() throws Exception {
    start("- { name: few, match: { users: [one] }, maxRows: 10 }");
    Connection one = connect(ONE, "one");
    String endless = "SELECT a.seq FROM seq_1_to_1000000 a, seq_1_to_1000000 b";
    assertThat(read(one, endless).rows()).isEqualTo(10);
    cut(one, endless, 10, "AB3042");
    try (Connection direct = server.connect("")) {
      Eventually.holds(
          "it ends there, too",
          () -> {
            try {
              return ReloadFolder.column(
                      direct,
                      "SELECT id FROM information_schema.processlist"
                          + " WHERE info LIKE '%seq_1_to_1000000 b'")
                  .isEmpty();
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  @Test
  void rowsAreCutWithoutTheRelay() throws Exception {
    rules(false, "- { name: few, match: { users: [one] }, maxRows: 10 }");
    started = RunningProxy.startFrom(temporary);
    Connection one = connect(ONE, "one");
    one.setAutoCommit(false);
    works(one, "INSERT INTO t VALUES (1000, 'here')");
    cut(one, "SELECT id, v FROM t", 10, "AB3042");
    assertThat(ReloadFolder.column(one, "SELECT v FROM t WHERE id = 1000")).containsExactly("here");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void timeEndsWhatDatabasesDo(String database, String protocol) throws Exception {
    start("- { name: quick, match: { users: [one] }, milliseconds: 300 }");
    Connection one = connect(database, "one", protocol);
    one.setAutoCommit(false);
    works(one, "INSERT INTO t VALUES (1000, 'here')");
    for (int i = 0; i < 2; i++) {
      SQLException ended = refusal(one, "SELECT SLEEP(1000) AS it_rules FROM t");
      assertThat((Throwable) ended)
          .hasMessageContaining(
              "AB3041: Query execution was interrupted: the rule 'quick' allows 300 ms");
      assertThat(ended.getErrorCode()).isEqualTo(3024);
      works(one, "SELECT v FROM t WHERE id = 5");
    }
    assertThat(ReloadFolder.column(one, "SELECT v FROM t WHERE id = 1000")).containsExactly("here");
    try (Connection direct = server.connect("")) {
      assertThat(
              ReloadFolder.column(
                  direct,
                  "SELECT id FROM information_schema.processlist WHERE info LIKE '%AS it_rules%' AND info NOT LIKE '%processlist%'"))
          .isEmpty();
    }
  }

  @Test
  void scatters() throws Exception {
    start(
        "- { name: wide, guard: SCATTER, match: { users: [one] } }",
        "- { name: sorts, guard: SORT_WITHOUT_LIMIT, match: { users: [two] } }",
        "- { name: most, match: { kinds: [SELECT] }, maxDataSources: 1, next: true }",
        "- { name: rest, match: { pattern: \"'needle'\" }, deny: found }");
    Connection one = connect(MANY, "one");
    assertThat((Throwable) refusal(one, "UPDATE t SET v = 'a' WHERE v = 'b'"))
        .hasMessageContaining("'wide'");
    works(one, "UPDATE t SET v = 'a' WHERE id = 4");
    works(one, "SELECT v FROM t WHERE id IN (2, 4)");
    Connection two = connect(MANY, "two");
    assertThat((Throwable) refusal(two, "SELECT v FROM t ORDER BY v"))
        .hasMessageContaining("'sorts'");
    works(two, "SELECT v FROM t WHERE id = 4 ORDER BY v");
    assertThat((Throwable) refusal(two, "SELECT v FROM t"))
        .hasMessageContaining(
            "AB3044: The rule 'most' allows this statement 1 data source(s) at a time, it needs 2");
    works(two, "DELETE FROM t WHERE v = 'haystack'");
    assertThat((Throwable) refusal(two, "SELECT v FROM t WHERE id = 4 AND v = 'needle'"))
        .hasMessageContaining("found");
    works(two, "SELECT v FROM t WHERE id = 4 AND v = 'straw'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"useServerPrepStmts=false", "useServerPrepStmts=true"})
  void statementsAreSentElsewhere(String protocol) throws Exception {
    server.execute(
        "CREATE TABLE it_rules_1.here (v INT)", "INSERT INTO it_rules_1.here VALUES (7)");
    start("- { name: there, match: { tables: [here] }, route: ds_1, tag: moved }");
    Connection one = connect(MANY, "one", protocol);
    works(one, "INSERT INTO here VALUES (8)");
    assertThat(ReloadFolder.column(one, "SELECT v FROM here ORDER BY v")).containsExactly("7", "8");
    Connection admin = admin();
    assertThat(
            ReloadFolder.column(
                admin,
                "SELECT DISTINCT CONCAT(tag, ' ', data_sources) FROM anabranch.slow_statements WHERE tag IS NOT NULL"))
        .containsExactly("moved ds_1");
  }

  @Test
  void whatTheClientWroteIsWhatCounts() throws Exception {
    start(
        "- { name: batch, match: { hints: { class: batch } }, deny: not now }",
        "- { name: own, match: { digestPattern: 'CONNECTION_ID' }, deny: no }",
        "- { name: far, match: { networks: [10.0.0.0/8] }, deny: no }");
    Connection one = connect(ONE, "one");
    assertThat((Throwable) refusal(one, "/* ANABRANCH_HINT: class=batch */ SELECT v FROM t"))
        .hasMessageContaining("not now");
    works(one, "/* ANABRANCH_HINT: class=web */ SELECT v FROM t");
    works(one, "SELECT v FROM t");
    for (int i = 0; i < 2; i++) {
      assertThat((Throwable) refusal(one, "SELECT v FROM t WHERE id = CONNECTION_ID()"))
          .hasMessageContaining("'own'");
    }
  }

  @Test
  void statementsOfARuleRunAtATime() throws Exception {
    start(
        "- { name: sleeps, match: { digestPattern: '^SELECT SLEEP' }, statementsAtATime: 1 }",
        "- { name: other, match: { kinds: [DELETE] }, statementsAtATime: 1 }");
    Connection sleeper = connect(ONE, "one");
    try (var threads = Executors.newCachedThreadPool()) {
      var first = threads.submit(() -> refusalOrNull(sleeper, "SELECT SLEEP(1000)"));
      Connection admin = admin();
      Eventually.holds(
          "one sleeps",
          () -> {
            try {
              return !sleepers(admin).isEmpty();
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
      Connection two = connect(ONE, "two");
      SQLException refused = refusal(two, "SELECT SLEEP(0)");
      assertThat((Throwable) refused)
          .hasMessageContaining(
              "AB3045: Too many statements: the rule 'sleeps' lets 1 run at a time; try again when"
                  + " others have ended");
      assertThat(refused.getErrorCode()).isEqualTo(1226);
      works(two, "DELETE FROM t WHERE id = 1");
      works(two, "DELETE FROM t WHERE id = 2");
      works(admin, "KILL QUERY " + sleepers(admin).getFirst());
      assertThat((Throwable) first.get()).isNotNull();
      // the place is given back behind the answer
      Eventually.holds("there is room", () -> refusalOrNull(two, "SELECT SLEEP(0)") == null);
    }
  }

  private static List<String> sleepers(Connection admin) throws SQLException {
    return ReloadFolder.column(
        admin,
        "SELECT id FROM anabranch.sessions WHERE sql_text = 'SELECT SLEEP(1000)' AND data_source IS NOT NULL");
  }

  @Test
  void administratorsChangeRulesBySql() throws Exception {
    start("- { name: a, match: { kinds: [DELETE] }, deny: no } # as agreed");
    Connection admin = admin();
    Connection one = connect(ONE, "one");
    works(
        admin,
        "CREATE QUERY RULE b (MATCH(KINDS(UPDATE), USERS(one), WITHOUT_WHERE = true), DENY = 'too wide')");
    assertThat((Throwable) refusal(one, "UPDATE t SET v = 1")).hasMessageContaining("too wide");
    assertThat(ReloadFolder.column(admin, "SHOW QUERY RULES")).containsExactly("1", "2");
    assertThat((Throwable) refusal(admin, "CREATE QUERY RULE b (MATCH(), LOG = true)"))
        .hasMessageContaining("already");
    assertThat((Throwable) refusal(admin, "CREATE QUERY RULE c (MATCH(USERS(on)), LOG = true)"))
        .hasMessageContaining("did you mean `one`?");
    works(admin, "ALTER QUERY RULE a (MATCH(KINDS(DELETE)), DENY = 'no', LOG_ONLY = true)");
    works(one, "DELETE FROM t WHERE id = 1");
    works(admin, "DROP QUERY RULE b");
    works(one, "UPDATE t SET v = 1");
    assertThat((Throwable) refusal(admin, "DROP QUERY RULE b"))
        .hasMessageContaining("there is no query rule `b`");
    works(admin, "DROP QUERY RULE IF EXISTS b");
    works(admin, "SAVE CONFIGURATION");
    assertThat(Files.readString(temporary.resolve("global.yaml")))
        .contains("name: a")
        .contains("# as agreed")
        .contains("logOnly: true")
        .doesNotContain("name: b");
    assertThat((Throwable) refusal(one, "DROP QUERY RULE a")).isNotNull();
  }

  @Test
  void rulesChangeWhileTheyAreAsked() throws Exception {
    start("- { name: a, match: { kinds: [DELETE] }, deny: no }");
    Connection one = connect(ONE, "one", "useServerPrepStmts=true");
    Connection admin = admin();
    refusal(one, "DELETE FROM t WHERE id = 1");
    String digest = ReloadFolder.digest(admin, "DELETE%");
    assertThat(ReloadFolder.one(admin, "SELECT last_digest FROM anabranch.rule_hits"))
        .isEqualTo(digest);
    rules(
        true,
        "- { name: a, match: { kinds: [DELETE] }, deny: no, logOnly: true }",
        "- { name: b, match: { digests: [" + digest + "] }, log: true }");
    assertThat(ReloadFolder.column(admin, "RELOAD CONFIGURATION")).isNotEmpty();
    works(one, "DELETE FROM t WHERE id = 1");
    works(one, "DELETE FROM t WHERE v = 'b'");
    assertThat(hits(admin)).containsExactly("a 1 deny 4 one", "b 2 log 1 one");
    works(admin, "TRUNCATE anabranch.rule_hits");
    assertThat(hits(admin)).containsExactly("a 1 deny 0 -", "b 2 log 0 -");
    folder.write(
        "global.yaml",
        "authority: { users: [{ user: one, password: one }] }\nqueryRules:\n- { name: a, match: {}, dney: x }\n");
    assertThat((Throwable) refusal(admin, "RELOAD CONFIGURATION"))
        .hasMessageContaining("global.yaml:3:25")
        .hasMessageContaining("did you mean `deny`?");
    works(one, "DELETE FROM t WHERE id = 2");
  }
}
