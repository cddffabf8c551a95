package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that clients create by the rule !CREATE_DATABASE are as on a server. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class CreateDatabaseIT {

  private static final String BASE = "cd_base";
  private static final String RULE =
      """
      rules:
      - !CREATE_DATABASE
        names: ['cd\\_new%', cd_tool]
        users: [app, maker]
      """;
  private static final String USERS =
      """
      authority:
        users:
          - { user: "app@%", password: app-secret, admin: true }
          - { user: "maker@%", password: maker-secret }
          - { user: "reader@%", password: reader-secret }
          - { user: "outsider@%", password: outsider-secret }
        privilege:
          type: DATABASE_PERMITTED
          props: { user-database-mappings: "app@%=*, maker@%=cd_tool, maker@%=cd_base, reader@%=cd_tool, outsider@%=*" }
      props:
        proxy-admin-port: 0
        proxy-frontend-executor-size: 2
      """;

  private static DatabaseServer plain;
  private static DatabaseServer behind;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    behind = servers.primaryB();
    for (DatabaseServer server : List.of(plain, behind)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + BASE,
          "CREATE DATABASE " + BASE,
          "DROP DATABASE IF EXISTS cd_alias_schema",
          "CREATE DATABASE cd_alias_schema",
          "DROP DATABASE IF EXISTS cd_new_was_there",
          "CREATE DATABASE cd_new_was_there",
          "CREATE TABLE cd_new_was_there.t (a INT)");
    }
    dropCreated();
    proxy = startProxy();
  }

  private static RunningProxy startProxy() {
    return RunningProxy.startWith(
        USERS,
        RunningProxy.passThrough(BASE, behind).replace("rules: []\n", RULE),
        "databaseName: cd_alias\ndataSources:\n"
            + RunningProxy.source("ds_alias", behind, "cd_alias_schema")
            + "rules: []\n");
  }

  @AfterEach
  void clean() {
    dropCreated();
  }

  private static void dropCreated() {
    for (DatabaseServer server : List.of(plain, behind)) {
      for (String name : List.of("cd_new", "cd_new_2", "cd_tool", "cd_new_late")) {
        server.execute("DROP DATABASE IF EXISTS " + name);
      }
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection direct(String database) throws SQLException {
    return Driver.MARIADB.connect(
        plain.port(), database, MariaDbServer.USER, MariaDbServer.PASSWORD);
  }

  private static Connection as(String user, String database) throws SQLException {
    return Driver.MARIADB.connect(proxy.port(), database, user, user + "-secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE DATABASE cd_new; USE cd_new; SELECT DATABASE(); CREATE TABLE t (a INT); INSERT INTO t"
            + " VALUES (1); SELECT * FROM t; SELECT * FROM cd_base.nosuch; DROP DATABASE cd_new;"
            + " SELECT DATABASE(); SELECT * FROM t; USE cd_new",
        "CREATE DATABASE IF NOT EXISTS cd_new; CREATE DATABASE IF NOT EXISTS cd_new; SHOW WARNINGS;"
            + " CREATE DATABASE cd_new; USE cd_new; DROP DATABASE IF EXISTS cd_new;"
            + " DROP DATABASE IF EXISTS cd_new; SHOW WARNINGS; DROP DATABASE cd_new",
        "CREATE DATABASE cd_tool CHARACTER SET latin1 COLLATE latin1_bin; SHOW CREATE DATABASE cd_tool;"
            + " ALTER DATABASE cd_tool CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;"
            + " SHOW CREATE DATABASE cd_tool; USE cd_tool; ALTER DATABASE CHARACTER SET latin1;"
            + " SHOW CREATE SCHEMA IF NOT EXISTS `cd_tool`; SELECT @@collation_database;"
            + " DROP SCHEMA cd_tool",
        "CREATE DATABASE cd_new; CREATE DATABASE cd_new_2; CREATE TABLE cd_new.t (a INT);"
            + " CREATE TABLE cd_new_2.u AS SELECT 5 AS a; INSERT INTO cd_new.t SELECT a FROM cd_new_2.u;"
            + " SELECT t.a, u.a FROM cd_new.t, cd_new_2.u; SHOW DATABASES LIKE 'cd\\_new_2';"
            + " SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA LIKE"
            + " 'cd_new%' ORDER BY 1; SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE"
            + " SCHEMA_NAME LIKE 'cd_new%' ORDER BY 1; SHOW TABLES FROM cd_new; USE cd_new_2;"
            + " SHOW TABLES; DROP DATABASE cd_new; SELECT * FROM u; SELECT * FROM cd_new.t",
        "CREATE DATABASE cd_new CHARACTER SET nosuch; USE cd_new; CREATE DATABASE cd_new;"
            + " USE cd_new; BEGIN; CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"
            + " CREATE DATABASE cd_new_2; ROLLBACK; SELECT * FROM t",
        "PREPARE s FROM 'CREATE DATABASE cd_new'; EXECUTE s; USE cd_new; SELECT DATABASE();"
            + " PREPARE s FROM 'DROP DATABASE cd_new'; EXECUTE s; SELECT DATABASE(); USE cd_new",
        "CREATE DATABASE cd_new; USE cd_new; CREATE TEMPORARY TABLE mine (a INT); INSERT INTO mine"
            + " VALUES (3); USE cd_base; SELECT * FROM cd_new.mine; DROP DATABASE cd_new;"
            + " SELECT DATABASE()",
        "CREATE DATABASE",
        "DROP DATABASE cd_new; ALTER DATABASE cd_new CHARACTER SET latin1; CREATE DATABASE cd_new nonsense",
      })
  void answersAreTheServers(String statements) throws SQLException {
    try (Connection proxied = proxy.connect(BASE);
        Connection direct = direct(BASE)) {
      var softly = new SoftAssertions();
      for (String sql : statements.split("; ?", -1)) {
        Transcript answer = Transcript.of(proxied, sql);
        Transcript expected = Transcript.of(direct, sql);
        softly.assertThat(answer.rows()).as(sql).isEqualTo(expected.rows());
        if (!sql.contains("information_schema")) {
          softly.assertThat(answer.head()).as(sql).isEqualTo(expected.head());
        }
      }
      softly.assertAll();
    }
  }

  @Test
  void othersSeeItAtOnceAndAfterARestart() throws SQLException {
    try (Connection one = proxy.connect("");
        Connection other = proxy.connect("cd_alias")) {
      assertThat(Transcript.of(one, "CREATE DATABASE cd_new").isError()).isFalse();
      assertThat(Transcript.of(other, "USE cd_new").isError()).isFalse();
      assertThat(Transcript.of(other, "CREATE TABLE t (a INT)").isError()).isFalse();
      assertThat(Transcript.of(one, "SHOW DATABASES").rows().toString())
          .contains("cd_new", "cd_new_was_there", "cd_alias")
          .doesNotContain("cd_alias_schema");
      try (RunningProxy restarted = startProxy();
          Connection next = restarted.connect("cd_new")) {
        assertThat(Transcript.of(next, "SELECT * FROM t").isError()).isFalse();
        assertThat(Transcript.of(one, "DROP DATABASE cd_new").isError()).isFalse();
        // 1146 is a server's own word for it, if the statement meets one before the news does
        assertThat(Transcript.of(other, "SELECT * FROM t").head()).matches("error (1049|1146).*");
        assertThat(Transcript.of(one, "CREATE DATABASE cd_new").isError()).isFalse();
        assertThat(Transcript.of(other, "SELECT * FROM t").head()).startsWith("error 1146");
      }
    }
    try (Connection there = proxy.connect("cd_new_was_there")) {
      assertThat(Transcript.of(there, "SELECT * FROM t").isError()).isFalse();
    }
  }

  /** Sessions that use it while it goes hear what a server says of it, and go on. */
  @Test
  void isDroppedAndMadeAnewUnderThoseWhoUseIt() throws Exception {
    var isOver = new AtomicBoolean();
    var heads = new ConcurrentSkipListSet<String>();
    try (Connection maker = proxy.connect(BASE);
        var users = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(Transcript.of(maker, "CREATE DATABASE cd_new").isError()).isFalse();
      var all = new ArrayList<Future<?>>();
      for (int user = 0; user < 4; user++) {
        // drivers ask something when they connect: the database must be there for that
        Connection connection = proxy.connect("cd_new");
        all.add(users.submit(() -> use(connection, isOver, heads)));
      }
      for (int round = 0; round < 40; round++) {
        assertThat(Transcript.of(maker, "CREATE TABLE cd_new.t (a INT)").isError()).isFalse();
        assertThat(Transcript.of(maker, "DROP DATABASE cd_new").isError()).isFalse();
        assertThat(Transcript.of(maker, "CREATE DATABASE cd_new").isError()).isFalse();
      }
      isOver.set(true);
      for (Future<?> each : all) {
        each.get();
      }
    }
    // 1213: MySQL ends a read that waits for the names of what is being dropped as a deadlock
    assertThat(heads)
        .allMatch(head -> !head.startsWith("error") || head.matches("error (1049|1146|1213).*"));
  }

  private static Void use(Connection connection, AtomicBoolean isOver, Set<String> heads)
      throws SQLException {
    try (connection) {
      while (!isOver.get()) {
        heads.add(Transcript.of(connection, "SELECT * FROM t").head());
        heads.add(Transcript.of(connection, "SELECT * FROM cd_new.t").head());
        // what a transaction did elsewhere outlives the database that it is in
        heads.add(Transcript.of(connection, "BEGIN").head());
        heads.add(
            Transcript.of(connection, "SELECT COUNT(*) FROM information_schema.engines").head());
        heads.add(Transcript.of(connection, "COMMIT").head());
      }
    }
    return null;
  }

  /** Those that are created past this proxy. */
  @Test
  void othersOfTheServerAreFound() {
    behind.execute("CREATE DATABASE cd_new_late", "CREATE TABLE cd_new_late.t (a INT)");
    Eventually.holds("it is found", () -> isUsable("cd_new_late"));
    behind.execute("DROP DATABASE cd_new_late");
    Eventually.holds("it is gone", () -> !isUsable("cd_new_late"));
  }

  private static boolean isUsable(String database) {
    try (Connection connection = proxy.connect(BASE)) {
      return !Transcript.of(connection, "SELECT * FROM " + database + ".t").isError()
          && !Transcript.of(connection, "USE " + database).isError();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rights() throws SQLException {
    try (Connection maker = as("maker", BASE)) {
      assertThat(Transcript.of(maker, "CREATE DATABASE cd_new").head()).startsWith("error 1044");
      assertThat(Transcript.of(maker, "CREATE DATABASE cd_tool").isError()).isFalse();
      assertThat(Transcript.of(maker, "CREATE TABLE cd_tool.t (a INT)").isError()).isFalse();
      assertThat(Transcript.of(maker, "DROP DATABASE cd_base").head()).startsWith("error 1227");
    }
    try (Connection reader = as("reader", "cd_tool")) {
      assertThat(Transcript.of(reader, "SELECT * FROM t").isError()).isFalse();
      assertThat(Transcript.of(reader, "DROP DATABASE cd_tool").head()).startsWith("error 1044");
      for (String hidden :
          List.of(
              "SELECT * FROM cd_base/*!99999 a, cd_tool */.t",
              "SELECT * FROM mysql/*!99999 a, cd_tool */.user",
              "DELETE FROM cd_base/*!99999 a, cd_tool */.t",
              "CREATE /*!99999 TABLE x */ USER eve IDENTIFIED BY 'eve-secret'",
              "DROP /*!99999 TABLE x, */ DATABASE cd_base",
              "SELECT 1 INTO /*!99999 @a, */ OUTFILE '/tmp/cd_base'")) {
        assertThat(Transcript.of(reader, hidden).head())
            .as(hidden)
            .matches("error (1044|1142|1227) .*");
      }
      assertThat(Transcript.of(reader, "SHOW DATABASES").rows().toString())
          .contains("cd_tool")
          .doesNotContain("cd_base");
    }
    try (Connection maker = as("maker", "cd_tool")) {
      assertThat(Transcript.of(maker, "DROP DATABASE cd_tool").isError()).isFalse();
      assertThat(Transcript.of(maker, "SELECT * FROM t").head()).startsWith("error 1046");
    }
  }

  /** Nothing is made that no client could use. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE DATABASE cd_other",
        "CREATE DATABASE IF NOT EXISTS cd_alias_schema",
        "DROP DATABASE IF EXISTS cd_other",
        "ALTER DATABASE cd_other CHARACTER SET latin1",
      })
  void othersAreRefusedByTheNameOfTheRule(String sql) throws SQLException {
    for (String database : List.of("", BASE, "cd_alias")) {
      try (Connection connection = as("outsider", database)) {
        assertThat(Transcript.of(connection, sql).head())
            .contains("AB2002", "!CREATE_DATABASE", "database-*.yaml");
      }
    }
    assertThat(
            behind.queryOne(
                "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'cd_other'"))
        .isEqualTo("0");
  }
}
