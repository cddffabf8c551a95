package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files of databases go from one proxy to another: whole, and as statements. */
@ExtendWith(MariaDbServers.Resolver.class)
class AdministrationImportIT {

  private static final String FILE = "database-shop.yaml";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    for (int i = 0; i < 2; i++) {
      server.execute("DROP DATABASE IF EXISTS it_import_" + i, "CREATE DATABASE it_import_" + i);
    }
    folder = new ReloadFolder(temporary);
    folder.global("");
    folder.write("secret", MariaDbServer.PASSWORD);
    folder.write(FILE, shop());
    folder.write(
        "database-other.yaml",
        "databaseName: other\ndataSources:\n"
            + ReloadFolder.source("ds", server, "it_import_0", 2)
            + "rules: []\n");
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private String source(String name, int schema, String more) {
    return "  %s: { url: \"%s\", username: %s, password: \"${file:secret}\"%s }\n"
        .formatted(name, server.url("it_import_" + schema), MariaDbServer.USER, more);
  }

  /** A rule of every kind that statements make. */
  private String shop() {
    return "# the shop\ndatabaseName: shop\ndataSources:\n"
        + source("ds_0", 0, "")
        + source(
            "ds_1",
            1,
            ", maxPoolSize: 7, minPoolSize: 1, connectionTimeoutMilliseconds: 5000,"
                + " customPoolProps: { keepaliveTime: 120000 }")
        + source("writer", 1, ", readOnly: false")
        + source("reader", 1, "")
        + """
        rules:
        - !READWRITE_SPLITTING
          dataSourceGroups:
            rw_0:
              writeDataSourceName: writer
              readDataSourceNames: [ reader ]
              transactionalReadQueryStrategy: PRIMARY
              loadBalancerName: one_of_them
          loadBalancers:
            one_of_them: { type: RANDOM }
        - !SHARDING
          tables:
            t_order:
              actualDataNodes: ds_0.t_order, ds_1.t_order
              databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              tableStrategy: { none: }
              keyGenerateStrategy: { column: id, keyGeneratorName: keys }
              auditStrategy: { auditorNames: [ conditions ], allowHintDisable: true }
            t_item:
              actualDataNodes: ds_${0..1}.t_item
          autoTables:
            t_log:
              actualDataSources: ds_0,ds_1
              shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: four } }
          bindingTables: [ "t_order,t_item" ]
          defaultDatabaseStrategy:
            standard: { shardingColumn: id, shardingAlgorithmName: two }
          shardingAlgorithms:
            two: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
            four: { type: HASH_MOD, props: { sharding-count: 4 } }
          keyGenerators:
            keys: { type: SNOWFLAKE, props: { worker-id: 3 } }
          auditors:
            conditions: { type: DML_SHARDING_CONDITIONS }
        - !BROADCAST
          tables: [ t_dict, t_words ]
        - !SINGLE
          tables: [ ds_0.*, ds_1.t_conf ]
          defaultDataSource: ds_0
        """;
  }

