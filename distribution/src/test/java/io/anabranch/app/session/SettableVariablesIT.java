package io.anabranch.app.session;

import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All session variables of a server, set as an account without rights may set them, and set back:
 * what a connection shows of them then is told to the next one.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SettableVariablesIT {

  private static final String SCHEMA = "it_settable";

  /** They go on, or are of one statement. */
  private static final Set<String> MOVING = Set.of("timestamp", "rand_seed1", "rand_seed2");

  /** Values for those that are no numbers and no switches. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "system_versioning_asof", "'2000-01-01 00:00:00'",
          "lc_time_names", "'de_DE'",
          "time_zone", "'+03:00'",
          "sql_mode", "'PIPES_AS_CONCAT'",
          "default_storage_engine", "'MyISAM'",
          "default_tmp_storage_engine", "'MyISAM'",
          "default_regex_flags", "'DOTALL'",
          "optimizer_switch", "'index_merge=off'");

  private static RunningProxy proxy;
  private static DatabaseServer server;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "DROP USER IF EXISTS settable@'%'",
        "CREATE USER settable@'%' IDENTIFIED BY 'settable'",
        "GRANT ALL ON " + SCHEMA + ".* TO settable@'%'");
    proxy =
        RunningProxy.start(
            List.of(),
            """
            databaseName: %s
            dataSources:
              ds_0: { url: "%s", username: settable, password: settable, maxPoolSize: 1, minPoolSize: 1, connectionTimeoutMilliseconds: 1000 }
            rules: []
            """
                .formatted(SCHEMA, server.url(SCHEMA)));
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, SCHEMA));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.execute("DROP USER settable@'%'");
  }

  @Test
  void whatIsSetBackIsToldToTheNextConnection() throws SQLException {
    var wrong = new TreeMap<String, String>();
    int set = 0;
    for (String name : names()) {
      try (Connection client = proxy.connect(SCHEMA);
          Connection between = proxy.connect(SCHEMA)) {
        boolean isOther = isSet(client, "SET SESSION " + name + " = " + other(client, name));
        String said = isOther ? tell(client, between, name) : "";
        if (isSet(client, "SET SESSION " + name + " = DEFAULT")) {
          set++;
          said += tell(client, between, name);
        }
        if (!said.isEmpty()) {
          wrong.put(name, said);
        }
      } catch (SQLException spoilt) {
        wrong.put(name, "the connection before: " + spoilt.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(set).isGreaterThan(50);
  }

  /** Those that the account can set. */
  private static List<String> names() throws SQLException {
    var names = new ArrayList<String>();
    String url = server.url(SCHEMA).replace("jdbc:mysql:", "jdbc:mariadb:");
    try (Connection direct = DriverManager.getConnection(url, "settable", "settable");
        Statement statement = direct.createStatement();
        ResultSet rows = statement.executeQuery("SHOW SESSION VARIABLES")) {
      while (rows.next()) {
        String name = rows.getString(1);
        if (isSet(direct, "SET SESSION " + name + " = DEFAULT")) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static String other(Connection client, String name) throws SQLException {
    String known = OTHERS.get(name);
    if (known != null) {
      return known;
    }
    String value = String.valueOf(one(client, "SHOW VARIABLES LIKE '" + name + "'", 2));
    return switch (value) {
      case "ON" -> "0";
      case "OFF" -> "1";
      default -> value.matches("[0-9]{1,18}") ? "" + (Long.parseLong(value) + 1) : "NULL";
    };
  }

  private static String one(Connection client, String sql, int column) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(column) : "";
    }
  }

  /** Refused by the proxy or by the server, it is of no concern. */
  private static boolean isSet(Connection client, String sql) {
    try {
      run(client, sql);
      return true;
    } catch (SQLException refused) {
      return false;
    }
  }

  /** Another session has the one connection in between; empty: all is well. */
  private static String tell(Connection client, Connection between, String name) {
    try {
      String shown = shown(client, name);
      run(between, "DO 1");
      String told = shown(client, name);
      return MOVING.contains(name) || shown.equals(told) ? "" : shown + " -> " + told;
    } catch (SQLException wrong) {
      String said = String.valueOf(wrong.getMessage());
      // the session keeps the connection: nothing is told to another
      return said.contains("AB3002") ? "" : said;
    }
  }

  private static String shown(Connection client, String name) throws SQLException {
    return String.valueOf(one(client, "SELECT /* here */ @@session." + name + " FROM DUAL", 1));
  }
}
