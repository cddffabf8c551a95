package io.anabranch.app.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A list of statements of all kinds, by users with all kinds of grants: the proxy denies what a
 * server denies to accounts with the same grants, with the same error, and nothing else. What
 * differs by design says so in the list.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ServerRightsIT {

  /** Passed through. */
  private static final String SCHEMA = "it_grants";

  /** The same tables beside a sharded one, in a database of the rules. */
  private static final String RULED = "it_grants_ruled";

  private static final String PASSWORD = "rights-secret";

  /** 1044, 1045, 1142, 1143, 1227, 1345, 1370. */
  private static final Set<Integer> DENIED = Set.of(1044, 1045, 1142, 1143, 1227, 1345, 1370);

  /** A syntax error, an unknown table, an unknown function. */
  private static final Set<Integer> MYSQL_KNOWS_NOT = Set.of(1064, 1109, 1305);

  /**
   * What MySQL keeps for XA_RECOVER_ADMIN and SYSTEM_USER: its account's rights are the proxy's.
   */
  private static final Pattern MYSQL_GUARDS =
      Pattern.compile("XA RECOVER|ALTER (EVENT|PROCEDURE) .*|DROP VIEW .*|ALTER VIEW .*");

  /** On MySQL it would change the password of who tries it. */
  private static final String OWN_PASSWORD = "SET PASSWORD = 'x'";

  private static final Map<String, List<String>> USERS =
      new TreeMap<>(
          Map.of(
              "reader", List.of("SELECT, SHOW VIEW ON %s.*"),
              "dumper", List.of("SELECT, LOCK TABLES, SHOW VIEW ON %s.*"),
              "writer", List.of("SELECT, INSERT, UPDATE, DELETE ON %s.*"),
              "clerk",
                  List.of(
                      "SELECT ON %s.open_t",
                      "SELECT, INSERT, UPDATE ON %s.own_t", "SELECT, INSERT ON %s.own_v"),
              "inserter", List.of("INSERT ON %s.own_t"),
              "caller", List.of("EXECUTE ON %s.*"),
              "definer", List.of("CREATE, DROP, ALTER, INDEX, INSERT, CREATE VIEW, SELECT ON %s.*"),
              "watcher", List.of("SELECT, TRIGGER, EVENT ON %s.*"),
              "owner", List.of("ALL PRIVILEGES ON %s.*")));

  /**
   * One of the list.
   *
   * @param otherwise how the proxy may differ: an error, {@code ruled=} an error in databases with
   *     rules, {@code denied} for another number of a denial; empty: not at all
   */
  private record Listed(String sql, Set<String> otherwise) {

    static Listed of(String line) {
      String[] parts = line.split(" # ", 2);
      return new Listed(
          parts[0].strip(),
          parts.length == 1 ? Set.of() : Set.of(parts[1].split(" ", 2)[0].split(",")));
    }

    boolean isRight(int server, int proxy, boolean isRuled) {
      return server == proxy
          || (DatabaseServers.areMySql() && isRightOfMySql(server, proxy))
          || otherwise.contains(Integer.toString(proxy))
          || (isRuled && otherwise.contains("ruled=" + proxy))
          || (otherwise.contains("denied") && DENIED.contains(server) && DENIED.contains(proxy));
    }

    /** The list is MariaDB's: what MySQL does not know is not compared. */
    private boolean isRightOfMySql(int server, int proxy) {
      return MYSQL_KNOWS_NOT.contains(server)
          || MYSQL_KNOWS_NOT.contains(proxy)
          || (DENIED.contains(server) && DENIED.contains(proxy))
          || (proxy == 0 && MYSQL_GUARDS.matcher(sql).matches());
    }
  }

  private static RunningProxy proxy;
  private static DatabaseServer server;
  private static List<Listed> statements;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    statements =
        resource("statements.sql")
            .lines()
            .filter(line -> !line.isBlank())
            .filter(line -> !(DatabaseServers.areMySql() && line.startsWith(OWN_PASSWORD)))
            .map(Listed::of)
            .toList();
    makeSchema(SCHEMA);
    makeSchema(RULED);
    List<String> databases = List.of(SCHEMA, RULED);
    String global = GrantedUsers.make(server, USERS, PASSWORD, databases, databases);
    String ruled =
        "databaseName: "
            + RULED
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, RULED)
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_0.t_${0..1}
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
              shardingAlgorithms:
                m: { type: MOD, props: { sharding-count: 2 } }
            - !SINGLE
              tables: ["*.*"]
            """;
    proxy = RunningProxy.startWith(global, RunningProxy.passThrough(SCHEMA, server), ruled);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ServerRightsIT.class.getResourceAsStream("/rights/" + name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** MySQL has no periods, versions and sequences. */
  private static boolean isThere(String line) {
    return !line.isBlank()
        && !(DatabaseServers.areMySql()
            && Stream.of(" per_t ", " ver_t ", " sq", "seqd_t").anyMatch(line::contains));
  }

  private static void makeSchema(String schema) throws IOException {
    server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    var all = new ArrayList<>(List.of("USE " + schema));
    resource("schema.sql").lines().filter(ServerRightsIT::isThere).forEach(all::add);
    if (schema.equals(RULED)) {
      all.add("CREATE TABLE t_0 (id INT PRIMARY KEY, v INT)");
      all.add("CREATE TABLE t_1 (id INT PRIMARY KEY, v INT)");
      all.add("CREATE TABLE t_hidden (a INT)");
    }
    server.execute(all.toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    GrantedUsers.drop(server, USERS);
  }

  private static Connection straight(String user, String schema) throws SQLException {
    return DriverManager.getConnection(server.url(schema), user, PASSWORD);
  }

  private static Connection through(String user, String schema) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        proxy.port(), schema, user, PASSWORD, "allowMultiQueries=true");
  }

  static Stream<String> users() {
    return USERS.keySet().stream();
  }

  @Test
  void theListHasAllKindsOfStatements() {
    var kinds = EnumSet.noneOf(StatementKind.class);
    for (Listed each : statements) {
      byte[] bytes = each.sql().getBytes(StandardCharsets.UTF_8);
      kinds.add(
          new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan()).kind());
    }
    // no server has the first two
    kinds.addAll(
        Set.of(StatementKind.EXPLAIN_ROUTE, StatementKind.ALTER_GROUP, StatementKind.EMPTY));
    assertThat(kinds).containsExactlyInAnyOrder(StatementKind.values());
  }

  @ParameterizedTest
  @MethodSource("users")
  void areThoseOfTheServerInADatabaseThatIsPassedThrough(String user) throws Exception {
    compare(user, SCHEMA);
  }

  @ParameterizedTest
  @MethodSource("users")
  void areThoseOfTheServerInADatabaseWithRules(String user) throws Exception {
    compare(user, RULED);
  }

  private static void compare(String user, String schema) throws SQLException, IOException {
    makeSchema(schema);
    List<Integer> expected;
    try (Connection straight = straight(user, schema)) {
      expected = errors(straight, schema);
    }
    makeSchema(schema);
    List<Integer> answered;
    try (Connection through = through(user, schema)) {
      answered = errors(through, schema);
    }
    var wrong = new ArrayList<String>();
    for (int i = 0; i < expected.size(); i++) {
      Listed each = statements.get(i);
      if (!each.isRight(expected.get(i), answered.get(i), schema.equals(RULED))) {
        wrong.add(
            each.sql() + ": " + expected.get(i) + ", but through the proxy " + answered.get(i));
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static List<Integer> errors(Connection connection, String schema) {
    var errors = new ArrayList<Integer>();
    for (Listed each : statements) {
      errors.add(error(connection, each.sql().replace(SCHEMA, schema)));
    }
    return errors;
  }

  private static int error(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  // ---------------------------------------------------------------- what is listed

  /** Of servers' lists: names alone, what else they tell may differ between connections. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW TABLES",
        "SHOW TABLES LIKE 'own%'",
        "SHOW TABLES WHERE Tables_in_it_grants LIKE 'own%' OR 1 = 0",
        "SHOW FULL TABLES FROM it_grants",
        "SHOW TABLE STATUS",
        "SHOW PROCEDURE STATUS WHERE Db = 'it_grants'",
        "SHOW FUNCTION STATUS WHERE Db = 'it_grants'",
        "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'it_grants'"
            + " ORDER BY 1",
        "SELECT COUNT(*) FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = 'it_grants'",
        "SELECT EVENT_NAME FROM information_schema.EVENTS WHERE EVENT_SCHEMA = 'it_grants'",
        "SELECT CONCAT(TABLE_NAME, VIEW_DEFINITION = '') FROM information_schema.VIEWS WHERE"
            + " TABLE_SCHEMA = 'it_grants' ORDER BY 1",
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'it_grants'"
            + " ORDER BY 1",
        "SELECT CONCAT(TABLE_NAME, COLUMN_NAME) FROM information_schema.COLUMNS WHERE"
            + " TABLE_SCHEMA = 'it_grants' ORDER BY 1",
        "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'it_grants'",
      })
  void listsTellWhatTheServersTell(String sql) throws Exception {
    makeSchema(SCHEMA);
    for (String user : USERS.keySet()) {
      try (Connection straight = straight(user, SCHEMA);
          Connection through = through(user, SCHEMA)) {
        assertThat(rows(through, sql)).as(user).isEqualTo(rows(straight, sql));
      }
    }
  }

  /** As MySQL has it; MariaDB names triggers also to who may change the table's rows. */
  @ParameterizedTest
  @ValueSource(strings = {SCHEMA, RULED})
  void triggersAreListedForWhoHasTheRight(String schema) throws Exception {
    makeSchema(schema);
    for (String user : USERS.keySet()) {
      List<String> seen =
          user.equals("owner") || user.equals("watcher")
              ? List.of("own_tr", "secret_tr")
              : List.of();
      try (Connection through = through(user, schema)) {
        assertThat(rows(through, "SHOW TRIGGERS")).as(user).isEqualTo(seen);
        assertThat(rows(through, "SHOW TRIGGERS LIKE 'own%'"))
            .as(user)
            .isEqualTo(seen.stream().limit(1).toList());
        assertThat(
                rows(
                    through,
                    "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = '"
                        + schema
                        + "' ORDER BY 1"))
            .as(user)
            .isEqualTo(seen);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW TABLES LIKE 'x' OR 1 = 1",
        "SHOW TABLES LIKE 'x' UNION SELECT a FROM open_t",
        "SHOW TABLES LIKE CONCAT('x')",
        "SHOW TABLES WHERE 1 = 1) UNION SELECT 1 FROM (SELECT 1",
        "SHOW TABLES FROM it_grants open_t",
        "SHOW TABLES WHERE 1 = 1 LIMIT 1",
      })
  void nothingFollowsAList(String sql) throws SQLException {
    try (Connection through = through("clerk", SCHEMA)) {
      assertThat(error(through, sql)).isIn(1044, 1064, 1235);
    }
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    int column = sql.contains(" STATUS") && !sql.contains("TABLE STATUS") ? 2 : 1;
    var values = new ArrayList<String>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(column));
      }
    }
    return values;
  }

  @Test
  void rulesAreToldOfTablesThatAreGranted() throws SQLException {
    try (Connection all = through("reader", RULED);
        Connection some = through("clerk", RULED)) {
      assertThat(rows(all, "SHOW SHARDING TABLE RULES")).containsExactly("t");
      assertThat(rows(some, "SHOW SHARDING TABLE RULES")).isEmpty();
      assertThat(rows(some, "SHOW SHARDING TABLE NODES")).isEmpty();
      assertThat(rows(all, "SHOW SINGLE TABLES")).contains("t_hidden", "open_t", "own_t");
      assertThat(rows(some, "SHOW SINGLE TABLES")).containsExactly("open_t", "own_t", "own_v");
    }
  }

  // ---------------------------------------------------------------- dumps

  @ParameterizedTest
  @ValueSource(strings = {"", "--single-transaction", "--skip-lock-tables", "--no-data --routines"})
  void whoMayReadAndLockDumps(String options) throws Exception {
    for (String schema : List.of(SCHEMA, RULED)) {
      makeSchema(schema);
      String straight = dump(server.port(), schema, options);
      String through = dump(proxy.port(), schema, options);
      if (schema.equals(SCHEMA)) {
        assertThat(through).isEqualTo(straight);
      } else {
        assertThat(through).contains("CREATE TABLE `t` ", "CREATE TABLE `own_t`", "VIEW `own_v`");
      }
    }
  }

  /** Without what differs from one dump to the next. */
  private static String dump(int port, String schema, String options) throws Exception {
    Path out = Path.of("target", "it-rights.sql");
    Path errors = Path.of("target", "it-rights.err");
    var command = new ArrayList<>(List.of("mariadb-dump", "--no-defaults", "-h127.0.0.1"));
    command.addAll(List.of("-P" + port, "-udumper", "-p" + PASSWORD, "--skip-comments"));
    Stream.of(options.split(" ")).filter(option -> !option.isEmpty()).forEach(command::add);
    command.add(schema);
    int exit =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(new File(errors.toString()))
            .start()
            .waitFor();
    assertThat(exit).as(Files.readString(errors)).isZero();
    return Files.readString(out, StandardCharsets.ISO_8859_1);
  }

  /** What MySQL's own mysqldump sends, which asks more. */
  @ParameterizedTest
  @ValueSource(strings = {SCHEMA, RULED})
  void whatMySqlsDumpAsksIsAnswered(String schema) throws Exception {
    makeSchema(schema);
    try (Connection dumper = through("dumper", schema)) {
      for (String sql :
          List.of(
              "/*!40100 SET @@SQL_MODE='' */",
              "/*!40103 SET TIME_ZONE='+00:00' */",
              "/*!80000 SET SESSION information_schema_stats_expiry=0 */",
              "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
              "START TRANSACTION /*!40100 WITH CONSISTENT SNAPSHOT */",
              "SHOW VARIABLES LIKE 'gtid\\_mode'",
              "UNLOCK TABLES",
              "SHOW VARIABLES LIKE 'ndbinfo\\_version'",
              "SHOW CREATE DATABASE IF NOT EXISTS `" + schema + "`",
              "SAVEPOINT sp",
              "show tables",
              "show table status like 'own\\_t'",
              "SET SQL_QUOTE_SHOW_CREATE=1",
              "SET SESSION character_set_results = utf8mb4",
              "show create table `own_t`",
              "SET SESSION character_set_results = 'utf8mb4'",
              "show fields from `own_t`",
              "SELECT /*!40001 SQL_NO_CACHE */ * FROM `own_t`",
              "use `" + schema + "`",
              "select @@collation_database",
              "SHOW TRIGGERS LIKE 'own\\_t'",
              "ROLLBACK TO SAVEPOINT sp",
              "show create table `own_v`",
              "SHOW FUNCTION STATUS WHERE Db = '" + schema + "'",
              "SHOW PROCEDURE STATUS WHERE Db = '" + schema + "'",
              "RELEASE SAVEPOINT sp")) {
        try (Statement statement = dumper.createStatement()) {
          statement.execute(sql);
        }
      }
    }
  }
}