  private static void run(Connection client, String... statements) throws SQLException {
    try (Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void refused(Connection client, String sql, String reason) {
    assertThatThrownBy(() -> run(client, sql))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("AB2060")
        .hasMessageContaining(reason);
  }

  @Test
  void whatWasExportedIsImported() throws Exception {
    Path exported = temporary.resolve("exported.yaml");
    try (Connection admin = proxy.connect("other")) {
      run(
          admin,
          "USE shop",
          "CREATE TABLE t_order (id BIGINT PRIMARY KEY, v INT)",
          "INSERT INTO t_order VALUES (1, 1), (2, 2)",
          "USE other");
      Files.writeString(exported, one(admin, "EXPORT DATABASE CONFIGURATION FROM shop"));
      assertThat(exported).content().doesNotContain("# the shop");
      refused(
          admin,
          "IMPORT DATABASE CONFIGURATION FROM FILE = '" + exported + "'",
          "there is a database `shop` already");

      folder.delete(FILE);
      assertThat(column(admin, "RELOAD CONFIGURATION")).containsExactly("database shop is gone");
      run(admin, "IMPORT DATABASE CONFIGURATION FROM FILE = '" + exported + "'");
      run(admin, "USE shop");
      assertThat(one(admin, "SELECT COUNT(*) FROM t_order WHERE id IN (1, 2)")).isEqualTo("2");
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).containsExactly("database shop is gone");
      assertThat(temporary.resolve(FILE)).doesNotExist();

      assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly(FILE);
      assertThat(temporary.resolve(FILE)).hasSameTextualContentAs(exported);
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
      folder.write(FILE, shop());
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
      run(admin, "ROLLBACK CONFIGURATION");
      assertThatThrownBy(() -> one(admin, "SELECT COUNT(*) FROM t_order WHERE id IN (1, 2)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Unknown database");
    }
  }

  @Test
  void theStatementsOfAFileMakeWhatItSays() throws Exception {
    Path given = temporary.resolve("given.yaml");
    folder.write("given.yaml", shop());
    folder.write(
        FILE, "databaseName: shop\ndataSources:\n" + source("ds_0", 0, "") + "rules: []\n");
    try (Connection admin = proxy.connect("shop")) {
      column(admin, "RELOAD CONFIGURATION");
      List<String> statements =
          column(admin, "CONVERT YAML CONFIGURATION FROM FILE '" + given + "'");
      assertThat(statements)
          .contains("USE shop;")
          .allMatch(statement -> statement.endsWith(";"))
          .noneMatch(said -> said.contains("PASSWORD = '" + MariaDbServer.PASSWORD + "'"));
      run(admin, statements.toArray(String[]::new));
      Files.move(given, temporary.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
    }
  }

  @Test
  void whatHasNoStatementIsTold() throws Exception {
    folder.write(
        "given.yaml",
        """
        databaseName: it's
        dataSources:
          ds_0: { url: "jdbc:mysql://u:in-the-url@h:1/d", username: a, password: in-clear, healthCheck: { intervalMilliseconds: 9 } }
          ds_1: { url: "jdbc:mysql://${env:HOST}/d", username: a }
        rules:
        - !CREATE_DATABASE
          names: [ "x%" ]
        - !SHARDING
          defaultShardingColumn: id
          tables:
            t: { actualDataNodes: ds_0.t, databaseStrategy: { standard: { shardingAlgorithmName: a } } }
        """);
    try (Connection admin = proxy.connect("shop")) {
      assertThat(column(admin, "CONVERT YAML CONFIGURATION FROM FILE = 'given.yaml'"))
          .containsExactly(
              "CREATE DATABASE IF NOT EXISTS `it's`;",
              "USE `it's`;",
              "REGISTER STORAGE UNIT IF NOT EXISTS ds_0 (URL = 'jdbc:mysql://h:1/d', USER = 'a',"
                  + " PASSWORD = '${env:DATASOURCES_DS_0_PASSWORD}');",
              "-- dataSources.ds_0.healthCheck: there is no statement for it; write it in the file",
              "-- dataSources.ds_1: there is no statement for it; write it in the file",
              "-- rules.!CREATE_DATABASE: there is no statement for it; write it in the file",
              "-- rules.!SHARDING.tables.t: there is no statement for it; write it in the file",
              "-- rules.!SHARDING.defaultShardingColumn: there is no statement for it; write it in"
                  + " the file");
    }
  }

  @Test
  void filesThatAreNoneOfADatabaseAreRefused() throws Exception {
    folder.write("list.yaml", "- a-hidden-word\n");
    folder.write("broken.yaml", "databaseName: [ a-hidden-word\n");
    folder.write("bad.yaml", "databaseName: bad\ndataSource: {}\n");
    Files.write(temporary.resolve("latin"), new byte[] {(byte) 0xe9, 'x'});
    Files.write(temporary.resolve("large"), new byte[(4 << 20) + 1]);
    try (Connection admin = proxy.connect("shop");
        Connection plain = Driver.MARIADB.connect(proxy.port(), "shop", "plain", "plain")) {
      for (String words : List.of("IMPORT DATABASE", "CONVERT YAML")) {
        String statement = words + " CONFIGURATION FROM FILE = '";
        refused(admin, statement + "none.yaml'", "does not exist");
        refused(admin, statement + temporary + "'", "is no plain file");
        refused(admin, statement + "/dev/zero'", "is no plain file");
        refused(admin, statement + "latin'", "is no UTF-8 text");
        refused(admin, statement + "large'", "is larger than 4 MiB");
        refused(admin, statement + "list.yaml'", "list.yaml:1:1");
        refused(admin, statement + "broken.yaml'", "broken.yaml:1:15: not valid YAML");
        refused(admin, statement + "global.yaml'", "`databaseName` is missing");
        assertThatThrownBy(() -> run(plain, statement + "global.yaml'"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("SUPER");
      }
      refused(
          admin,
          "IMPORT DATABASE CONFIGURATION FROM FILE 'bad.yaml'",
          "database-bad.yaml:2:1: dataSource: unknown key");
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("1");
    }
  }
}
