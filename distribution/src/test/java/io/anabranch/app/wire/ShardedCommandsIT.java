package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands and session statements in a sharded database, beside the same tables on one server. */
@ExtendWith(MariaDbServers.Resolver.class)
class ShardedCommandsIT {

  private static final String SCHEMA = "it_commands";

  private static MariaDbServer server;
  private static ShardedFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    server = servers.primaryA();
    fixture = ShardedFixture.start(servers, SCHEMA);
    for (Connection connection : List.of(fixture.throughProxy(), fixture.onPlain())) {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT NOT NULL DEFAULT 7,"
                + " note VARCHAR(20) DEFAULT 'none', paid DECIMAL(8,2) DEFAULT 0.50)");
        statement.execute("CREATE TABLE t_country (code CHAR(2) DEFAULT 'at')");
        statement.execute("CREATE TABLE t_single (id INT DEFAULT 3)");
      }
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static CommandProbe throughProxy(long more) throws IOException {
    return new CommandProbe(
        fixture.proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA, more);
  }

  private static CommandProbe onPlain(long more) throws IOException {
    return new CommandProbe(
        server.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, SCHEMA + "_plain", more);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t_order", "t_country", "t_single", "t_missing"})
  void fieldsAreListedWithTheirDefaults(String table) throws IOException {
    for (long more : new long[] {0, Capability.DEPRECATE_EOF}) {
      try (CommandProbe proxied = throughProxy(more);
          CommandProbe direct = onPlain(more)) {
        assertThat(fields(proxied, table)).isEqualTo(fields(direct, table));
      }
    }
  }

  /** The plain database has another name of another length; its lengths are dots. */
  private static List<String> fields(CommandProbe client, String table) throws IOException {
    client.send(("\u0004" + table + "\0%").getBytes(StandardCharsets.UTF_8));
    var packets = new ArrayList<String>();
    byte[] packet = client.receive();
    while (packet[0] != (byte) 0xFE && packet[0] != (byte) 0xFF) {
      packets.add(text(packet));
      packet = client.receive();
    }
    packets.add(text(packet));
    return packets;
  }

  private static String text(byte[] packet) {
    return new String(packet, StandardCharsets.ISO_8859_1)
        .replace("." + SCHEMA + "_plain.", "." + SCHEMA + ".")
        .replace((char) (SCHEMA.length() + 6) + SCHEMA + "_plain", (char) SCHEMA.length() + SCHEMA)
        .replace(SCHEMA + "_plain", SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET",
        "SET TRANSACTION ISOLATION LEVEL NOSUCH",
        "SET TRANSACTION READ ONLY READ WRITE",
        "SET a",
        "SET sql_mode =",
        "SET NAMES",
        "KILL",
        "USE",
        "SHOW CREATE TABLE IF NOT EXISTS t_order",
        "SHOW CREATE VIEW IF EXISTS t_order",
        "SHOW TABLES IF EXISTS",
        "SHOW TABLE STATUS nonsense",
        "SHOW INDEX t_order",
        "SHOW FULL COLUMNS t_order"
      })
  void formsThatAreNoneAreSyntaxErrors(String sql) throws IOException {
    try (CommandProbe proxied = throughProxy(0);
        CommandProbe direct = onPlain(0)) {
      assertThat(error(proxied, sql)).isEqualTo(error(direct, sql)).contains("error in your SQL");
    }
  }

  private static String error(CommandProbe client, String sql) throws IOException {
    client.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    return new String(client.receive(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aWarningOfOneStatementIsCountedOnce() throws SQLException {
    String sql = "SELECT COUNT(*) AS user_id FROM t_order GROUP BY user_id";
    List<String> queries = List.of(sql, "SHOW COUNT(*) WARNINGS", "SHOW WARNINGS");
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String query : queries) {
        assertThat(Transcript.of(proxied, query)).as(query).isEqualTo(Transcript.of(direct, query));
      }
    }
  }
}
