package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What {@code examples/} has works in a proxy, from {@code ext-lib/}. */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ExamplePlugInIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          t_customer:
            actualDataNodes: ds.t_customer_${0..1}
            tableStrategy:
              standard: { shardingColumn: code, shardingAlgorithmName: by_region }
        shardingAlgorithms:
          by_region: { type: REGION, props: { region-de: 1, otherwise: 0 } }
      - !MASK
        tables:
          t_customer: { columns: { name: { maskAlgorithm: initials } } }
        maskAlgorithms:
          initials: { type: INITIALS }
        users: [app]
      """;

  @TempDir private Path temporary;

  private static List<String> strings(Connection connection, String query) throws Exception {
    var found = new ArrayList<String>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  @Test
  void anAlgorithmPlacesRowsAndAMaskerCoversThem(DatabaseServers servers) throws Exception {
    DatabaseServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_example");
    server.execute("CREATE DATABASE it_example");
    ExamplePlugIn.install("plug-in", temporary);
    String shop =
        "databaseName: shop\ndataSources:\n" + RunningProxy.source("ds", server, "it_example");
    try (ProxyProcess proxy =
        ProxyProcess.start(
            "example",
            temporary.resolve("conf"),
            List.of("-Danabranch.home=" + temporary),
            "",
            shop + RULES)) {
      try (Connection all = proxy.connect("shop");
          Statement statement = all.createStatement()) {
        statement.execute(
            "CREATE TABLE t_customer (code VARCHAR(20) PRIMARY KEY, name VARCHAR(40))");
        statement.execute(
            "INSERT INTO t_customer VALUES ('de-1', 'Ada Lovelace'), ('DE-2', 'Grace Hopper'),"
                + " ('fr-1', 'Sophie Germain')");
        assertThat(strings(all, "SELECT name FROM t_customer WHERE code = 'De-2'"))
            .containsExactly("Grace Hopper");
        assertThatThrownBy(
                () -> statement.execute("INSERT INTO t_customer VALUES ('dé-3', 'Emmy Noether')"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("AB2005: the algorithm REGION cannot place");
      }
      try (Connection masked =
          RunningProxy.Driver.MARIADB.connect(
              proxy.port(), "shop", ProxyProcess.HOG, ProxyProcess.HOG_PASSWORD)) {
        assertThat(strings(masked, "SELECT name FROM t_customer ORDER BY code"))
            .containsExactly("A. L.", "G. H.", "S. G.");
      }
    }
    try (Connection direct = server.connect("it_example")) {
      assertThat(strings(direct, "SELECT code FROM t_customer_1 ORDER BY code"))
          .containsExactly("de-1", "DE-2");
      assertThat(strings(direct, "SELECT code FROM t_customer_0")).containsExactly("fr-1");
    }
  }
}
