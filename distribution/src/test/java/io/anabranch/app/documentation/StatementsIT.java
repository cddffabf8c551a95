package io.anabranch.app.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the pages, on a proxy of a cluster. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class StatementsIT {

  /** One thing after the other: {@link TutorialIT}. */
  static final String TUTORIAL = "docs/tutorial.md";

  @TempDir Path temporary;

  private static String shop(DatabaseServer server) {
    return "databaseName: shop\ndataSources:\n"
        + RunningProxy.source("ds_0", server, "it_docs_0")
        + RunningProxy.source("ds_1", server, "it_docs_1")
        + """
        rules:
        - !BROADCAST
          tables: [t_country]
        - !SHARDING
          tables:
            t_order:
              actualDataNodes: ds_${0..1}.t_order
              databaseStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: halves } }
          shardingAlgorithms:
            halves: { type: MOD, props: { sharding-count: 2 } }
        """;
  }

  private RunningProxy start(DatabaseServer server) throws IOException {
    var folder = new ReloadFolder(temporary);
    folder.global("");
    folder.write(
        "global.yaml",
        Files.readString(temporary.resolve("global.yaml"))
                .replace(
                    "- { user: plain", "- { user: report, password: report }\n  - { user: plain")
            + """
            mode:
              type: Cluster
              repository:
                type: JDBC
                props: { namespace: docs, jdbc_url: "%s", username: %s, password: %s }
            """
                .formatted(
                    server.url("it_docs_registry"), MariaDbServer.USER, MariaDbServer.PASSWORD));
    folder.write("database-shop.yaml", shop(server));
    return RunningProxy.startFrom(temporary);
  }

  /** Where the pages name servers and users of the reader's. */
  private static String here(Example example, DatabaseServer server) {
    String address = "127.0.0.1:" + server.port() + "/it_docs_";
    String text =
        example
            .text()
            .replaceAll("10\\.0\\.0\\.1[12]:3306/shop_", address)
            .replace("USER = 'proxy'", "USER = '" + MariaDbServer.USER + "'")
            .replace("'${env:DB_PASSWORD}'", "'" + MariaDbServer.PASSWORD + "'");
    return text.contains("CREATE DATABASE shop") ? text.replaceAll("\\bshop\\b", "made") : text;
  }

  @Test
  void eachIsTaken(DatabaseServers servers) throws Exception {
    DatabaseServer server = servers.primaryA();
    for (String schema : List.of("it_docs_0", "it_docs_1", "it_docs_registry")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    for (int i = 0; i < 2; i++) {
      server.execute(
          "CREATE TABLE it_docs_" + i + ".t_order (order_id INT PRIMARY KEY, v INT)",
          "CREATE TABLE it_docs_" + i + ".t_country (id INT PRIMARY KEY)");
    }
    List<Example> examples =
        Example.of("sql").stream().filter(each -> !each.page().equals(TUTORIAL)).toList();
    assertThat(examples).isNotEmpty();
    try (RunningProxy proxy = start(server)) {
      for (Example example : examples) {
        try (Connection client = proxy.connect("shop");
            Statement statement = client.createStatement()) {
          for (String sql : here(example, server).split(";\n?", -1)) {
            if (!sql.isBlank()) {
              run(statement, example, sql);
            }
          }
        }
      }
    }
  }

  private static void run(Statement statement, Example example, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException refused) {
      throw new AssertionError(example + ": " + sql, refused);
    }
  }
}
