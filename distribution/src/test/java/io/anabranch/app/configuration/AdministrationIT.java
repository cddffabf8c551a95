package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.compatibility.CompatibilityPage;
import io.anabranch.app.compatibility.CompatibilityPage.Row;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.frontend.administration.AdministrationStatements;
import io.anabranch.frontend.administration.Form;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Administration in SQL: what there is, told in ShardingSphere's words. */
@ExtendWith(MariaDbServers.Resolver.class)
class AdministrationIT {

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    for (int i = 0; i < 2; i++) {
      String schema = "it_admin_" + i;
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE %s.t_order (id INT PRIMARY KEY, user_id INT)".formatted(schema),
          "CREATE TABLE %s.t_item (id INT PRIMARY KEY, user_id INT)".formatted(schema),
          "CREATE TABLE %s.t_dict (id INT PRIMARY KEY)".formatted(schema));
      for (int part = i; part < 4; part += 2) {
        server.execute("CREATE TABLE %s.t_log_%d (id BIGINT PRIMARY KEY)".formatted(schema, part));
      }
    }
    server.execute("CREATE TABLE it_admin_0.t_conf (id INT PRIMARY KEY)");
    folder = new ReloadFolder(temporary);
    folder.global(", sql-show: false, proxy-frontend-ssl-key-password: hidden-password");
    folder.write("database-shop.yaml", AdministrationFiles.shop(server));
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  /** All of an answer: names of columns, then rows, cells between bars. */
  private static List<String> answer(Connection client, String sql) throws SQLException {
    var lines = new ArrayList<String>();
    try (Statement statement = client.createStatement()) {
      if (!statement.execute(sql)) {
        return List.of("OK");
      }
      try (ResultSet rows = statement.getResultSet()) {
        ResultSetMetaData columns = rows.getMetaData();
        var names = new ArrayList<String>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          names.add(columns.getColumnLabel(i));
        }
        lines.add(String.join("|", names));
        while (rows.next()) {
          var cells = new ArrayList<String>();
          for (int i = 1; i <= names.size(); i++) {
            cells.add(rows.getString(i));
          }
          lines.add(String.join("|", cells));
        }
      }
    }
    return lines;
  }

  @Test
  void storageUnitsAreToldWithoutPasswords() throws SQLException {
    try (Connection admin = proxy.connect("shop")) {
      List<String> told = answer(admin, "SHOW STORAGE UNITS FROM shop");
      assertThat(told.getFirst())
          .isEqualTo(
              "name|type|host|port|db|connection_timeout_milliseconds|idle_timeout_milliseconds|"
                  + "max_lifetime_milliseconds|max_pool_size|min_pool_size|read_only|other_attributes");
      assertThat(told).hasSize(7);
      assertThat(told.get(1)).startsWith("ds_0|").contains("|it_admin_0|5000|").contains("|9|1|");
      assertThat(told.toString())
          .contains("keepaliveTime=120000")
          .doesNotContain(MariaDbServer.PASSWORD + "|")
          .doesNotContain("|" + MariaDbServer.PASSWORD);
      assertThat(column(admin, "SHOW STORAGE UNITS WHERE USAGE_COUNT = 1"))
          .containsExactly("writer", "reader", "spare_0", "spare_1");
      assertThat(answer(admin, "SHOW RULES USED STORAGE UNIT ds_1"))
          .containsExactly(
              "type|name",
              "sharding|t_item",
              "sharding|t_log",
              "sharding|t_order",
              "broadcast|t_dict");
    }
  }

  @Test
  void shardingIsToldAsTheFileSaysIt() throws SQLException {
    try (Connection admin = proxy.connect("shop")) {
      List<String> tables = answer(admin, "SHOW SHARDING TABLE RULES");
      assertThat(tables.getFirst())
          .startsWith("table|actual_data_nodes|actual_data_sources|database_strategy_type|")
          .endsWith("|key_generator_props|auditor_types|allow_hint_disable");
      assertThat(tables.subList(1, 4))
          .containsExactly(
              "t_order|ds_${0..1}.t_order||STANDARD|user_id|MOD|sharding-count=2|NONE||||id|SNOWFLAKE|"
                  + "worker-id=3|DML_SHARDING_CONDITIONS|true",
              "t_item|ds_${0..1}.t_item||STANDARD|user_id|MOD|sharding-count=2|NONE|||||||DML_SHARDING_CONDITIONS|true",
              "t_log||ds_0,ds_1|||||STANDARD|id|HASH_MOD|sharding-count=4||||DML_SHARDING_CONDITIONS|true");
      assertThat(answer(admin, "SHOW SHARDING TABLE RULE T_ITEM FROM shop"))
          .containsExactly(tables.get(0), tables.get(2));
      assertThat(answer(admin, "SHOW SHARDING TABLE RULE nothing")).hasSize(1);
      assertThat(answer(admin, "SHOW SHARDING TABLE NODES t_log"))
          .containsExactly(
              "name|nodes", "t_log|ds_0.t_log_0, ds_1.t_log_1, ds_0.t_log_2, ds_1.t_log_3");
      assertThat(answer(admin, "SHOW SHARDING ALGORITHMS"))
          .containsExactly(
              "name|type|props",
              "two|MOD|sharding-count=2",
              "four|HASH_MOD|sharding-count=4",
              "idle|INLINE|algorithm-expression=ds_${user_id % 2}");
      assertThat(column(admin, "SHOW UNUSED SHARDING ALGORITHMS")).containsExactly("idle");
      assertThat(answer(admin, "SHOW SHARDING TABLE RULES USED ALGORITHM four"))
          .containsExactly("type|name", "auto_table|t_log");
      assertThat(answer(admin, "SHOW SHARDING KEY GENERATORS"))
          .containsExactly("name|type|props", "keys|SNOWFLAKE|worker-id=3");
      assertThat(answer(admin, "SHOW SHARDING AUDITORS"))
          .containsExactly("name|type|props", "conditions|DML_SHARDING_CONDITIONS|");
      assertThat(answer(admin, "SHOW DEFAULT SHARDING STRATEGY"))
          .containsExactly(
              "name|type|sharding_column|sharding_algorithm_name|sharding_algorithm_type|"
                  + "sharding_algorithm_props",
              "TABLE|NONE||||",
              "DATABASE|STANDARD|user_id|two|MOD|sharding-count=2");
      assertThat(answer(admin, "SHOW SHARDING TABLE REFERENCE RULES"))
          .containsExactly("name|sharding_table_reference", "t_order_t_item|t_order,t_item");
      assertThat(answer(admin, "COUNT SHARDING RULE"))
          .containsExactly(
              "rule_name|database|count",
              "sharding_table|shop|3",
              "sharding_table_reference|shop|1");
    }
  }

  @Test
  void otherTablesAreTold() throws SQLException {
    try (Connection admin = proxy.connect("shop")) {
      assertThat(answer(admin, "SHOW BROADCAST TABLE RULES"))
          .containsExactly("broadcast_table", "t_dict");
      assertThat(answer(admin, "SHOW SINGLE TABLES"))
          .containsExactly("table_name|storage_unit_name", "t_conf|ds_0");
      assertThat(column(admin, "SHOW SINGLE TABLES LIKE 't\\_c%'")).containsExactly("t_conf");
      assertThat(column(admin, "SHOW SINGLE TABLE t_order")).isEmpty();
      assertThat(column(admin, "SHOW DEFAULT SINGLE TABLE STORAGE UNIT")).containsExactly("ds_0");
      assertThat(answer(admin, "COUNT SINGLE TABLE")).endsWith("single|shop|1");
      assertThat(answer(admin, "SHOW READWRITE_SPLITTING RULES"))
          .containsExactly(
              "name|write_storage_unit_name|read_storage_unit_names|"
                  + "transactional_read_query_strategy|load_balancer_type|load_balancer_props",
              "rw_0|writer|reader|PRIMARY|WEIGHT|reader=2.0");
      assertThat(answer(admin, "COUNT READWRITE_SPLITTING RULE"))
          .endsWith("readwrite_splitting|shop|1");
    }
  }

  @Test
  void whatHoldsForAllIsTold() throws SQLException {
    try (Connection admin = proxy.connect("shop")) {
      assertThat(answer(admin, "SHOW DIST VARIABLE WHERE NAME = sql_show"))
          .containsExactly("variable_name|variable_value", "sql_show|false");
      assertThat(answer(admin, "SHOW DIST VARIABLES LIKE 'proxy_frontend_ssl_key%'"))
          .containsExactly(
              "variable_name|variable_value",
              "proxy_frontend_ssl_key_file|",
              "proxy_frontend_ssl_key_password|(secret)");
      assertThat(column(admin, "SHOW DIST VARIABLES"))
          .contains("max_connections_size_per_query", "proxy_default_port")
          .doesNotContain("kernel_executor_size")
          .hasSizeGreaterThan(40);
      assertThat(answer(admin, "SHOW AUTHORITY RULE").get(1))
          .contains("plain@%")
          .contains("ALL_PERMITTED")
          .doesNotContain(RunningProxy.PASSWORD + "|");
      assertThat(answer(admin, "SHOW TRANSACTION RULE").get(1)).startsWith("LOCAL|");
      assertThat(answer(admin, "SHOW COMPUTE NODES").get(1)).contains("|" + proxy.port() + "|OK|");
    }
  }

  @Test
  void typesOfAlgorithmsAreTold() throws SQLException {
    try (Connection admin = proxy.connect("shop")) {
      assertThat(column(admin, "SHOW SHARDING ALGORITHM PLUGINS")).contains("MOD", "INLINE");
      assertThat(column(admin, "SHOW KEY GENERATE ALGORITHM PLUGINS")).contains("SNOWFLAKE");
      assertThat(column(admin, "SHOW LOAD BALANCE ALGORITHM PLUGINS")).contains("WEIGHT");
      assertThat(column(admin, "SHOW ENCRYPT ALGORITHM PLUGINS")).contains("AES");
      assertThat(column(admin, "SHOW MASK ALGORITHM PLUGINS")).contains("MD5");
      assertThat(column(admin, "SHOW SHADOW ALGORITHM PLUGINS"))
          .containsExactly("REGEX_MATCH", "SQL_HINT", "USER_MATCH", "VALUE_MATCH");
    }
  }

  @Test
  void metadataIsLookedAtAnew() throws SQLException {
    try (Connection admin = proxy.connect("shop")) {
      assertThat(column(admin, "SELECT * FROM t_conf")).isEmpty();
      server.execute("ALTER TABLE it_admin_0.t_conf ADD COLUMN later INT");
      assertThat(answer(admin, "REFRESH TABLE METADATA t_conf")).containsExactly("OK");
      assertThat(answer(admin, "SELECT * FROM t_conf")).containsExactly("id|later");
      assertThat(answer(admin, "REFRESH DATABASE METADATA shop")).containsExactly("OK");
    }
  }

  @Test
  void thereAreRights() throws SQLException {
    try (Connection plain = Driver.MARIADB.connect(proxy.port(), "shop", "plain", "plain")) {
      assertThat(column(plain, "SHOW SHARDING TABLE RULES")).hasSize(3);
      for (String sql :
          List.of("SHOW STORAGE UNITS", "SHOW DIST VARIABLES", "REFRESH TABLE METADATA")) {
        assertThatThrownBy(() -> answer(plain, sql))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("SUPER");
      }
      assertThatThrownBy(() -> answer(plain, "SHOW SHARDING TABLE RULES FROM nowhere"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("nowhere");
    }
  }

  /** Each way, of each statement that is there. */
  @Test
  void whatIsForAdministratorsIsRefusedToOthers() throws SQLException {
    var examples =
        AdministrationFiles.examples(
            server.url("it_admin_0"), MariaDbServer.USER, MariaDbServer.PASSWORD);
    try (Connection admin = proxy.connect("shop");
        Connection plain = Driver.MARIADB.connect(proxy.port(), "shop", "plain", "plain")) {
      List<String> before = answer(admin, "EXPORT DATABASE CONFIGURATION FROM shop");
      for (Form form : AdministrationStatements.all()) {
        if (form.access() != Form.Access.ADMIN) {
          continue;
        }
        String sql = requireNonNull(examples.get(form.syntax()), form.syntax());
        for (String text : List.of(sql, "/* x */ " + sql, "EXECUTE IMMEDIATE '" + quoted(sql))) {
          assertThatThrownBy(() -> answer(plain, text))
              .as(text)
              .isInstanceOfSatisfying(
                  SQLException.class,
                  e -> assertThat(e.getErrorCode()).isIn(1044, 1227, 1235, 1295));
        }
        assertThatThrownBy(
                () -> {
                  try (PreparedStatement prepared = plain.prepareStatement(sql)) {
                    prepared.execute();
                  }
                })
            .as(sql)
            .isInstanceOf(SQLException.class);
      }
      assertThat(answer(admin, "EXPORT DATABASE CONFIGURATION FROM shop")).isEqualTo(before);
    }
  }

  private static String quoted(String sql) {
    return sql.replace("'", "''") + "'";
  }

  @Test
  void preparedOnesAreAnsweredWhenTheyAreExecuted() throws SQLException, IOException {
    try (Connection admin = proxy.connect("shop", "useServerPrepStmts=true")) {
      folder.global(", sql-show: true");
      try (PreparedStatement prepared = admin.prepareStatement("RELOAD CONFIGURATION")) {
        assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isNotEmpty();
        try (ResultSet changes = prepared.executeQuery()) {
          assertThat(changes.next()).isTrue();
        }
        assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
      }
      assertThat(column(admin, "SHOW DIST VARIABLE WHERE NAME = 'sql-show'"))
          .containsExactly("sql_show");
    }
  }

  /** Each statement of the table, tried in this order. */
  @Test
  void everyStatementIsOnThePage() throws SQLException, IOException {
    var rows = new ArrayList<Row>();
    var examples =
        AdministrationFiles.examples(
            server.url("it_admin_0"), MariaDbServer.USER, MariaDbServer.PASSWORD);
    folder.global(", sql-show: true");
    Files.createDirectory(temporary.resolve("given"));
    folder.write(
        "given/spare.yaml",
        "databaseName: spare\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_admin_0", 2)
            + "rules: []\n");
    try (Connection admin = proxy.connect("shop")) {
      for (Form form : AdministrationStatements.all()) {
        String example = requireNonNull(examples.remove(form.syntax()), form.syntax());
        String outcome;
        try {
          outcome = answer(admin, example).isEmpty() ? "" : "passes";
        } catch (SQLException refused) {
          outcome = "refused: " + refused.getMessage();
        }
        String rights = form.access() == Form.Access.ADMIN ? "`admin`" : "the database's users";
        rows.add(Row.of("`" + form.syntax() + "`", outcome, rights));
      }
    }
    assertThat(examples).isEmpty();
    CompatibilityPage.Comparison seen =
        CompatibilityPage.section(
            "Administration in SQL", Row.of("Statement", "Outcome", "For"), rows);
    assertThat(seen.written()).isEqualTo(seen.seen());
  }
}
