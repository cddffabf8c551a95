package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CREATE DATABASE and DROP DATABASE are about the proxy's configuration, not about servers. */
@ExtendWith(MariaDbServers.Resolver.class)
class LogicalDatabaseIT {

  private static final String FILE = "database-made.yaml";
  private static final String PREPARED = "useServerPrepStmts=true";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    for (int i = 0; i < 2; i++) {
      server.execute("DROP DATABASE IF EXISTS it_made_" + i, "CREATE DATABASE it_made_" + i);
    }
    folder = new ReloadFolder(temporary);
    folder.global("");
    folder.write(
        "database-shop.yaml",
        "databaseName: shop\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_made_0", 9)
            + ReloadFolder.source("ds_1", server, "it_made_1", 9)
            + "rules: []\n");
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private static void run(Connection client, String... statements) {
    for (String sql : statements) {
      assertThat(Transcript.of(client, sql).head()).as(sql).doesNotStartWith("error");
    }
  }

  private static String head(Connection client, String sql) {
    return Transcript.of(client, sql).head();
  }

  /** By the binary protocol, if the connection prepares on the server. */
  private static String prepared(Connection client, String sql) {
    return Transcript.prepared(client, sql).head();
  }

  private Connection plain(String database) throws SQLException {
    return Driver.MARIADB.connect(proxy.port(), database, "plain", "plain");
  }

  private String[] units() {
    return new String[] {
      "REGISTER STORAGE UNIT ds_0 (URL = '%s', USER = '%s', PASSWORD = '%s')"
          .formatted(server.url("it_made_0"), MariaDbServer.USER, MariaDbServer.PASSWORD),
      "REGISTER STORAGE UNIT ds_1 (URL = '%s', USER = '%s', PASSWORD = '%s')"
          .formatted(server.url("it_made_1"), MariaDbServer.USER, MariaDbServer.PASSWORD),
      "CREATE SHARDING TABLE RULE t_order (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN = id,"
          + " TYPE(NAME = 'mod', PROPERTIES('sharding-count' = 2)))",
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDatabaseIsMadeFromNothing(boolean isPrepared) throws Exception {
    String[] options = isPrepared ? new String[] {PREPARED} : new String[0];
    try (Connection admin = proxy.connect("", options);
        Connection other = proxy.connect("shop", options)) {
      run(admin, "CREATE DATABASE made", "USE made", "SELECT 1", "SET NAMES utf8mb4");
      assertThat(one(admin, "SELECT DATABASE()")).isEqualTo("made");
      assertThat(column(other, "SHOW DATABASES")).contains("made", "shop");
      assertThat(
              column(
                  other,
                  "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN"
                      + " ('made', 'shop') ORDER BY 1"))
          .containsExactly("made", "shop");
      for (String sql :
          List.of("SELECT * FROM t", "CREATE TABLE t (a INT)", "SHOW TABLES", "DESCRIBE t")) {
        assertThat(prepared(admin, sql)).as(sql).contains("AB2063", "'made'", "REGISTER");
      }
      assertThat(head(other, "SHOW TABLES FROM made")).contains("AB2063");
      assertThat(head(admin, "EXPLAIN ROUTE SELECT * FROM t")).contains("AB2063");
      run(admin, "BEGIN", "SELECT 1", "SELECT 2", "COMMIT");

      run(admin, units());
      run(
          admin,
          "CREATE TABLE t_order (id BIGINT PRIMARY KEY, v INT)",
          "INSERT INTO t_order VALUES (1, 10), (2, 20), (3, 30)");
      assertThat(one(admin, "SELECT SUM(v) FROM t_order")).isEqualTo("60");
      assertThat(Files.exists(temporary.resolve(FILE))).isFalse();
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).containsExactly("database made is gone");

      assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly(FILE);
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
    }
    proxy.close();
    proxy = RunningProxy.startFrom(temporary);
    try (Connection client = proxy.connect("made", options)) {
      assertThat(one(client, "SELECT SUM(v) FROM t_order")).isEqualTo("60");
    }
  }

  @Test
  void aDroppedOneIsGoneAndItsRowsStay() throws Exception {
    folder.write(FILE, "# of last year\ndatabaseName: made\n");
    try (Connection admin = proxy.connect("shop")) {
      column(admin, "RELOAD CONFIGURATION");
      run(admin, "USE made");
      run(admin, units());
      run(admin, "CREATE TABLE t_order (id BIGINT PRIMARY KEY)", "INSERT INTO t_order VALUES (1)");
      column(admin, "SAVE CONFIGURATION");
      try (Connection inside = proxy.connect("made", PREPARED)) {
        assertThat(prepared(inside, "SELECT * FROM t_order")).doesNotStartWith("error");
        run(admin, "BEGIN");
        assertThat(one(admin, "SELECT COUNT(*) FROM t_order")).isEqualTo("1");
        run(admin, "INSERT INTO t_order VALUES (2)", "DROP DATABASE made", "ROLLBACK");
        assertThat(column(admin, "SELECT DATABASE()")).containsExactly((String) null);
        assertThat(head(admin, "SELECT * FROM t_order")).startsWith("error 1046");
        assertThat(prepared(inside, "SELECT * FROM t_order")).startsWith("error 1049");
        assertThat(head(admin, "USE made")).startsWith("error 1049");
        assertThat(column(admin, "SHOW DATABASES")).doesNotContain("made");
        assertThat(column(admin, "SHOW CONFIGURATION DIFF"))
            .containsExactly("database made is new");
        run(inside, "USE shop");
      }
      assertThat(server.queryOne("SELECT COUNT(*) FROM it_made_1.t_order_1")).isEqualTo("1");

      assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly(FILE + ".dropped");
      assertThat(temporary.resolve(FILE)).doesNotExist();
      assertThat(temporary.resolve(FILE + ".dropped")).content().startsWith("# of last year\n");
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();

      assertThat(column(admin, "ROLLBACK CONFIGURATION")).containsExactly("database made is new");
      run(admin, "USE made");
      assertThat(one(admin, "SELECT COUNT(*) FROM t_order")).isEqualTo("2");
      assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly(FILE);
      assertThat(temporary.resolve(FILE)).content().startsWith("# of last year\n");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void errorsAreMySqls(boolean isPrepared) throws Exception {
    String[] options = isPrepared ? new String[] {PREPARED} : new String[0];
    try (Connection admin = proxy.connect("shop", options);
        Connection plain = plain("shop")) {
      for (Connection client : List.of(admin, plain)) {
        assertThat(prepared(client, "CREATE DATABASE shop"))
            .startsWith("error 1007 HY000 Can't create database 'shop'; database exists");
        assertThat(prepared(client, "CREATE SCHEMA IF NOT EXISTS `Shop`"))
            .doesNotStartWith("error")
            .contains("1007");
      }
      assertThat(prepared(admin, "DROP DATABASE made"))
          .startsWith("error 1008 HY000 Can't drop database 'made'; database doesn't exist");
      assertThat(prepared(admin, "DROP SCHEMA IF EXISTS made"))
          .doesNotStartWith("error")
          .contains("1008");
      assertThat(prepared(admin, "CREATE DATABASE made CHARACTER SET latin1"))
          .contains("AB2002", "an option of CREATE DATABASE");
      assertThat(prepared(admin, "CREATE DATABASE " + "x".repeat(65))).startsWith("error 1059");
      assertThat(prepared(admin, "CREATE DATABASE mysql")).contains("AB2060", "server's own");
      for (String sql :
          List.of("CREATE DATABASE made", "DROP DATABASE made", "DROP DATABASE shop")) {
        assertThat(head(plain, sql)).as(sql).contains("AB2002", "dministrators");
      }
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("1");
      assertThat(prepared(admin, "CREATE DATABASE IF NOT EXISTS made")).doesNotStartWith("error");
      assertThat(prepared(admin, "CREATE DATABASE IF NOT EXISTS made")).contains("1007");
      assertThat(prepared(admin, "DROP DATABASE IF EXISTS MADE")).doesNotStartWith("error");
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("3", "2", "1");
    }
  }

  /** A name that files and YAML would take for something else. */
  @Test
  void namesAreWhatTheyAre() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      for (String name : List.of("null", "1e3", "it's", "a/../b", "häuser", "- x")) {
        run(admin, "CREATE DATABASE `" + name + "`", "USE `" + name + "`");
        assertThat(one(admin, "SELECT DATABASE()")).isEqualTo(name);
        run(admin, "USE shop");
      }
      assertThat(column(admin, "SAVE CONFIGURATION"))
          .hasSize(6)
          .allMatch(each -> !each.contains("/"));
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
    }
  }

  /**
   * Drivers ask for variables, and set some, before anybody could say which databases there are.
   */
  @ParameterizedTest
  @CsvSource({
    "MARIADB, ''",
    "MARIADB, useServerPrepStmts=true",
    // or it would ask MariaDB 10 for MySQL's variables
    "MYSQL, useLocalSessionState=true",
    "MYSQL, useLocalSessionState=true;useServerPrepStmts=true",
    "MYSQL, useLocalSessionState=true;sessionVariables=foreign_key_checks=0",
  })
  void aProxyBeginsWithNothing(Driver driver, String option) throws Exception {
    folder.delete("database-shop.yaml");
    // what comes later cannot be seen from a greeting
    folder.global(", proxy-server-version: 10.11.6-MariaDB");
    proxy.close();
    proxy = RunningProxy.startFrom(temporary);
    String[] options = option.isEmpty() ? new String[0] : option.split(";", -1);
    try (Connection admin =
        driver.connect(proxy.port(), "", RunningProxy.USER, RunningProxy.PASSWORD, options)) {
      admin.setAutoCommit(false);
      admin.setAutoCommit(true);
      assertThat(admin.isValid(5)).isTrue();
      assertThat(one(admin, "SELECT 1")).isEqualTo("1");
      assertThat(one(admin, "SELECT VERSION()"))
          .isEqualTo(admin.getMetaData().getDatabaseProductVersion());
      run(admin, "SET NAMES utf8mb4", "SET sql_mode = 'ANSI_QUOTES,NO_ZERO_DATE'");
      assertThat(one(admin, "SELECT @@sql_mode")).isEqualTo("ANSI_QUOTES,NO_ZERO_DATE");
      assertThat(head(admin, "SET sql_mode = 'NO_SUCH'")).contains("1231");
      assertThat(head(admin, "SET @own = 1")).contains("AB2002", "REGISTER STORAGE UNIT");
      assertThat(head(admin, "SET time_zone = 'Europe/Berlin'")).contains("AB2002");
      assertThat(head(admin, "SELECT NOW()")).contains("1046");

      run(admin, "CREATE DATABASE made", "USE made");
      assertThat(head(admin, "SELECT NOW()")).contains("AB2063");
      run(admin, units());
      run(
          admin,
          "CREATE TABLE \"t_order\" (id BIGINT PRIMARY KEY, v INT)",
          "INSERT INTO t_order VALUES (1, 10), (2, 20), (3, 30)");
      assertThat(one(admin, "SELECT SUM(v) FROM \"t_order\"")).isEqualTo("60");
      assertThat(one(admin, "SELECT @@sql_mode")).isEqualTo("ANSI_QUOTES,NO_ZERO_DATE");
    }
  }

  /** The last storage unit goes: the database is as it was made. */
  @Test
  void whatHasNothingMoreIsEmpty() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      run(admin, "UNREGISTER STORAGE UNIT ds_0, ds_1");
      assertThat(head(admin, "SHOW TABLES")).contains("AB2063");
      assertThat(column(admin, "SHOW STORAGE UNITS")).isEmpty();
      run(admin, "DROP DATABASE shop");
      assertThat(column(admin, "SHOW DATABASES")).containsExactly("information_schema");
      run(admin, "CREATE DATABASE made", "USE made");
      run(admin, units());
      run(admin, "CREATE TABLE t_order (id BIGINT PRIMARY KEY)");
      assertThat(one(admin, "SELECT COUNT(*) FROM t_order")).isEqualTo("0");
    }
  }
}
