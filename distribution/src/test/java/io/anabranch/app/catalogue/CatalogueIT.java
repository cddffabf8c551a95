package io.anabranch.app.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the catalogue and the statements about tables tell of sharded ones. */
@ExtendWith(MariaDbServers.Resolver.class)
class CatalogueIT {

  private static final String SCHEMA = "it_catalogue";

  private static final String OF_NODES =
      " FROM information_schema.%s WHERE table_schema = DATABASE() AND table_name LIKE 't\\\\_order\\\\_%%'";

  private static WritesFixture fixture;
  private static List<MariaDbServer> servers;

  @BeforeAll
  static void start(MariaDbServers all) throws SQLException {
    servers = List.of(all.primaryA(), all.primaryB());
    fixture = WritesFixture.start(all, SCHEMA);
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql : fixture.rows()) {
        Transcript.of(plain, sql);
        Transcript.of(proxied, sql);
      }
      Transcript.of(proxied, "ANALYZE TABLE t_order, t_item, t_log");
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CHECK TABLE t_order",
        "CHECK TABLE t_order, t_conf",
        "ANALYZE TABLE t_item",
        "OPTIMIZE TABLE t_item",
        "REPAIR TABLE t_item",
        "CHECK TABLE nosuch",
        "SELECT column_name, column_type, is_nullable FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 't_order' ORDER BY ordinal_position",
        "SELECT table_name, COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN ('t_order', 't_log', 't_dict', 't_conf', 't_far') GROUP BY table_name ORDER BY table_name",
        "SELECT column_name, seq_in_index, non_unique FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 't_order' ORDER BY seq_in_index",
        "SELECT column_name FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND table_name = 't_far'",
        "SELECT table_name, partition_name FROM information_schema.partitions WHERE table_schema = DATABASE() AND table_name LIKE 't\\_o%'",
        "SELECT table_name, engine FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name IN ('t_order', 't_dict', 't_far') ORDER BY table_name",
        "SELECT t.table_name, COUNT(*) FROM information_schema.tables t JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name WHERE t.table_schema = DATABASE() AND t.table_name IN ('t_far', 't_item') GROUP BY t.table_name ORDER BY 1",
      })
  void tellsTheSameAsOneDatabase(String sql) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      Transcript expected = Transcript.of(plain, sql);
      assertThat(expected.rows()).as(expected.head()).isNotEmpty();
      assertThat(Transcript.of(proxied, sql).rows())
          .isEqualTo(
              expected.rows().stream().map(row -> row.replace(SCHEMA + "_plain", SCHEMA)).toList());
    }
  }

  /** Servers estimate anew in the background: both have to be asked between two estimates. */
  @Test
  void countsAreThoseOfAllNodes() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection a = onNodes(servers.getFirst());
        Connection b = onNodes(servers.getLast())) {
      Eventually.holds(
          "row counts are sums",
          () -> {
            String sum = "SELECT SUM(table_rows)" + OF_NODES.formatted("tables");
            String rows =
                "SELECT table_rows FROM information_schema.tables WHERE table_schema = DATABASE()"
                    + " AND table_name = 't_order' AND table_rows > 0";
            return number(proxied, rows) == number(a, sum) + number(b, sum);
          });
      Eventually.holds(
          "cardinalities of the primary key are sums",
          () -> {
            String sum =
                "SELECT SUM(IF(seq_in_index = 2, cardinality, 0))"
                    + OF_NODES.formatted("statistics");
            String keys =
                "SELECT cardinality FROM information_schema.statistics WHERE table_schema ="
                    + " DATABASE() AND table_name = 't_order' AND seq_in_index = 2";
            return number(proxied, keys) == number(a, sum) + number(b, sum);
          });
    }
  }

  private static Connection onNodes(MariaDbServer server) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        server.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD);
  }

  private static long number(Connection connection, String sql) {
    String cell = Transcript.of(connection, sql).rows().getFirst();
    return Long.parseLong(cell.replaceAll("[^0-9]", ""));
  }

  @Test
  void showsNoActualNames() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      for (String sql :
          List.of(
              "SHOW INDEX FROM t_order",
              "SHOW INDEX FROM t_order WHERE Key_name = 'PRIMARY'",
              "SHOW KEYS FROM t_order FROM " + SCHEMA + " WHERE Seq_in_index = 1",
              "SELECT * FROM information_schema.statistics WHERE table_schema = DATABASE()",
              "SELECT * FROM information_schema.tables WHERE table_schema = DATABASE()")) {
        Transcript answer = Transcript.of(proxied, sql);
        assertThat(answer.rows()).as(sql).isNotEmpty();
        assertThat(answer.rows().toString()).doesNotContain("t_order_");
      }
    }
  }
}
