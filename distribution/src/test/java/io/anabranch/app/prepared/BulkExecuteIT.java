package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.PreparedProbe;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** COM_STMT_BULK_EXECUTE through a pass-through database and directly: same answers, same rows. */
@ExtendWith(MariaDbServers.Resolver.class)
class BulkExecuteIT {

  private static final String SCHEMA = "it_bulk";
  private static final int INT = 3;
  private static final int SENDS_TYPES = 128;

  // indicators
  private static final int VALUE = 0;
  private static final int NULL = 1;
  private static final int DEFAULT = 2;
  private static final int IGNORE = 3;

  private static final String ROWS =
      "SELECT CAST(GROUP_CONCAT(id, ':', IFNULL(n, 'null'), ':', d ORDER BY id) AS BINARY) FROM t";

  private static MariaDbServer plain;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    plain = servers.primaryA();
    MariaDbServer behind = servers.primaryB();
    plain.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    behind.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, behind));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  /** What a client does, and what it is told. */
  private interface Talk {
    List<String> with(CommandProbe client, PreparedProbe prepared) throws IOException;
  }

  private static List<String> told(
      int port, String user, String password, long capabilities, Talk talk) throws IOException {
    try (var client = new CommandProbe(port, user, password, SCHEMA, capabilities);
        var prepared = new PreparedProbe(client)) {
      prepared.query("DROP TABLE IF EXISTS t");
      prepared.query(
          "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, n INT UNIQUE, d INT DEFAULT 42)");
      return talk.with(client, prepared);
    }
  }

  private static List<String> sameAnswers(long capabilities, Talk talk) throws IOException {
    List<String> proxied =
        told(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, capabilities, talk);
    List<String> direct =
        told(plain.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, capabilities, talk);
    assertThat(proxied).isEqualTo(direct);
    return proxied;
  }

  private static List<String> sameAnswers(Talk talk) throws IOException {
    return sameAnswers(Capability.MARIADB_STMT_BULK_OPERATIONS, talk);
  }

  /**
   * @param cells indicator and value of each
   */
  private static byte[] bulk(int statement, int flags, int parameters, int[]... cells) {
    ByteBuf command = Unpooled.buffer().writeByte(0xFA).writeIntLE(statement).writeShortLE(flags);
    for (int i = 0; i < ((flags & SENDS_TYPES) == 0 ? 0 : parameters); i++) {
      command.writeShortLE(INT);
    }
    for (int[] cell : cells) {
      command.writeByte(cell[0]);
      if (cell[0] == VALUE) {
        command.writeIntLE(cell[1]);
      }
    }
    byte[] bytes = new byte[command.readableBytes()];
    command.readBytes(bytes);
    return bytes;
  }

  private static int[] value(int value) {
    return new int[] {VALUE, value};
  }

  private static int[] cell(int indicator) {
    return new int[] {indicator};
  }

  private static String answer(CommandProbe client, byte[] command) throws IOException {
    client.send(command);
    return new String(client.receive(), java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static String rows(PreparedProbe prepared) throws IOException {
    return prepared.execute(prepared.prepare(ROWS), false);
  }

  @Test
  void rowsAreOneStatement() throws IOException {
    List<String> told =
        sameAnswers(
            (client, prepared) -> {
              int insert = prepared.prepare("INSERT INTO t (n, d) VALUES (?, ?)");
              var seen = new ArrayList<String>();
              seen.add(
                  answer(
                      client,
                      bulk(
                          insert,
                          SENDS_TYPES,
                          2,
                          value(1),
                          value(11),
                          value(2),
                          cell(DEFAULT),
                          cell(NULL),
                          value(13))));
              seen.add(rows(prepared));
              // the second row fails, and none of them stays
              seen.add(answer(client, bulk(insert, 0, 2, value(5), value(1), value(2), value(1))));
              seen.add(rows(prepared));
              seen.add(prepared.execute(prepared.prepare("SELECT LAST_INSERT_ID()"), false));
              int update = prepared.prepare("UPDATE t SET d = ? WHERE n = ?");
              seen.add(
                  answer(
                      client,
                      bulk(
                          update,
                          SENDS_TYPES,
                          2,
                          value(7),
                          value(1),
                          cell(IGNORE),
                          value(2),
                          value(8),
                          value(99))));
              seen.add(rows(prepared));
              int delete = prepared.prepare("DELETE FROM t WHERE n = ?");
              seen.add(answer(client, bulk(delete, SENDS_TYPES, 1, value(1), value(2), value(3))));
              seen.add(rows(prepared));
              return seen;
            });
    assertThat(told.getFirst()).contains("Records: 3");
    assertThat(told.get(2)).contains("Duplicate entry '2'");
  }

  @Test
  void rowsOfATransactionGoWithIt() throws IOException {
    sameAnswers(
        (client, prepared) -> {
          int insert = prepared.prepare("INSERT INTO t (n) VALUES (?)");
          var seen = new ArrayList<String>();
          seen.add(prepared.query("BEGIN"));
          seen.add(answer(client, bulk(insert, SENDS_TYPES, 1, value(1), value(2))));
          seen.add(answer(client, bulk(insert, 0, 1, value(3), value(1))));
          seen.add(rows(prepared));
          seen.add(prepared.query("ROLLBACK"));
          seen.add(rows(prepared));
          return seen;
        });
  }

  /** What Connector/J makes of a batch with a query timeout. */
  @Test
  void settingsOfOneStatementGoWithABatch() throws IOException {
    sameAnswers(
        (client, prepared) -> {
          int insert =
              prepared.prepare(
                  "SET STATEMENT max_statement_time = 10 FOR INSERT INTO t (n) VALUES (?)");
          int update =
              prepared.prepare(
                  "SET STATEMENT max_statement_time = 10 FOR UPDATE t SET d = 1 WHERE n = ?");
          int select = prepared.prepare("SET STATEMENT max_statement_time = 10 FOR SELECT ?");
          var seen = new ArrayList<String>();
          seen.add(prepared.query("BEGIN"));
          seen.add(answer(client, bulk(insert, SENDS_TYPES, 1, value(1), value(2), value(3))));
          seen.add(answer(client, bulk(insert, 0, 1, value(4), value(1))));
          seen.add(answer(client, bulk(update, SENDS_TYPES, 1, value(1), value(3))));
          seen.add(answer(client, bulk(select, SENDS_TYPES, 1, value(1), value(3))));
          seen.add(rows(prepared));
          seen.add(prepared.query("ROLLBACK"));
          seen.add(rows(prepared));
          return seen;
        });
  }

  @Test
  void whatIsNoBatchIsRefusedAsByTheServer() throws IOException {
    sameAnswers(
        (client, prepared) -> {
          int insert = prepared.prepare("INSERT INTO t (n) VALUES (?)");
          int select = prepared.prepare("SELECT ? + 1");
          int set = prepared.prepare("SET @a = ?");
          int bare = prepared.prepare("INSERT INTO t (n) VALUES (1)");
          var seen = new ArrayList<String>();
          seen.add(answer(client, bulk(insert, 0, 1, value(1))));
          seen.add(answer(client, bulk(insert, SENDS_TYPES, 1)));
          seen.add(answer(client, bulk(insert, SENDS_TYPES, 1, cell(9))));
          seen.add(answer(client, bulk(insert, SENDS_TYPES | 1, 1, value(1))));
          seen.add(answer(client, bulk(select, SENDS_TYPES, 1, value(1), value(2))));
          seen.add(answer(client, bulk(set, SENDS_TYPES, 1, value(1), value(2))));
          seen.add(answer(client, bulk(bare, SENDS_TYPES, 0)));
          seen.add(
              answer(client, bulk(4711, SENDS_TYPES, 1, value(1))).replaceAll("\\(\\d+\\)", ""));
          seen.add(rows(prepared));
          return seen;
        });
    sameAnswers(
        0,
        (client, prepared) -> {
          int insert = prepared.prepare("INSERT INTO t (n) VALUES (?)");
          return List.of(answer(client, bulk(insert, SENDS_TYPES, 1, value(1))), rows(prepared));
        });
  }

  /** Insert ids of rows on several servers cannot be counted up from the first. */
  @Test
  void itIsNotOfferedOverShards(MariaDbServers servers) throws IOException {
    try (ShardedFixture sharded = ShardedFixture.start(servers, SCHEMA + "_shards");
        var client =
            new CommandProbe(
                sharded.proxy.port(),
                RunningProxy.USER,
                RunningProxy.PASSWORD,
                sharded.schema(),
                Capability.MARIADB_STMT_BULK_OPERATIONS);
        var prepared = new PreparedProbe(client)) {
      assertThat(client.capabilities() & Capability.MARIADB_STMT_BULK_OPERATIONS).isZero();
      prepared.query("CREATE TABLE t_order (order_id INT, user_id INT)");
      int insert = prepared.prepare("INSERT INTO t_order VALUES (1, ?)");
      assertThat(answer(client, bulk(insert, SENDS_TYPES, 1, value(1))))
          .contains("not supported in the prepared statement protocol");
    }
  }
}
