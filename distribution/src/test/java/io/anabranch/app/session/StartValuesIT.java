package io.anabranch.app.session;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * SET GLOBAL is for later sessions: those that are open keep the values of their start, whatever
 * pooled connection serves them, and new ones have the new values, all of them.
 */
@Tag("both")
class StartValuesIT {

  private static final String SCHEMA = "it_start_values";

  /** Of both servers, and of either; the values are not the defaults. */
  private static final Map<String, String> CHANGES =
      Map.ofEntries(
          Map.entry("completion_type", "'CHAIN'"),
          Map.entry("default_week_format", "3"),
          Map.entry("div_precision_increment", "7"),
          Map.entry("foreign_key_checks", "0"),
          Map.entry("group_concat_max_len", "77"),
          Map.entry("innodb_lock_wait_timeout", "7"),
          Map.entry("interactive_timeout", "7777"),
          Map.entry("lc_messages", "'de_DE'"),
          Map.entry("lc_time_names", "'de_DE'"),
          Map.entry("lock_wait_timeout", "77"),
          Map.entry("long_query_time", "7.5"),
          Map.entry("max_sort_length", "64"),
          Map.entry("net_read_timeout", "77"),
          Map.entry("net_write_timeout", "77"),
          Map.entry("optimizer_switch", "'index_merge=off'"),
          Map.entry("sql_big_selects", "0"),
          Map.entry("sql_mode", "'PIPES_AS_CONCAT'"),
          Map.entry("sql_notes", "0"),
          Map.entry("sql_quote_show_create", "0"),
          Map.entry("sql_safe_updates", "1"),
          Map.entry("sql_warnings", "1"),
          Map.entry("time_zone", "'+03:00'"),
          Map.entry("unique_checks", "0"),
          Map.entry("updatable_views_with_limit", "0"),
          Map.entry("wait_timeout", "7777"));

  private static final Map<String, String> OF_MARIADB =
      Map.of(
          "tx_isolation", "'READ-COMMITTED'",
          "max_statement_time", "77",
          "max_recursive_iterations", "77",
          "check_constraint_checks", "0",
          "default_regex_flags", "'DOTALL'",
          "idle_transaction_timeout", "777",
          "old_passwords", "1");

  private static final Map<String, String> OF_MYSQL =
      Map.of(
          "transaction_isolation", "'READ-COMMITTED'",
          "max_execution_time", "77777",
          "cte_max_recursion_depth", "77",
          "windowing_use_high_precision", "0",
          "block_encryption_mode", "'aes-256-cbc'",
          "explain_format", "'TREE'",
          "max_points_in_geometry", "77",
          "show_create_table_verbosity", "1");

  /** The same schema with an account that may set nothing of its server. */
  private static final String PLAIN = "it_start_plain";

  private static DatabaseServer server;
  private static RunningProxy proxy;
  private final Map<String, String> former = new TreeMap<>();

