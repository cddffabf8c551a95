package io.anabranch.app.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.right.Privilege;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of statement, with a table in every place, by users who have everything but one
 * privilege, nothing but one, nothing, or all: what a server denies to accounts with the same
 * grants the proxy denies, on whatever way it comes, and nothing is changed by it; what a server
 * allows is let through.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class RightsMatrixIT {

  private static final String SCHEMA = "it_right";

  /** The same with a sharded table, in a database with rules. */
  private static final String RULED = "it_right_ruled";

  private static final String FAR = "it_right_far";
  private static final String PASSWORD = "right-secret";
  private static final String NOBODY = "r_nobody";
  private static final String OWNER = "r_owner";
  private static final String READS_NOTHING = "r_no_select";

  /** Not supported; no such function, which MySQL looks for later than for the right. */
  private static final Set<Integer> REFUSED = Set.of(1235, 1305);

  private static final Set<Integer> DENIED = Set.of(1044, 1045, 1095, 1142, 1143, 1227, 1345, 1370);

  /**
   * Of ways that do not take a statement: it cannot be prepared, has no route, does not stand
   * there.
   */
  private static final Set<Integer> NOT_TAKEN = Set.of(1064, 1235, 1295);

  /**
   * Allowed by servers, refused here: programs are for who has all rights, files for nobody;
   * whoever changes rows through a view needs that right on its table ({@code docs/security.md});
   * changes of several tables need what MySQL asks for.
   */
  private static final Pattern STRICTER =
      Pattern.compile(
          "(BEGIN NOT|CREATE (DEFINER = \\S+ )?(PROCEDURE|FUNCTION|EVENT|TRIGGER)|(ALTER|DROP)"
              + " (PROCEDURE|EVENT|TRIGGER)|SHOW CREATE PROC|(CREATE|ALTER) .*VIEW|RENAME TABLE|.*("
              + "TABLESPACE|DIRECTORY|REFERENCES|LOAD_FILE|PROCEDURE ANALYSE|EXPLAIN FOR|"
              + "it_right_far|goal_v)|.* ENGINE = MERGE .*|.* UNION = .*|EXECUTE IMMEDIATE CONCAT.*|"
              + "UPDATE open_t(,| JOIN) .*"
              // MySQL takes the name for the common table's, behind its parentheses
              + (DatabaseServers.areMySql() ? "|\\(WITH goal_t AS .*\\) UNION .*" : "")
              + ").*",
          Pattern.DOTALL);

  /**
   * By MySQL's rules no column is read; and MySQL keeps views and programs of accounts with
   * SYSTEM_USER for such accounts, of which the proxy's is one.
   */
  private static final Pattern LAXER =
      Pattern.compile(
          ".* ON DUPLICATE KEY UPDATE a = (3|VALUES\\(a\\))"
              + (DatabaseServers.areMySql()
                  ? "|DROP (VIEW|PROCEDURE) goal_.|ALTER (EVENT|PROCEDURE) .*"
                  : ""));

  private static final List<String> GOALS = List.of("goal_t", "goal_v", "goal_s");
  private static final List<String> HELPERS = List.of("open_t", "made_t", "made_v", "made_s");

  /** Those without one of these are tried on MySQL, too, whose definitions take their time. */
  private static final Set<Privilege> OF_ROWS =
      Set.of(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

  /** By user. */
  private static final Map<String, List<String>> USERS = users();

  @TempDir private static Path directory;

  private static final Map<String, List<Integer>> EXPECTED = new HashMap<>();

  private static DatabaseServer server;
  private static RunningProxy proxy;
  private static Path file;
  private static Connection other;
  private static CommandProbe ownOther;
  private static Connection root;

  private static Map<String, List<String>> users() {
    var users = new LinkedHashMap<String, List<String>>();
    Set<Privilege> onTables = EnumSet.copyOf(privileges());
    onTables.retainAll(Privilege.OF_TABLES);
    Set<Privilege> onDatabases = EnumSet.complementOf(EnumSet.copyOf(Privilege.OF_TABLES));
    users.put(NOBODY, helpers());
    users.put(OWNER, List.of("ALL PRIVILEGES ON %s.*"));
    for (Privilege one : privileges()) {
      Set<Privilege> rest = EnumSet.copyOf(onTables.contains(one) ? onTables : onDatabases);
      rest.remove(one);
      var without = new ArrayList<>(helpers());
      var only = new ArrayList<>(helpers());
      if (onTables.contains(one)) {
        GOALS.forEach(goal -> without.add(words(rest) + " ON %s." + goal));
        GOALS.forEach(goal -> only.add(one.words() + " ON %s." + goal));
        without.add(words(onDatabases) + " ON %s.*");
      } else {
        without.add(words(onTables) + ", " + words(rest) + " ON %s.*");
        only.add(one.words() + " ON %s.*");
      }
      String name = one.name().toLowerCase(java.util.Locale.ROOT);
      if (!DatabaseServers.areMySql() || OF_ROWS.contains(one)) {
        users.put("r_no_" + name, List.copyOf(without));
      }
      users.put("r_only_" + name, List.copyOf(only));
    }
    return users;
  }

  private static Set<Privilege> privileges() {
    Set<Privilege> known = EnumSet.allOf(Privilege.class);
    if (DatabaseServers.areMySql()) {
      known.remove(Privilege.DELETE_HISTORY);
    }
    return known;
  }

  private static List<String> helpers() {
    Set<Privilege> all = EnumSet.copyOf(privileges());
    all.retainAll(Privilege.OF_TABLES);
    return HELPERS.stream().map(name -> words(all) + " ON %s." + name).toList();
  }

  private static String words(Set<Privilege> privileges) {
    return privileges.stream().sorted().map(Privilege::words).collect(Collectors.joining(", "));
  }

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException, IOException {
    server = servers.primaryA();
    file = Files.writeString(directory.resolve("rows"), "7\n");
    make(SCHEMA, "");
    make(FAR, "");
    make(RULED, "_0");
    server.execute("CREATE TABLE " + RULED + ".goal_t_1 LIKE " + RULED + ".goal_t_0");
    String global =
        GrantedUsers.make(server, USERS, PASSWORD, List.of(SCHEMA), List.of(SCHEMA, RULED));
    String ruled =
        "databaseName: "
            + RULED
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, RULED)
            + """
            rules:
            - !SHARDING
              tables:
                goal_t:
                  actualDataNodes: ds_0.goal_t_${0..1}
                  tableStrategy: { standard: { shardingColumn: a, shardingAlgorithmName: m } }
              shardingAlgorithms:
                m: { type: MOD, props: { sharding-count: 2 } }
            - !SINGLE
              tables: ["*.*"]
            """;
    proxy =
        RunningProxy.startWith(
            global,
            RunningProxy.passThrough(SCHEMA, server),
            RunningProxy.passThrough(FAR, server),
            ruled);
    root =
        DriverManager.getConnection(server.url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD);
    other =
        DriverManager.getConnection(server.url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD);
    ownOther = new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
  }

  /**
   * @param node behind the table's name
   */
  private static void make(String schema, String node) {
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "USE " + schema,
        "CREATE TABLE open_t (a INT, KEY open_i (a))",
        "CREATE TABLE goal_t" + node + " (a INT, KEY goal_i (a))",
        "INSERT INTO goal_t" + node + " VALUES (1)",
        "CREATE VIEW goal_v AS SELECT a FROM goal_t" + node,
        "CREATE PROCEDURE goal_p(x INT) SELECT a FROM goal_t" + node,
        "CREATE FUNCTION goal_f() RETURNS INT READS SQL DATA RETURN (SELECT MAX(a) FROM goal_t"
            + node
            + ")",
        "CREATE EVENT goal_e ON SCHEDULE EVERY 1 DAY DISABLE DO SELECT 1",
        // MySQL has none; there the name is a table's
        DatabaseServers.areMySql() ? "CREATE TABLE goal_s (a INT)" : "CREATE SEQUENCE goal_s");
  }

  @AfterAll
  static void stop() throws SQLException, IOException {
    other.close();
    ownOther.close();
    root.close();
    proxy.close();
    GrantedUsers.drop(server, USERS);
    for (String schema : List.of(SCHEMA, RULED, FAR)) {
      server.execute("DROP DATABASE " + schema);
    }
  }

  // ---------------------------------------------------------------- ways

  /** On MySQL this changes the password of who tries it. */
  private static final String OWN_PASSWORD = "SET PASSWORD = 'x'";

  private static final List<RightForms.Form> FORMS =
      RightForms.all(SCHEMA, FAR).stream()
          .filter(form -> !(DatabaseServers.areMySql() && form.sql().equals(OWN_PASSWORD)))
          .toList();

  private static Connection straight(String user) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        server.port(), SCHEMA, user, PASSWORD, "allowLocalInfile=true");
  }

  private static Connection through(String user, String schema) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        proxy.port(), schema, user, PASSWORD, "allowLocalInfile=true", "allowMultiQueries=true");
  }

  /** What a statement is wrapped into. */
  enum Way {
    TEXT,
    SECOND,
    PREPARED,
    NAMED,
    IMMEDIATE,
    FOR_STATEMENT,
    ROUTE,
    COMPOUND,
    EXECUTABLE_COMMENT,
    HINT;

    int run(Connection connection, String sql) throws SQLException {
      String quoted = "'" + sql.replace("\\", "\\\\").replace("'", "''") + "'";
      return switch (this) {
        case TEXT -> error(connection, sql);
        case SECOND -> second(connection, sql);
        case PREPARED -> prepared(connection, sql);
        case NAMED -> {
          int error = error(connection, "PREPARE way FROM " + quoted);
          yield error != 0 ? error : error(connection, "EXECUTE way");
        }
        case IMMEDIATE -> error(connection, "EXECUTE IMMEDIATE " + quoted);
        case FOR_STATEMENT -> error(connection, "SET STATEMENT max_statement_time = 10 FOR " + sql);
        case ROUTE -> error(connection, "EXPLAIN ROUTE " + sql);
        case COMPOUND -> error(connection, "BEGIN NOT ATOMIC " + sql + "; END");
        case EXECUTABLE_COMMENT -> error(connection, "/*!50000 " + sql + " */");
        case HINT -> error(connection, "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ " + sql);
      };
    }
  }

  private static int error(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static int second(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DO 1; " + sql);
      while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
        statement.getWarnings();
      }
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static int prepared(Connection connection, String sql) {
    try (var statement = connection.prepareStatement(sql)) {
      statement.execute();
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  /** Of what the proxy answers itself EXPLAIN ROUTE says that, and looks at nothing. */
  private static boolean isTold(Way way, RightForms.Form form) {
    return way == Way.ROUTE
        && Set.of(StatementKind.SET, StatementKind.SHOW, StatementKind.EXECUTE, StatementKind.KILL)
            .contains(form.kind());
  }

  private static String sql(RightForms.Form form, String schema, long victim) {
    return form.sql()
        .replace("{file}", file.toString())
        .replace("{other}", Long.toString(victim))
        .replaceAll("\\b" + SCHEMA + "\\b", schema);
  }

  // ---------------------------------------------------------------- the list

  /** Those that need no right, or are looked at when their text is known. */
  private static final Set<StatementKind> WITHOUT_FORMS =
      EnumSet.of(
          StatementKind.BEGIN,
          StatementKind.COMMIT,
          StatementKind.ROLLBACK,
          StatementKind.SAVEPOINT,
          StatementKind.XA,
          StatementKind.UNLOCK_TABLES,
          StatementKind.PREPARE,
          StatementKind.DEALLOCATE,
          StatementKind.EMPTY);

  @Test
  void theListHasAllKinds() {
    var kinds = EnumSet.noneOf(StatementKind.class);
    for (RightForms.Form form : FORMS) {
      byte[] bytes = form.sql().getBytes(StandardCharsets.UTF_8);
      kinds.add(
          new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan()).kind());
    }
    assertThat(kinds).isEqualTo(EnumSet.complementOf(EnumSet.copyOf(WITHOUT_FORMS)));
  }

  // ---------------------------------------------------------------- verdicts

  static Stream<String> names() {
    return USERS.keySet().stream();
  }

  private static void restore(RightForms.Form form) {
    form.restored().forEach(each -> error(root, each));
  }

  /** Those that a user is tried with: by some with every name, by the others with one. */
  private static List<RightForms.Form> forms(String user) {
    return List.of(NOBODY, READS_NOTHING, "r_only_select").contains(user)
        ? FORMS
        : FORMS.stream().filter(RightForms.Form::isPlain).toList();
  }

  /** The server's answers, asked for once. */
  private static List<Integer> expected(String user) throws SQLException {
    List<Integer> known = EXPECTED.get(user);
    if (known != null) {
      return known;
    }
    long victim = id(other);
    var errors = new ArrayList<Integer>();
    Connection connection = straight(user);
    try {
      for (RightForms.Form form : forms(user)) {
        int error = error(connection, sql(form, SCHEMA, victim));
        errors.add(error);
        if (!DENIED.contains(error) && !form.restored().isEmpty()) {
          connection.close();
          restore(form);
          connection = straight(user);
        }
      }
    } finally {
      connection.close();
    }
    assertThat(other.isValid(1)).isTrue();
    EXPECTED.put(user, errors);

    return errors;
  }

  private static long id(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** All that statements could have changed. */
  private static String state(String schema) throws SQLException {
    String node = schema.equals(RULED) ? "_0" : "";
    var state = new StringBuilder();
    for (String sql :
        List.of(
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{s}' ORDER BY 1",
            "SELECT CONCAT_WS(' ', TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLUMN_KEY) FROM"
                + " information_schema.COLUMNS WHERE TABLE_SCHEMA = '{s}' ORDER BY 1",
            "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = '{s}'"
                + " ORDER BY 1",
            "SELECT CONCAT_WS(' ', EVENT_NAME, STATUS) FROM information_schema.EVENTS WHERE"
                + " EVENT_SCHEMA = '{s}' ORDER BY 1",
            "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = '{s}'",
            "SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = '{s}'",
            "SELECT a FROM {s}.goal_t" + node,
            "SELECT a FROM {s}.open_t",
            DatabaseServers.areMySql()
                ? "SELECT a FROM {s}.goal_s"
                : "SELECT next_not_cached_value FROM {s}.goal_s",
            "SELECT @@global.max_connections",
            "SELECT COUNT(*) FROM mysql.user",
            "SELECT COUNT(*) FROM information_schema.SCHEMATA")) {
      try (Statement statement = root.createStatement();
          ResultSet rows = statement.executeQuery(sql.replace("{s}", schema))) {
        while (rows.next()) {
          state.append(rows.getString(1)).append('\n');
        }
      }
      state.append("---\n");
    }
    return state.toString();
  }

  @ParameterizedTest
  @MethodSource("names")
  void deniedIsWhatTheServerDenies(String user) throws SQLException, IOException {
    var wrong = new ArrayList<String>();
    List<Integer> expected = expected(user);
    String before = state(SCHEMA);
    int denied = 0;
    try (Connection connection = through(user, SCHEMA)) {
      for (int i = 0; i < expected.size(); i++) {
        String sql = sql(forms(user).get(i), SCHEMA, ownOther.connectionId());
        if (DENIED.contains(expected.get(i)) && !LAXER.matcher(sql).matches()) {
          denied++;
          int answered = error(connection, sql);
          if (!DENIED.contains(answered) && !REFUSED.contains(answered)) {
            wrong.add(sql + ": " + expected.get(i) + ", but " + answered);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(denied).isPositive();
    assertThat(state(SCHEMA)).isEqualTo(before);
    assertThat(ownOther.answer(new byte[] {0x0e})).isEqualTo("OK");
  }

  static Stream<String> whoMayDoSomething() {
    return names().filter(user -> !user.startsWith("r_no_") && !user.equals(NOBODY));
  }

  @ParameterizedTest
  @MethodSource("whoMayDoSomething")
  void letThroughIsWhatTheServerDoes(String user) throws SQLException {
    List<Integer> expected = expected(user);
    var wrong = new ArrayList<String>();
    Connection connection = through(user, SCHEMA);
    try {
      for (int i = 0; i < expected.size(); i++) {
        RightForms.Form form = forms(user).get(i);
        String sql = sql(form, SCHEMA, ownOther.connectionId());
        if (expected.get(i) != 0 || STRICTER.matcher(sql).matches()) {
          continue;
        }
        int answered = error(connection, sql);
        if (answered != 0) {
          wrong.add(sql + ": " + answered);
        }
        if (!form.restored().isEmpty()) {
          connection.close();
          restore(form);
          connection = through(user, SCHEMA);
        }
      }
    } finally {
      connection.close();
    }
    assertThat(wrong).isEmpty();
  }

  /** Those that the server has: a way that it does not know is not taken. */
  static Stream<Way> ways() {
    Set<Way> ofMariaDb = Set.of(Way.IMMEDIATE, Way.FOR_STATEMENT, Way.COMPOUND);
    return Stream.of(Way.values())
        .filter(way -> !(DatabaseServers.areMySql() && ofMariaDb.contains(way)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void noWayLeadsAround(Way way) throws SQLException {
    for (String user : List.of(NOBODY, READS_NOTHING)) {
      List<Integer> expected = expected(user);
      for (String schema : List.of(SCHEMA, RULED)) {
        String before = state(schema);
        var wrong = new ArrayList<String>();
        int denied = 0;
        try (Connection connection = through(user, schema)) {
          for (int i = 0; i < expected.size(); i++) {
            String sql = sql(forms(user).get(i), schema, ownOther.connectionId());
            if (!DENIED.contains(expected.get(i)) || LAXER.matcher(sql).matches()) {
              continue;
            }
            int answered = way.run(connection, sql);
            if (DENIED.contains(answered)) {
              denied++;
            } else if (!NOT_TAKEN.contains(answered) && !isTold(way, forms(user).get(i))) {
              wrong.add(schema + " " + user + " " + sql + ": " + answered);
            }
          }
        }
        assertThat(wrong).isEmpty();
        assertThat(denied).isPositive();
        assertThat(state(schema)).isEqualTo(before);
      }
    }
  }
}
