package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
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
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Another configuration comes in force while sessions are there. */
@ExtendWith(MariaDbServers.Resolver.class)
class ReloadIT {

  private static final String WHERE = "SELECT place FROM t_where";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    Eventually.nothingIsLeft(
        "the connections of the test before are closed",
        () ->
            server.queryOne(
                "SELECT COALESCE(GROUP_CONCAT(id, ' ', db, ' ', command, ' ', time, ' s ',"
                    + " COALESCE(info, '')), '')"
                    + " FROM information_schema.processlist WHERE db LIKE 'it_reload%'"));
    for (int i = 0; i < 2; i++) {
      String schema = "it_reload_" + i;
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE %s.t_where (id INT PRIMARY KEY, place VARCHAR(9))".formatted(schema),
          "INSERT INTO %s.t_where VALUES (1, 'at %d')".formatted(schema, i),
          "CREATE TABLE %s.t_order (id INT PRIMARY KEY, v INT)".formatted(schema),
          "INSERT INTO %1$s.t_order VALUES (%2$d, %2$d), (%3$d, %3$d)".formatted(schema, i, i + 2));
    }
    folder = new ReloadFolder(temporary);
    folder.global("");
    shop(0, 10);
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  /**
   * @param at where the single table is
   * @param most connections to the second data source
   */
  private void shop(int at, int most) throws IOException {
    folder.write(
        "database-shop.yaml",
        "databaseName: shop\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_reload_0", 10)
            + ReloadFolder.source("ds_1", server, "it_reload_1", most)
            + """
            rules:
            - !SHARDING
              tables:
                t_order:
                  actualDataNodes: ds_${0..1}.t_order
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              shardingAlgorithms:
                two: { type: MOD, props: { sharding-count: 2 } }
            - !SINGLE
              tables: [ds_%d.t_where]
            """
                .formatted(at));
  }

  private static void reload(Connection client) throws SQLException {
    assertThat(column(client, "RELOAD CONFIGURATION")).isNotEmpty();
  }

  @Tag("quick")
  @Test
  void sessionsTakeItAtTheirNextStatement() throws Exception {
    try (Connection text = proxy.connect("shop");
        Connection binary = proxy.connect("shop", "useServerPrepStmts=true");
        PreparedStatement prepared = binary.prepareStatement(WHERE + " WHERE id = ?")) {
      prepared.setInt(1, 1);
      assertThat(one(text, WHERE)).isEqualTo("at 0");
      assertThat(first(prepared)).isEqualTo("at 0");
      shop(1, 10);
      assertThat(first(prepared)).isEqualTo("at 0");
      assertThat(column(text, "SHOW CONFIGURATION DIFF"))
          .containsExactly("database shop: rules.!SINGLE.tables: ds_0.t_where -> ds_1.t_where");
      assertThat(column(text, "RELOAD CONFIGURATION"))
          .containsExactly("database shop: rules.!SINGLE.tables: ds_0.t_where -> ds_1.t_where");
      assertThat(one(text, WHERE)).isEqualTo("at 1");
      assertThat(first(prepared)).isEqualTo("at 1");
      assertThat(column(text, "RELOAD CONFIGURATION")).isEmpty();
      assertThat(column(text, "SELECT v FROM t_order ORDER BY id"))
          .containsExactly("0", "1", "2", "3");
    }
  }

  private static String first(PreparedStatement prepared) throws SQLException {
    try (ResultSet rows = prepared.executeQuery()) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void transactionsEndOnTheRulesThatTheyBeganWith() throws Exception {
    try (Connection client = proxy.connect("shop");
        Connection admin = proxy.connect("shop");
        Statement statement = client.createStatement()) {
      client.setAutoCommit(false);
      assertThat(one(client, WHERE)).isEqualTo("at 0");
      statement.execute("UPDATE t_order SET v = v + 10 WHERE id = 0");
      shop(1, 20);
      reload(admin);
      assertThat(one(admin, WHERE)).isEqualTo("at 1");
      // a data source that the transaction has not touched before, by a pool that is replaced
      statement.execute("UPDATE t_order SET v = v + 10 WHERE id = 1");
      assertThat(one(client, WHERE)).isEqualTo("at 0");
      client.commit();
      assertThat(one(client, WHERE)).isEqualTo("at 1");
      client.commit();
      assertThat(column(admin, "SELECT v FROM t_order ORDER BY id"))
          .containsExactly("10", "11", "2", "3");
    }
  }

  @Test
  void transactionsDoNotOutliveTheirServersForEver() throws Exception {
    try (Connection client = proxy.connect("shop");
        Connection admin = proxy.connect("shop");
        Statement statement = client.createStatement()) {
      client.setAutoCommit(false);
      statement.execute("UPDATE t_order SET v = v + 10 WHERE id = 1");
      shop(0, 20);
      reload(admin);
      // row locks are gone when it was rolled back
      admin.createStatement().execute("SET innodb_lock_wait_timeout = 30");
      admin.createStatement().execute("UPDATE t_order SET v = v + 1 WHERE id = 1");
      assertThatThrownBy(() -> statement.execute("UPDATE t_order SET v = 0 WHERE id = 3"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("AB2062");
      client.rollback();
      assertThat(one(client, "SELECT v FROM t_order WHERE id = 1")).isEqualTo("2");
    }
  }

  @Test
  void sessionsThatCannotGoOnAreToldSo() throws Exception {
    try (Connection locked = proxy.connect("shop");
        Connection free = proxy.connect("shop");
        Connection admin = proxy.connect("shop")) {
      locked.createStatement().execute("LOCK TABLES t_where WRITE");
      assertThat(one(free, WHERE.replace("t_where", "t_order").replace("place", "COUNT(*)")))
          .isEqualTo("4");
      shop(1, 20);
      reload(admin);
      assertThatThrownBy(() -> one(locked, WHERE))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("AB2061")
          .hasMessageContaining("tables are locked");
      assertThat(locked.isValid(1)).isFalse();
      assertThat(one(free, WHERE)).isEqualTo("at 1");
    }
  }

  @Test
  void cursorsGoOn() throws Exception {
    try (Connection client =
            proxy.connect("shop", "useServerPrepStmts=true", "defaultFetchSize=1");
        Connection admin = proxy.connect("shop");
        PreparedStatement prepared =
            client.prepareStatement("SELECT id FROM t_order WHERE id IN (1, 3) ORDER BY id")) {
      try (ResultSet rows = prepared.executeQuery()) {
        assertThat(rows.next()).isTrue();
        shop(1, 20);
        reload(admin);
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(3);
        assertThat(rows.next()).isFalse();
      }
      assertThat(one(client, WHERE)).isEqualTo("at 1");
    }
  }

  @Test
  void poolsOfWhatHasNotChangedAreKept() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      column(admin, "SELECT v FROM t_order");
      List<String> kept = connections("it_reload_0");
      List<String> changed = connections("it_reload_1");
      shop(0, 20);
      reload(admin);
      column(admin, "SELECT v FROM t_order");
      Eventually.holds(
          "the old pool is closed",
          () -> connections("it_reload_1").stream().noneMatch(changed::contains));
      assertThat(connections("it_reload_0")).containsAnyElementsOf(kept);
    }
  }

  /** Their numbers on the server. */
  private List<String> connections(String schema) {
    return List.of(
        server
            .queryOne(
                "SELECT COALESCE(GROUP_CONCAT(id), '') FROM information_schema.processlist WHERE db = '"
                    + schema
                    + "'")
            .split(","));
  }

  @Test
  void databasesComeAndGo() throws Exception {
    String extra =
        "databaseName: extra\ndataSources:\n"
            + ReloadFolder.source("ds", server, "it_reload_1", 5)
            + "rules: []\n";
    try (Connection admin = proxy.connect("shop")) {
      folder.write("database-extra.yaml", extra);
      assertThat(column(admin, "RELOAD CONFIGURATION")).containsExactly("database extra is new");
      try (Connection client = proxy.connect("extra")) {
        assertThat(one(client, WHERE)).isEqualTo("at 1");
        folder.delete("database-extra.yaml");
        assertThat(column(admin, "RELOAD CONFIGURATION")).containsExactly("database extra is gone");
        assertThatThrownBy(() -> one(client, WHERE))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("Unknown database 'extra'");
        client.createStatement().execute("USE shop");
        assertThat(one(client, WHERE)).isEqualTo("at 0");
      }
    }
  }

  /** However its name is written: somebody may still be writing the file. */
  @Test
  void aDatabaseThatLosesItsDataSourcesStays() throws Exception {
    folder.write(
        "database-capital.yaml",
        "databaseName: Capital\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_reload_0", 10)
            + "rules: []\n");
    try (Connection admin = proxy.connect("shop")) {
      reload(admin);
      folder.write("database-capital.yaml", "databaseName: Capital\n");
      assertThatThrownBy(() -> reload(admin))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("there is no data source any more");
      try (Connection capital = proxy.connect("Capital")) {
        assertThat(one(capital, WHERE)).isEqualTo("at 0");
      }
    }
  }

  @Test
  void usersComeAndGo() throws Exception {
    try (Connection admin = proxy.connect("shop");
        Connection plain = Driver.MARIADB.connect(proxy.port(), "shop", "plain", "plain")) {
      assertThatThrownBy(() -> reload(plain))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("SUPER");
      folder.write(
          "global.yaml",
          """
          authority:
            users:
            - { user: "%s@%%", password: "${file:secret}", admin: true }
          props: { proxy-admin-port: 0, sql-show: true }
          """
              .formatted(RunningProxy.USER));
      folder.write("secret", "another");
      assertThat(column(admin, "RELOAD CONFIGURATION"))
          .contains(
              "global: authority.users[plain] is gone",
              "global: authority.users[app@%].password has changed",
              "global: props.sql-show is new: true",
              "global: props.proxy-frontend-executor-size is gone (from the next start on)");
      assertThatThrownBy(() -> one(plain, WHERE))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Access denied");
      assertThatThrownBy(() -> proxy.connect("shop").close()).isInstanceOf(SQLException.class);
      Driver.MARIADB.connect(proxy.port(), "shop", RunningProxy.USER, "another").close();
      folder.write("secret", "a third");
      assertThat(column(admin, "RELOAD CONFIGURATION"))
          .containsExactly(
              "global: authority.users[app@%].password: what a reference stands for has changed");
      Driver.MARIADB.connect(proxy.port(), "shop", RunningProxy.USER, "a third").close();
    }
  }

  @Test
  void openSessionsHaveTheNewGrants() throws Exception {
    grants("READ, WRITE ON shop.*");
    try (Connection admin = proxy.connect("shop")) {
      reload(admin);
      try (Connection web =
              Driver.MARIADB.connect(
                  proxy.port(), "shop", "web", "web", Driver.MARIADB.serverPrepare());
          PreparedStatement prepared =
              web.prepareStatement("UPDATE t_order SET id = id WHERE id = ?");
          Statement text = web.createStatement()) {
        prepared.setInt(1, 1);
        prepared.executeUpdate();
        text.executeUpdate("UPDATE t_order SET id = id WHERE id = 1");
        grants("READ ON shop.*");
        reload(admin);
        assertDenied(prepared::executeUpdate);
        assertDenied(() -> text.executeUpdate("UPDATE t_order SET id = id WHERE id = 1"));
        assertThat(column(web, "SELECT id FROM t_order WHERE id = -1")).isEmpty();
        assertThat(column(web, "SHOW GRANTS"))
            .containsExactly(
                "GRANT USAGE ON *.* TO `web`@`%`",
                "GRANT SELECT, SHOW VIEW ON `shop`.* TO `web`@`%`");
        grants("READ, WRITE ON shop.*");
        reload(admin);
        prepared.executeUpdate();
      }
    }
  }

  /** A pool of another size is no other server: what connections keep goes on. */
  @Test
  void connectionsOfAPassThroughDatabaseGoOnWhenItsPoolChanges() throws Exception {
    server.execute(
        "DROP DATABASE IF EXISTS it_reload_pool",
        "CREATE DATABASE it_reload_pool",
        "CREATE TABLE it_reload_pool.t (id INT)");
    String file = RunningProxy.passThrough("it_reload_pool", server);
    folder.write("database-pool.yaml", file);
    try (Connection admin = proxy.connect("shop")) {
      reload(admin);
      try (Connection client = proxy.connect("it_reload_pool");
          Statement statement = client.createStatement()) {
        statement.execute("CREATE TEMPORARY TABLE kept (id INT)");
        statement.execute("INSERT INTO kept VALUES (1)");
        assertThat(column(client, "SELECT GET_LOCK('it_reload_pool', 0)")).containsExactly("1");
        String pool = file.replace("maxPoolSize: 10", "maxPoolSize: 7");
        assertThat(pool).isNotEqualTo(file);
        folder.write("database-pool.yaml", pool);
        reload(admin);
        assertThat(column(client, "SELECT id FROM kept")).containsExactly("1");
        statement.execute("INSERT INTO t SELECT id FROM kept");
        assertThat(column(client, "SELECT RELEASE_LOCK('it_reload_pool')")).containsExactly("1");
        statement.execute("DROP TEMPORARY TABLE kept");
        assertThat(column(client, "SELECT COUNT(*) FROM t")).containsExactly("1");
      }
    }
  }

  /** What a connection keeps open asks for no right any more: it goes with the right. */
  @Test
  void anOpenHandlerEndsWithItsGrant() throws Exception {
    server.execute(
        "DROP DATABASE IF EXISTS it_reload_plain",
        "CREATE DATABASE it_reload_plain",
        "CREATE TABLE it_reload_plain.t (id INT)",
        "INSERT INTO it_reload_plain.t VALUES (1), (2)");
    folder.write("database-plain.yaml", RunningProxy.passThrough("it_reload_plain", server));
    grants("READ ON it_reload_plain.*");
    try (Connection admin = proxy.connect("shop")) {
      reload(admin);
      try (Connection web =
              Driver.MARIADB.connect(
                  proxy.port(), "it_reload_plain", "web", "web", Driver.MARIADB.serverPrepare());
          Statement text = web.createStatement()) {
        text.execute("HANDLER t OPEN AS h");
        assertThat(column(web, "HANDLER h READ FIRST")).containsExactly("1");
        grants("SHOW VIEW ON it_reload_plain.*");
        reload(admin);
        assertThatThrownBy(() -> text.execute("HANDLER h READ NEXT"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("AB2061");
        assertThatThrownBy(() -> text.execute("SELECT 1")).isInstanceOf(SQLException.class);
      }
    }
  }

  private static void assertDenied(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOfSatisfying(
            SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1142));
  }

  private void grants(String granted) throws IOException {
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: web, password: web, grants: "%s" }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2, proxy-drain-timeout-milliseconds: 2000 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, granted));
  }

  @Tag("quick")
  @Test
  void aBadFileChangesNothing() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      folder.write("database-x.yaml", "databaseName: x\ndataSource: {}\nrules: {}\n");
      shop(1, 10);
      assertThatThrownBy(() -> reload(admin))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("AB2060")
          .hasMessageContaining("database-x.yaml:2:1: dataSource: unknown key")
          .hasMessageContaining("database-x.yaml:3:8: rules: must be a list");
      assertThat(one(admin, WHERE)).isEqualTo("at 0");
      folder.write(
          "database-x.yaml",
          """
          databaseName: x
          dataSources:
            ds_0: { url: "jdbc:mysql://127.0.0.1:1/x", username: a, password: b }
            ds_1: { url: "%s", username: nobody, password: not-his }
          rules: []
          """
              .formatted(server.url("it_reload_1")));
      assertThatThrownBy(() -> reload(admin))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("data source x.ds_0 cannot be used")
          .hasMessageContaining("data source x.ds_1 cannot be used")
          .hasMessageNotContaining("not-his");
      assertThat(one(admin, WHERE)).isEqualTo("at 0");
      folder.delete("database-x.yaml");
      reload(admin);
      assertThat(one(admin, WHERE)).isEqualTo("at 1");
    }
  }

  @Test
  void rulesThatTheServersDoNotFitChangeNothing() throws Exception {
    server.execute(
        "CREATE TABLE it_reload_0.t_line (line_id INT PRIMARY KEY, id INT)",
        "CREATE TABLE it_reload_1.t_line (line_id INT PRIMARY KEY, id VARCHAR(9))",
        "CREATE TABLE it_reload_0.t_part (part_id INT PRIMARY KEY)",
        "CREATE TABLE it_reload_1.t_part (part_id INT PRIMARY KEY)",
        "CREATE TABLE it_reload_0.t_half (id INT PRIMARY KEY)");
    try (Connection admin = proxy.connect("shop")) {
      String strategy =
          "databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }";
      shop(1, 10);
      Path file = temporary.resolve("database-shop.yaml");
      String more =
          "    t_line: { actualDataNodes: 'ds_${0..1}.t_line', %1$s }\n    t_part: { actualDataNodes: 'ds_${0..1}.t_part', %1$s }\n    t_half: { actualDataNodes: 'ds_${0..1}.t_half', %1$s }\n    t_new: { actualDataNodes: 'ds_${0..1}.t_new', %1$s }\n"
              .formatted(strategy);
      folder.write(
          "database-shop.yaml",
          Files.readString(file)
              .replace("  shardingAlgorithms:\n", more + "  shardingAlgorithms:\n"));
      assertThatThrownBy(() -> reload(admin))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("AB2060")
          .hasMessageContaining(
              "database-shop.yaml:11:5: table t_line: ds_1.t_line.id is varchar(9), but of the type integer on nodes before")
          .hasMessageContaining(
              "database-shop.yaml:12:5: table t_part: ds_0.t_part has no column id")
          .hasMessageContaining(
              "database-shop.yaml:12:5: table t_part: ds_1.t_part has no column id")
          .hasMessageContaining("database-shop.yaml:13:5: table t_half: there is no t_half on ds_1")
          .hasMessageNotContaining("t_new");
      assertThat(one(admin, WHERE)).isEqualTo("at 0");

      server.execute(
          "ALTER TABLE it_reload_1.t_line MODIFY id BIGINT",
          "ALTER TABLE it_reload_0.t_part ADD id INT",
          "ALTER TABLE it_reload_1.t_part ADD id INT",
          "CREATE TABLE it_reload_1.t_half (id INT PRIMARY KEY)");
      reload(admin);
      assertThat(one(admin, WHERE)).isEqualTo("at 1");
      admin.createStatement().execute("CREATE TABLE t_new (id INT PRIMARY KEY)");
      assertThat(one(admin, "SELECT COUNT(*) FROM t_new")).isEqualTo("0");
    }
  }

  @Test
  void whatWasBeforeComesBack() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      assertThatThrownBy(() -> column(admin, "ROLLBACK CONFIGURATION"))
          .hasMessageContaining("AB2060");
      shop(1, 20);
      reload(admin);
      assertThat(column(admin, "ROLLBACK CONFIGURATION"))
          .containsExactly(
              "database shop: dataSources.ds_1.maxPoolSize: 20 -> 10",
              "database shop: rules.!SINGLE.tables: ds_1.t_where -> ds_0.t_where");
      assertThat(one(admin, WHERE)).isEqualTo("at 0");
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("3", "2", "1");
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).hasSize(2);
    }
  }
}
