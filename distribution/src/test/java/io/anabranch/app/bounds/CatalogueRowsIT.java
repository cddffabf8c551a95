package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A query of {@code information_schema} takes the rows of other data sources along in its text, of
 * which there may be any number.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class CatalogueRowsIT {

  /** Of heap, of which one session may have a half. */
  private static final int BUDGET = 4 << 20;

  private static final int TABLES = 20;
  private static final int COLUMNS = 50;
  private static final String NAMES =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'it_rows'";

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    String columns =
        IntStream.range(0, COLUMNS)
            .mapToObj(i -> "c" + i + " INT COMMENT '" + "x".repeat(800) + "'")
            .collect(Collectors.joining(", "));
    for (MariaDbServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute("DROP DATABASE IF EXISTS it_rows", "CREATE DATABASE it_rows");
    }
    servers
        .primaryB()
        .execute(
            IntStream.range(0, TABLES)
                .mapToObj(i -> "CREATE TABLE it_rows.wide_" + i + " (" + columns + ")")
                .toArray(String[]::new));
    proxy =
        RunningProxy.startWith(
            """
            authority:
              users:
              - { user: little, password: secret, admin: true }
            props:
              proxy-admin-port: 0
              proxy-memory-heap-bytes: %d
            """
                .formatted(BUDGET),
            "databaseName: it_rows\ndataSources:\n"
                + RunningProxy.source("ds_0", servers.primaryA(), "it_rows")
                + RunningProxy.source("ds_1", servers.primaryB(), "it_rows")
                + "rules:\n- !SINGLE\n  tables: [ \"*.*\" ]\n");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String user) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(proxy.port(), "it_rows", user, "secret");
  }

  @Test
  void areOnTheAccountOfWhoAsks() throws SQLException {
    try (Connection little = connect("little")) {
      for (int i = 0; i < 3; i++) {
        assertThat(Transcript.of(little, "SELECT COUNT(*) FROM information_schema.columns").head())
            .contains("AB2009", "the rows of the catalogue");
        assertThat(Transcript.of(little, NAMES).rows()).hasSize(TABLES);
      }
    }
  }
}