  @BeforeAll
  static void start() {
    server =
        DatabaseServers.areMySql()
            ? MySqlServer.start("start-values")
            : MariaDbServer.start("start-values");
    server.execute(
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".t (a INT)",
        "INSERT INTO " + SCHEMA + ".t VALUES (1)",
        "CREATE USER plain@'%' IDENTIFIED BY 'plain'",
        "GRANT SELECT ON " + SCHEMA + ".* TO plain@'%'");
    proxy =
        RunningProxy.start(
            List.of(),
            database(SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD),
            database(PLAIN, "plain", "plain"));
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, SCHEMA));
    Eventually.holds("with both accounts", () -> XaFixture.reaches(proxy, PLAIN));
  }

  private static String database(String name, String user, String password) {
    return """
        databaseName: %s
        dataSources:
          ds_0: { url: "%s", username: %s, password: %s, maxPoolSize: 20, minPoolSize: 1 }
        rules: []
        """
        .formatted(name, server.url(SCHEMA), user, password);
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  private static Map<String, String> changes() {
    var all = new TreeMap<>(CHANGES);
    all.putAll(DatabaseServers.areMySql() ? OF_MYSQL : OF_MARIADB);
    return all;
  }

  @BeforeEach
  void remember() {
    changes()
        .keySet()
        .forEach(name -> former.put(name, server.queryOne("SELECT @@global." + name)));
  }

  @AfterEach
  void restore() throws SQLException {
    for (Map.Entry<String, String> each : former.entrySet()) {
      String value = each.getValue();
      boolean isNumber = value.matches("[0-9.]+");
      server.execute(
          "SET GLOBAL " + each.getKey() + " = " + (isNumber ? value : "'" + value + "'"));
    }
    String before = server.queryOne(global());
    for (String database : List.of(SCHEMA, PLAIN)) {
      try {
        Eventually.holds("the proxy knows", () -> before.equals(newSession(database)));
      } catch (AssertionError late) {
        assertThat(newSession(database)).as(database).isEqualTo(before);
      }
    }
  }

  private static String newSession(String database) {
    try (Connection fresh = proxy.connect(database)) {
      return one(fresh, session());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String global() {
    return select("@@global.");
  }

  private static String session() {
    return select("@@session.");
  }

  private static String select(String scope) {
    return changes().keySet().stream()
        .map(name -> "'" + name + "='," + value(scope + name))
        .collect(Collectors.joining(",' ',", "SELECT /* t */ CONCAT(", ")"));
  }

  /** Drivers add to the mode. */
  private static String value(String variable) {
    return variable.endsWith("sql_mode")
        ? "FIND_IN_SET('PIPES_AS_CONCAT'," + variable + ") > 0"
        : variable;
  }

  private static String setGlobal() {
    return changes().entrySet().stream()
        .map(each -> "GLOBAL " + each.getKey() + " = " + each.getValue())
        .collect(Collectors.joining(", ", "SET ", ""));
  }

  /** Connections of their own, old ones as long as there are any, new ones then. */
  private static List<Connection> holding(String database, int count) throws SQLException {
    var sessions = new ArrayList<Connection>();
    for (int i = 0; i < count; i++) {
      Connection each = proxy.connect(database);
      sessions.add(each);
      run(each, "BEGIN", "SELECT a FROM t");
    }
    return sessions;
  }

  private static void keep(List<Connection> sessions, String values) throws SQLException {
    for (int i = 0; i < 4; i++) {
      for (Connection each : sessions) {
        assertThat(one(each, session())).isEqualTo(values);
      }
    }
  }

  private static void close(List<Connection> sessions) throws SQLException {
    for (Connection each : sessions) {
      each.close();
    }
  }

  @Test
  void setPastTheProxy() throws SQLException {
    changedBy(
        PLAIN,
        () -> {
          server.execute(setGlobal());
          String after = server.queryOne(global());
          Eventually.holds("the proxy knows", () -> after.equals(newSession(PLAIN)));
        });
  }

  @Test
  void setThroughTheProxy() throws SQLException {
    changedBy(
        SCHEMA,
        () -> {
          try (Connection admin = proxy.connect(SCHEMA)) {
            run(admin, setGlobal());
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Whoever hears that a value is global, and begins a session, has it there. */
  @Test
  void atOnce() throws SQLException {
    try (Connection admin = proxy.connect(SCHEMA)) {
      for (int i = 0; i < 30; i++) {
        run(admin, "SET GLOBAL group_concat_max_len = " + (1000 + i));
        try (Connection young = proxy.connect(SCHEMA)) {
          assertThat(one(young, "SELECT @@group_concat_max_len")).isEqualTo("" + (1000 + i));
        }
      }
    }
  }

  /** What a server keeps with a statement of the session in which it was prepared. */
  @Test
  void statementsAreThoseOfSessionsThatBeganAlike() throws SQLException {
    try (Connection old = proxy.connect(SCHEMA, "useServerPrepStmts=true");
        Connection admin = proxy.connect(SCHEMA)) {
      assertThat(third(old)).isEqualTo("0.3333");
      run(admin, "SET GLOBAL div_precision_increment = 7");
      try (Connection young = proxy.connect(SCHEMA, "useServerPrepStmts=true")) {
        for (int i = 0; i < 4; i++) {
          assertThat(third(young)).isEqualTo("0.3333333");
          assertThat(third(old)).isEqualTo("0.3333");
        }
      }
    }
  }

  private static String third(Connection client) throws SQLException {
    try (PreparedStatement statement = client.prepareStatement("SELECT a / 3 FROM t");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  private static void changedBy(String database, Runnable change) throws SQLException {
    String before = newSession(database);
    List<Connection> old = holding(database, 4);
    change.run();
    String after = server.queryOne(global());
    assertThat(after).isNotEqualTo(before);
    List<Connection> young = holding(database, 4);
    keep(old, before);
    keep(young, after);
    for (Connection each : old) {
      run(each, "ROLLBACK");
    }
    for (Connection each : young) {
      run(each, "ROLLBACK");
    }
    for (int i = 0; i < 4; i++) {
      keep(old, before);
      keep(young, after);
      assertThat(newSession(database)).isEqualTo(after);
    }
    Connection first = old.getFirst();
    run(first, "SET time_zone = '+05:00'", "SET sql_mode = ''");
    assertThat(one(first, "SELECT @@time_zone")).isEqualTo("+05:00");
    keep(old.subList(1, 4), before);
    // DEFAULT is what is global now
    run(first, "SET time_zone = DEFAULT, sql_mode = DEFAULT");
    keep(old.subList(1, 4), before);
    keep(young, after);
    assertThat(one(first, "SELECT CONCAT(@@time_zone, @@sql_mode)"))
        .isEqualTo(server.queryOne("SELECT CONCAT(@@global.time_zone, @@global.sql_mode)"));
    close(old);
    close(young);
  }
}
