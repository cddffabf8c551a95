package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The configuration is changed in SQL, and saved. */
@ExtendWith(MariaDbServers.Resolver.class)
class AdministrationChangeIT {

  private static final String FILE = "database-shop.yaml";

  private static final String RULE =
      "CREATE SHARDING TABLE RULE t_order (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN = id,"
          + " TYPE(NAME = \"hash_mod\", PROPERTIES(\"sharding-count\" = 4)),"
          + " KEY_GENERATE_STRATEGY(COLUMN = id, TYPE(NAME = 'snowflake')))";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    for (int i = 0; i < 2; i++) {
      server.execute("DROP DATABASE IF EXISTS it_change_" + i, "CREATE DATABASE it_change_" + i);
    }
    folder = new ReloadFolder(temporary);
    folder.global("");
    folder.write(
        FILE,
        "# the shop\ndatabaseName: shop\n\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_change_0", 9)
            + "  # more to come\n\nrules: [] # none yet\n");
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private String file() throws IOException {
    return Files.readString(temporary.resolve(FILE));
  }

  private String register(String password) {
    return "REGISTER STORAGE UNIT IF NOT EXISTS ds_1 (URL = '%s', USER = '%s', PASSWORD = '%s', PROPERTIES('maximumPoolSize' = 7))"
        .formatted(server.url("it_change_1"), MariaDbServer.USER, password);
  }

  /** Errors of databases say users and schemas: a file's content must not become one. */
  @Test
  void referencesAreForPasswords() throws Exception {
    Path file = temporary.resolve("content");
    Files.writeString(file, "content-of-a-file");
    String reference = "${file:" + file + "}";
    try (Connection admin = proxy.connect("shop")) {
      for (String part :
          List.of(
              "URL = 'jdbc:mysql://127.0.0.1:3306/" + reference + "', USER = 'u'",
              "HOST = '127.0.0.1', PORT = 3306, DB = '" + reference + "', USER = 'u'",
              "URL = '" + server.url("it_change_1") + "', USER = '" + reference + "'",
              "URL = '"
                  + server.url("it_change_1")
                  + "', USER = 'u', PASSWORD = 'p',"
                  + " PROPERTIES('schema' = '"
                  + reference
                  + "')")) {
        assertThatThrownBy(() -> run(admin, "REGISTER STORAGE UNIT ds_r (" + part + ")"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("a reference in")
            .message()
            .doesNotContain("content-of-a-file");
      }
    }
  }

  /** While it waits for a server that says nothing. */
  @Test
  void theProcessListTellsNoPasswords() throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Connection admin = proxy.connect("shop");
        Connection other = proxy.connect("shop")) {
      String register =
          "REGISTER STORAGE UNIT ds_s (URL = 'jdbc:mysql://127.0.0.1:"
              + silent.getLocalPort()
              + "/x', USER = 'u', PASSWORD = 'hidden-two')";
      var told = new CompletableFuture<@Nullable Void>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  run(admin, register);
                } catch (SQLException refused) {
                  // it cannot be logged in to
                } finally {
                  told.complete(null);
                }
              });
      var seen = new ArrayList<String>();
      while (!told.isDone()) {
        try (Statement statement = other.createStatement();
            ResultSet rows = statement.executeQuery("SHOW FULL PROCESSLIST")) {
          while (rows.next()) {
            seen.add(String.valueOf(rows.getString("Info")));
          }
        }
      }
      assertThat(seen)
          .anyMatch(info -> info.startsWith("REGISTER STORAGE UNIT"))
          .noneMatch(info -> info.contains("hidden-two"));
    }
  }

  private static void run(Connection client, String... statements) throws SQLException {
    try (Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void sessionsThatStayConnectedUseWhatIsNew() throws Exception {
    String before = file();
    try (Connection client = proxy.connect("shop");
        Connection admin = proxy.connect("shop")) {
      run(client, "CREATE TABLE t_conf (id INT PRIMARY KEY)");
      run(admin, register(MariaDbServer.PASSWORD), RULE);
      run(client, "CREATE TABLE t_order (id BIGINT PRIMARY KEY, v INT)");
      run(client, "INSERT INTO t_order VALUES (0, 0), (1, 1), (2, 2), (3, 3), (4, 4)");
      run(client, "INSERT INTO t_order (v) VALUES (5)");
      assertThat(one(client, "SELECT COUNT(*) FROM t_order")).isEqualTo("6");
      assertThat(server.queryOne("SELECT COUNT(*) FROM it_change_1.t_order_3 WHERE id < 5"))
          .isEqualTo("1");
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("3", "2", "1");
      assertThat(file()).isEqualTo(before);

      assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly(FILE);
      assertThat(file())
          .startsWith(before.substring(0, before.indexOf("  # more to come")))
          .contains("# the shop", "# more to come", "# none yet", "maxPoolSize: 7")
          .contains("t_order_hash_mod: { type: HASH_MOD, props: { sharding-count: 4 } }");
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
      assertThat(column(admin, "SAVE CONFIGURATION")).isEmpty();
    }
    proxy.close();
    proxy = RunningProxy.startFrom(temporary);
    try (Connection client = proxy.connect("shop")) {
      assertThat(one(client, "SELECT COUNT(*) FROM t_order")).isEqualTo("6");
      assertThat(one(client, "SELECT COUNT(*) FROM t_conf")).isEqualTo("0");
    }
  }

  @Test
  void allProblemsAreToldAndNothingChanges() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      assertThatThrownBy(
              () ->
                  run(
                      admin,
                      "CREATE SHARDING TABLE RULE t_a (STORAGE_UNITS(ds_0, ds_9), SHARDING_COLUMN ="
                          + " id, TYPE(NAME = 'hash_mood', PROPERTIES('sharding-count' = 4)))"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("AB2060")
          .hasMessageContaining("ds_9")
          .hasMessageContaining("HASH_MOOD");
      assertThatThrownBy(() -> run(admin, register("a-wrong-password")))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("ds_1")
          .message()
          .doesNotContain("a-wrong-password");
      assertThatThrownBy(() -> run(admin, "REGISTER STORAGE UNIT x (PASSWORD 'hidden-one')"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("PASSWORD")
          .message()
          .doesNotContain("hidden-one");
      assertThatThrownBy(() -> run(admin, "DROP SHARDING TABLE RULE t_none"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("there is no sharded table `t_none`");
      run(admin, "DROP SHARDING TABLE RULE IF EXISTS t_none");
      assertThatThrownBy(() -> run(admin, "SET DIST VARIABLE sql_shaw = true"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("sql-show");
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("1");
      assertThat(column(admin, "SHOW STORAGE UNITS")).containsExactly("ds_0");
    }
  }

  @Test
  void rulesAreChangedAndDropped() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      run(admin, register(MariaDbServer.PASSWORD), RULE);
      run(
          admin,
          "ALTER SHARDING TABLE RULE t_order (DATANODES(\"ds_${0..1}.t_order\"),"
              + " DATABASE_STRATEGY(TYPE = 'standard', SHARDING_COLUMN = id,"
              + " SHARDING_ALGORITHM(TYPE(NAME = 'mod', PROPERTIES('sharding-count' = 2)))))",
          "CREATE SHARDING TABLE RULE t_item (DATANODES('ds_${0..1}.t_item'),"
              + " DATABASE_STRATEGY(TYPE = 'standard', SHARDING_COLUMN = id,"
              + " SHARDING_ALGORITHM(TYPE(NAME = 'mod', PROPERTIES('sharding-count' = 2)))))",
          "CREATE SHARDING TABLE REFERENCE RULE together (t_order, t_item)",
          "CREATE BROADCAST TABLE RULE t_dict, t_more",
          "DROP BROADCAST TABLE RULE t_more",
          "LOAD SINGLE TABLE ds_0.*",
          "SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_0",
          "SET DIST VARIABLE proxy_stage_max_rows = 1234");
      assertThat(column(admin, "SHOW SHARDING ALGORITHMS"))
          .containsExactly("t_order_database_mod", "t_item_database_mod");
      assertThat(column(admin, "SHOW SHARDING KEY GENERATORS")).isEmpty();
      assertThat(column(admin, "SHOW SHARDING TABLE REFERENCE RULES")).containsExactly("together");
      assertThatThrownBy(() -> run(admin, "DROP SHARDING TABLE RULE t_item"))
          .hasMessageContaining("t_item");
      run(
          admin,
          "DROP SHARDING TABLE REFERENCE RULE together",
          "DROP SHARDING TABLE RULE t_item, t_order",
          "DROP BROADCAST TABLE RULE t_dict",
          "UNREGISTER STORAGE UNIT ds_1",
          "UNLOAD ALL SINGLE TABLES",
          "SET DEFAULT SINGLE TABLE STORAGE UNIT = RANDOM");
      assertThat(column(admin, "SAVE CONFIGURATION")).contains("global.yaml");
      assertThat(Files.readString(temporary.resolve("global.yaml")))
          .contains("proxy-stage-max-rows: 1234 }");
      assertThat(file()).contains("rules: []").doesNotContain("!SHARDING", "ds_1");
    }
  }

  /** Columns are encrypted and masked, and tests go to a shadow, from one statement to the next. */
  @Test
  void columnsAndShadowsAreRuledLive() throws Exception {
    try (Connection admin = proxy.connect("shop");
        Connection client = proxy.connect("shop")) {
      run(
          admin,
          register(MariaDbServer.PASSWORD),
          "LOAD SINGLE TABLE ds_0.*",
          "CREATE ENCRYPT RULE t_person (COLUMNS((NAME = phone, CIPHER = phone_c, ENCRYPT_ALGORITHM("
              + "TYPE(NAME = 'AES', PROPERTIES('aes-key-value' = 'hidden-key'))))))");
      run(
          client,
          "CREATE TABLE t_person (id INT PRIMARY KEY, phone VARCHAR(20), name VARCHAR(20))");
      run(client, "INSERT INTO t_person VALUES (1, '555', 'Ada')");
      assertThat(one(client, "SELECT phone FROM t_person")).isEqualTo("555");
      assertThat(server.queryOne("SELECT phone_c FROM it_change_0.t_person")).isNotEqualTo("555");
      assertThat(one(admin, "SHOW ENCRYPT RULES")).isEqualTo("t_person");
      assertThat(one(admin, "COUNT ENCRYPT RULE")).isEqualTo("encrypt");
      run(
          admin,
          "CREATE MASK RULE t_person (COLUMNS((NAME = name, TYPE(NAME = 'KEEP_FIRST_N_LAST_M',"
              + " PROPERTIES('first-n' = 1, 'last-m' = 0, 'replace-char' = '*')))))");
      assertThat(one(client, "SELECT name FROM t_person")).isEqualTo("A**");
      run(
          admin,
          "ALTER MASK RULE t_person (COLUMNS((NAME = name, TYPE(NAME = 'MD5'))))",
          "DROP MASK RULE t_person");
      assertThat(one(client, "SELECT name FROM t_person")).isEqualTo("Ada");

      run(client, "CREATE TABLE t_visit (id INT PRIMARY KEY)");
      server.execute("CREATE TABLE it_change_1.t_visit (id INT PRIMARY KEY)");
      run(
          admin,
          "CREATE SHADOW RULE tests (SOURCE = ds_0, SHADOW = ds_1, t_visit(TYPE(NAME = 'SQL_HINT')))",
          "CREATE DEFAULT SHADOW ALGORITHM TYPE(NAME = 'SQL_HINT')");
      run(client, "/* SHARDINGSPHERE_HINT: SHADOW=true */ INSERT INTO t_visit VALUES (7)");
      assertThat(server.queryOne("SELECT id FROM it_change_1.t_visit")).isEqualTo("7");
      assertThat(one(client, "SELECT COUNT(*) FROM t_visit")).isEqualTo("0");
      assertThat(column(admin, "SHOW SHADOW RULE tests")).containsExactly("tests");
      assertThat(column(admin, "SHOW SHADOW TABLE RULES")).containsExactly("t_visit");
      assertThat(column(admin, "SHOW SHADOW ALGORITHMS"))
          .containsExactly("t_visit_sql_hint", "default_shadow_algorithm");
      assertThat(column(admin, "SHOW DEFAULT SHADOW ALGORITHM"))
          .containsExactly("default_shadow_algorithm");
      assertThatThrownBy(() -> run(admin, "UNREGISTER STORAGE UNIT ds_1"))
          .hasMessageContaining("ds_1");
      assertThat(column(admin, "SHOW RULES USED STORAGE UNIT ds_1")).containsExactly("shadow");
      run(admin, "DROP SHADOW RULE tests", "SAVE CONFIGURATION");
      assertThat(file()).contains("!ENCRYPT", "phone_c").doesNotContain("!SHADOW", "!MASK");
      assertThatThrownBy(() -> run(client, "/* SHARDINGSPHERE_HINT: SHADOW=true */ SELECT 1"))
          .hasMessageContaining("without the rule !SHADOW");
      assertThat(column(admin, "SHOW SHADOW RULES")).isEmpty();
    }
  }

  @Test
  void groupsKeepWhatStatementsHaveNoWordsFor() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      run(
          admin,
          register(MariaDbServer.PASSWORD),
          "CREATE READWRITE_SPLITTING RULE rw (WRITE_STORAGE_UNIT = ds_0, READ_STORAGE_UNITS(ds_1),"
              + " TYPE(NAME = 'random'))",
          "SAVE CONFIGURATION");
      String saved = file();
      folder.write(
          FILE,
          saved
              .replace("rw: {", "rw: { noReplica: ERROR,")
              .replace("    rw:\n", "    rw:\n      noReplica: ERROR\n"));
      run(
          admin,
          "RELOAD CONFIGURATION",
          "ALTER READWRITE_SPLITTING RULE rw (WRITE_STORAGE_UNIT = ds_0, READ_STORAGE_UNITS(ds_1),"
              + " TRANSACTIONAL_READ_QUERY_STRATEGY = 'fixed', TYPE(NAME = 'round_robin'))",
          "SAVE CONFIGURATION");
      assertThat(file())
          .contains("noReplica: ERROR", "FIXED", "rw_round_robin")
          .doesNotContain("rw_random");
      run(admin, "DROP READWRITE_SPLITTING RULE rw", "SAVE CONFIGURATION");
      assertThat(file()).contains("rules: []");
    }
  }

  @Test
  void filesThatOthersHaveChangedAreNotOverwritten() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      run(admin, register(MariaDbServer.PASSWORD));
      folder.write(FILE, file() + "# by hand\n");
      assertThatThrownBy(() -> column(admin, "SAVE CONFIGURATION"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(FILE + " has been changed since it was read");
      assertThat(file()).endsWith("# by hand\n").doesNotContain("ds_1");
      run(admin, "RELOAD CONFIGURATION", register(MariaDbServer.PASSWORD));
      Files.setPosixFilePermissions(
          temporary.resolve(FILE), PosixFilePermissions.fromString("rw-r-----"));
      assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly(FILE);
      assertThat(file()).endsWith("# by hand\n").contains("ds_1");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve(FILE))))
          .isEqualTo("rw-r-----");
      run(admin, "ROLLBACK CONFIGURATION", "SAVE CONFIGURATION");
      assertThat(file()).doesNotContain("ds_1");
    }
  }
}
