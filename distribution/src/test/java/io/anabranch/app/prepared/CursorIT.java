package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.PreparedProbe;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows that are fetched in portions come as from the database itself: on the relay lane from the
 * database's own cursor, on the merge lane from what the proxy keeps.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class CursorIT {

  private static final String SCHEMA = "it_cursor";
  private static final int MANY = 30_000;

  enum Way {
    RELAYED,
    READ,
    MERGED
  }

  private static MariaDbServer plain;
  private static ShardedFixture sharded;
  private static RunningProxy relay;
  private static RunningProxy reader;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    plain = servers.primaryA();
    sharded = ShardedFixture.start(servers, SCHEMA);
    String source = RunningProxy.source("ds_0", plain, SCHEMA + "_plain");
    String database = "databaseName: " + SCHEMA + "\ndataSources:\n" + source + "rules: []\n";
    relay = RunningProxy.start(List.of(), database);
    reader = RunningProxy.start(List.of("proxy-relay-enabled: false"), database);
    for (Connection each : List.of(sharded.throughProxy(), sharded.onPlain())) {
      try (each;
          Statement statement = each.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS t_order");
        statement.execute(
            "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT, name VARCHAR(100), at DATETIME(6))");
        for (int from = 1; from <= MANY; from += 3000) {
          statement.execute(insert(from, from + 3000));
        }
      }
    }
  }

  private static String insert(int from, int to) {
    var sql = new StringBuilder("INSERT INTO t_order VALUES ");
    for (int i = from; i < to; i++) {
      sql.append(i == from ? "" : ",");
      sql.append(
          "(%d,%d,'%s','2024-01-01 10:11:12.000%03d')"
              .formatted(i, i, "n".repeat(i % 99), i % 1000));
    }
    return sql.toString();
  }

  @AfterAll
  static void stop() {
    sharded.close();
    relay.close();
    reader.close();
  }

  private static int port(Way way) {
    return switch (way) {
      case RELAYED -> relay.port();
      case READ -> reader.port();
      case MERGED -> sharded.proxy.port();
    };
  }

  private static List<PreparedProbe> both(Way way) throws IOException {
    return List.of(
        new PreparedProbe(
            new CommandProbe(port(way), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)),
        new PreparedProbe(
            new CommandProbe(
                plain.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, SCHEMA + "_plain")));
  }

  private interface Conversation {
    List<String> with(PreparedProbe probe) throws IOException;
  }

  private static void same(Way way, Conversation conversation) throws IOException {
    var answers = new ArrayList<List<String>>();
    for (PreparedProbe probe : both(way)) {
      try (probe) {
        answers.add(conversation.with(probe));
      }
    }
    assertThat(answers.getFirst()).isEqualTo(answers.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void rowsComeInPortions(Way way) throws IOException {
    same(
        way,
        probe -> {
          int id = probe.prepare("SELECT * FROM t_order WHERE order_id <= 7 ORDER BY order_id");
          return List.of(
              probe.execute(id, true),
              probe.fetch(id, 3),
              probe.query("DO 1"),
              probe.fetch(id, 3),
              probe.fetch(id, 3),
              probe.fetch(id, 3),
              probe.execute(id, true),
              probe.fetch(id, 7),
              probe.fetch(id, 1),
              probe.execute(id, false));
        });
  }

  @ParameterizedTest
  @EnumSource
  void cursorsAreClosed(Way way) throws IOException {
    same(
        way,
        probe -> {
          int id = probe.prepare("SELECT name FROM t_order WHERE order_id <= 5 ORDER BY order_id");
          var seen = new ArrayList<String>();
          seen.add(probe.fetch(id, 1));
          seen.add(probe.execute(id, true));
          seen.add(probe.reset(id));
          seen.add(probe.fetch(id, 1));
          seen.add(probe.execute(id, true));
          seen.add(probe.execute(id, true));
          seen.add(probe.fetch(id, 2));
          probe.close(id);
          seen.add(probe.fetch(id, 1).replaceAll("handler \\(.*\\)", "handler"));
          int empty = probe.prepare("SELECT name FROM t_order WHERE order_id < 0 ORDER BY name");
          seen.add(probe.execute(empty, true));
          seen.add(probe.fetch(empty, 1));
          return seen;
        });
  }

  @ParameterizedTest
  @EnumSource
  void severalAreOpenInATransaction(Way way) throws IOException {
    same(
        way,
        probe -> {
          int up =
              probe.prepare("SELECT order_id FROM t_order WHERE order_id < 9 ORDER BY order_id");
          int down =
              probe.prepare(
                  "SELECT order_id FROM t_order WHERE order_id < 9 ORDER BY order_id DESC");
          int again =
              probe.prepare("SELECT order_id FROM t_order WHERE order_id < 9 ORDER BY order_id");
          return List.of(
              probe.query("BEGIN"),
              probe.execute(up, true),
              probe.execute(down, true),
              probe.fetch(up, 2),
              probe.query("UPDATE t_order SET name = 'x' WHERE order_id = 3"),
              probe.execute(again, true),
              probe.fetch(down, 2),
              probe.fetch(again, 1),
              probe.query("ROLLBACK"),
              probe.fetch(up, 3),
              probe.fetch(down, 30),
              probe.fetch(again, 30),
              probe.query("BEGIN"),
              probe.query("COMMIT"),
              probe.fetch(up, 30));
        });
  }

  /** A driver that asks for cursors reads many rows, and writes while it reads. */
  @ParameterizedTest
  @EnumSource
  void driversReadThroughCursors(Way way) throws SQLException {
    try (Connection connection =
            Driver.MYSQL.connect(
                port(way),
                SCHEMA,
                RunningProxy.USER,
                RunningProxy.PASSWORD,
                "useCursorFetch=true",
                "defaultFetchSize=500");
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT order_id, name, at FROM t_order ORDER BY order_id");
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE t_order SET user_id = ? WHERE order_id = ? AND user_id = ?")) {
      long expected = 0;
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          expected++;
          assertThat(rows.getLong(1)).isEqualTo(expected);
          assertThat(rows.getString(2)).hasSize((int) (expected % 99));
          if (expected % 6000 == 0) {
            update.setLong(1, expected);
            update.setLong(2, expected);
            update.setLong(3, expected);
            assertThat(update.executeUpdate()).isEqualTo(1);
          }
        }
      }
      assertThat(expected).isEqualTo(MANY);
    }
  }

  /** A cursor that is left open costs no connection once its statement is closed. */
  @ParameterizedTest
  @EnumSource
  void leftCursorsGiveTheirConnectionsBack(Way way) throws IOException {
    var probes = new ArrayList<PreparedProbe>();
    try {
      for (int i = 0; i < 15; i++) {
        PreparedProbe probe = both(way).getFirst();
        probes.add(probe);
        int id = probe.prepare("SELECT order_id FROM t_order ORDER BY order_id");
        assertThat(probe.execute(id, true)).startsWith("1 columns, EOF");
        assertThat(probe.fetch(id, 1)).startsWith("00");
        probe.close(id);
        int read =
            probe.prepare("SELECT order_id FROM t_order WHERE order_id < 3 ORDER BY order_id");
        assertThat(probe.execute(read, true)).startsWith("1 columns, EOF");
        assertThat(probe.fetch(read, 10)).endsWith("EOF 130");
      }
    } finally {
      for (PreparedProbe probe : probes) {
        probe.close();
      }
    }
  }
}
