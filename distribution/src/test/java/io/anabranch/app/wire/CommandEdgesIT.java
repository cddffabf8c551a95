package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.PreparedProbe;
import io.anabranch.app.fixture.client.ProbePair;
import io.anabranch.app.fixture.client.ProbePair.Talk;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands at the edge of what clients send are answered as the server answers them. */
@ExtendWith(MariaDbServers.Resolver.class)
class CommandEdgesIT {

  private static final String SCHEMA = "it_command_edges";
  private static final byte PING = 0x0e;

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE PROCEDURE "
            + SCHEMA
            + ".two(OUT x VARCHAR(9)) BEGIN SET x = 'out'; SELECT 1 UNION SELECT 2; SELECT 3; END",
        "CREATE TABLE "
            + SCHEMA
            + ".defaults (id INT PRIMARY KEY AUTO_INCREMENT, n INT DEFAULT 7, d DECIMAL(5,2)"
            + " NOT NULL DEFAULT 1.50, t TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,"
            + " s VARCHAR(9) DEFAULT 'ü', `a``b` TEXT, g POINT, e ENUM('x','y') DEFAULT 'y')");
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static void sameAnswers(Talk<String> talk) throws IOException {
    sameAnswers(Capability.PS_MULTI_RESULTS, talk);
  }

  private static void sameAnswers(long more, Talk<String> talk) throws IOException {
    new ProbePair(proxy.port(), server.port(), SCHEMA).same(more, talk);
  }

  private static byte[] query(String sql) {
    return ("\u0003" + sql).getBytes(StandardCharsets.UTF_8);
  }

  private static String error(byte[] answer) {
    return answer[0] == (byte) 0xFF
        ? new String(answer, StandardCharsets.ISO_8859_1)
        : "packet " + answer[0];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1;; SELECT 2",
        "KILL 4000000000",
        "KILL QUERY 4000000000",
        "KILL HARD QUERY ID 4000000000",
        "KILL QUERY USER nobody_there",
        "KILL USER nobody_there@localhost",
        "KILL QUERY CONNECTION_ID()",
        "KILL QUERY @nobody_there",
        "KILL",
      })
  void statementsOfASession(String sql) throws IOException {
    sameAnswers(
        client -> {
          client.send(query(sql));
          return error(client.receive()) + ", " + client.answer(PING);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1; SELEC 2; SELECT 3",
        "SELEC 1; SELECT 2",
        "SELECT 1;\n\n SELEC 2;\n SELECT 3",
        "SET @a = 1; SET @b = ; SELECT 1",
        "SELECT '1;2'; SELECT 2 FROM defaults WHERE; SELECT 3",
        "SELECT 1; ; SELECT 2",
        "SELECT 1;\n-- c\n; SELECT 2",
        "/* a */; SELECT 1",
        "; SELECT 1",
        "SELECT 1; -- c",
        "SELECT 1; /* c */",
        "SELECT 1; SELECT 2; # end",
        "SELECT 1; /* c */;",
        "BEGIN; SELECT 1; ROLLBACK; -- x",
        "SELECT 1;; ",
        "-- c",
        "SELECT DATABASE(), @@autocommit; SHOW WARNINGS; SHOW ERRORS",
        "HELP 'no such topic'",
      })
  void severalStatements(String sql) throws IOException {
    sameAnswers(
        client -> {
          client.send(query(sql));
          return answers(client) + client.answer(PING);
        });
  }

  private static byte[] bytes(ByteBuf from) {
    byte[] bytes = new byte[from.readableBytes()];
    from.readBytes(bytes);
    return bytes;
  }

  /** All packets of an answer, up to the last of its results. */
  private static String answers(CommandProbe client) throws IOException {
    var packets = new StringBuilder();
    boolean more = true;
    while (more) {
      byte[] head = client.receive();
      byte[] last = head;
      packets.append(HexFormat.of().formatHex(head)).append('\n');
      int ends = head[0] == 0 || head[0] == (byte) 0xFF ? 0 : 2;
      while (ends > 0) {
        last = client.receive();
        boolean isEnd = last[0] == (byte) 0xFE && last.length == 5;
        packets.append(isEnd ? "end" : new String(last, StandardCharsets.ISO_8859_1)).append('\n');
        ends -= isEnd ? 1 : 0;
      }
      more = last[0] != (byte) 0xFF && (last[3] & 0x08) != 0;
    }
    return packets.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW WARNINGS",
        "SHOW PROCESSLIST",
        "SELECT USER(), CURRENT_USER",
        "SELECT id + ?, ? FROM defaults",
        "SET STATEMENT max_statement_time = 9 FOR SELECT id, n FROM defaults WHERE id = ?"
      })
  void whatIsPreparedIsDescribed(String sql) throws IOException {
    sameAnswers(
        client -> {
          client.send(("\u0016" + sql).getBytes(StandardCharsets.UTF_8));
          byte[] head = client.receive();
          var packets = new StringBuilder(HexFormat.of().formatHex(head, 5, head.length));
          int ends = (head[5] > 0 ? 1 : 0) + (head[7] > 0 ? 1 : 0);
          while (ends > 0) {
            byte[] packet = client.receive();
            packets.append('\n').append(HexFormat.of().formatHex(packet));
            ends -= packet[0] == (byte) 0xFE ? 1 : 0;
          }
          return packets.toString();
        });
  }

  @ParameterizedTest
  @ValueSource(bytes = {1, 3, 5, 8, 12, 15, (byte) 246, (byte) 252, (byte) 253, (byte) 254})
  void longDataIsForStrings(byte type) throws IOException {
    sameAnswers(
        client -> {
          try (var prepared = new PreparedProbe(client)) {
            int id = prepared.prepare("SELECT ?");
            ByteBuf ahead = Unpooled.buffer().writeByte(0x18).writeIntLE(id);
            client.send(bytes(ahead.writeShortLE(0).writeBytes(new byte[] {'1', '2'})));
            ByteBuf execute = Unpooled.buffer().writeByte(0x17).writeIntLE(id).writeByte(0);
            client.send(
                bytes(execute.writeIntLE(1).writeShortLE(0x0100).writeShortLE(type & 0xFF)));
            return prepared.answer() + client.answer(PING);
          }
        });
  }

  @Test
  void grantsAreThoseOfTheProxysUsers() throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA);
        Statement statement = connection.createStatement()) {
      for (String own : new String[] {"", " FOR CURRENT_USER", " FOR 'app'@'%'", " FOR `app`"}) {
        try (ResultSet rows = statement.executeQuery("SHOW GRANTS" + own)) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString("Grants for app@%")).contains("TO `app`@`%`");
        }
      }
      assertThatThrownBy(() -> statement.executeQuery("SHOW GRANTS FOR nobody@localhost"))
          .hasMessageContaining("no such grant defined for user 'nobody' on host 'localhost'");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL CONNECTION_ID()", "KILL CONNECTION CONNECTION_ID()"})
  void whoEndsItselfIsToldAndLeft(String sql) throws IOException {
    sameAnswers(
        client -> {
          client.send(query(sql));
          return error(client.receive()) + ", " + client.rest().length;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"defaults\0", "defaults\0%n%", "defaults\0nothing", "missing\0", "\0"})
  void fieldsAreListedWithTheirDefaults(String arguments) throws IOException {
    for (long more : new long[] {0, Capability.DEPRECATE_EOF}) {
      sameAnswers(
          more,
          client -> {
            client.send(("\u0004" + arguments).getBytes(StandardCharsets.UTF_8));
            var packets = new ArrayList<String>();
            byte[] packet = client.receive();
            while (packet[0] != (byte) 0xFE && packet[0] != (byte) 0xFF) {
              packets.add(HexFormat.of().formatHex(packet));
              packet = client.receive();
            }
            packets.add(error(packet));
            return packets + ", " + client.answer(PING);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(bytes = {0x00, 0x04, 0x10, 0x40})
  void refreshes(byte what) throws IOException {
    sameAnswers(client -> client.answer((byte) 0x07, what) + ", " + client.answer(PING));
  }

  @Test
  void parametersThatAreNoneEndNothing() throws IOException {
    sameAnswers(
        client -> {
          int statement = new PreparedProbe(client).prepare("SELECT ?, ?");
          ByteBuf execute = Unpooled.buffer().writeByte(0x17).writeIntLE(statement);
          execute.writeByte(0).writeIntLE(1).writeByte(0).writeByte(1);
          execute.writeShortLE(0xfe).writeShortLE(0xfe).writeByte(0xfd).writeMediumLE(0x6f6f66);
          byte[] command = new byte[execute.readableBytes()];
          execute.readBytes(command);
          client.send(command);
          return error(client.receive()) + ", " + client.answer(PING);
        });
  }

  /** A client that is asked for a proof, and gives none, holds no locks meanwhile. */
  @Test
  void whoBecomesAnotherHasNothingOpen() throws IOException {
    String row = SCHEMA + ".defaults SET n = 9 WHERE id = 77";
    server.execute("REPLACE INTO " + SCHEMA + ".defaults (id) VALUES (77)");
    sameAnswers(
        client -> {
          client.ok("BEGIN");
          client.ok("UPDATE defaults SET n = 8 WHERE id = 77");
          ByteBuf change = Unpooled.buffer().writeByte(0x11);
          change.writeBytes("nobody_there\0".getBytes(StandardCharsets.UTF_8));
          change.writeByte(0).writeByte(0).writeShortLE(45);
          change.writeBytes("client_of_nobody\0".getBytes(StandardCharsets.UTF_8));
          byte[] command = new byte[change.readableBytes()];
          change.readBytes(command);
          client.send(command);
          byte[] asked = client.receive();
          server.execute("SET STATEMENT innodb_lock_wait_timeout = 10 FOR UPDATE " + row);
          return error(asked);
        });
  }

  @Test
  void clientsThatFailToBecomeAnotherStayWhoTheyAre() throws IOException {
    sameAnswers(
        client -> {
          client.ok("SET @mine = 1");
          ByteBuf change = Unpooled.buffer().writeByte(0x11);
          change.writeBytes("nobody_there\0".getBytes(StandardCharsets.UTF_8));
          change.writeByte(0).writeByte(0).writeShortLE(45);
          change.writeBytes("mysql_native_password\0".getBytes(StandardCharsets.UTF_8));
          byte[] command = new byte[change.readableBytes()];
          change.readBytes(command);
          client.send(command);
          byte[] answer = client.receive();
          if (answer[0] == (byte) 0xFE) {
            client.sendBehind(answer, new byte[0]);
            answer = client.receive();
          }
          String told = error(answer).substring(0, 9) + ", " + client.answer(PING);
          client.send(query("SELECT @mine IS NULL, DATABASE()"));
          var cells = new ArrayList<String>();
          for (int packet = 0; packet < 6; packet++) {
            cells.add(error(client.receive()));
          }
          return told + cells;
        });
  }

  /** What libraries look for that fetch the OUT parameters of a procedure. */
  @Test
  void theEndOfColumnsTellsParametersFromResults() throws IOException {
    sameAnswers(CommandEdgesIT::called);
  }

  @Test
  void parametersAreKeptFromClientsThatDoNotKnowThem() throws IOException {
    sameAnswers(0, CommandEdgesIT::called);
  }

  @Test
  void resultsOfProceduresSayThatMoreFollow() throws IOException {
    sameAnswers(
        client -> {
          client.send(query("CALL two(@x)"));
          return results(client) + ", " + client.answer(PING);
        });
  }

  private static String called(CommandProbe client) throws IOException {
    int statement = new PreparedProbe(client).prepare("CALL two(?)");
    ByteBuf execute = Unpooled.buffer().writeByte(0x17).writeIntLE(statement);
    execute.writeByte(0).writeIntLE(1).writeByte(1).writeByte(1).writeShortLE(6);
    byte[] command = new byte[execute.readableBytes()];
    execute.readBytes(command);
    client.send(command);
    return results(client) + ", " + client.answer(PING);
  }

  /** What ends columns and rows of each result, up to OK. */
  private static List<String> results(CommandProbe client) throws IOException {
    var ends = new ArrayList<String>();
    byte[] packet = client.receive();
    while (packet[0] != 0) {
      int columns = packet[0];
      for (int i = 0; i < columns; i++) {
        client.receive();
      }
      for (int end = 0; end < 2; ) {
        packet = client.receive();
        boolean isEof = packet[0] == (byte) 0xFE && packet.length < 9;
        end += isEof ? 1 : 0;
        ends.add(isEof ? "end " + flags(packet) : "row");
      }
      packet = client.receive();
    }
    return ends;
  }

  private static int flags(byte[] eof) {
    int status = (eof[3] & 0xFF) | (eof[4] & 0xFF) << 8;
    return status
        & (ServerStatus.MORE_RESULTS_EXISTS | ServerStatus.PS_OUT_PARAMS | ServerStatus.AUTOCOMMIT);
  }

  @Test
  void chainsTellThatATransactionIsOpen() throws IOException {
    sameAnswers(
        client -> {
          var flags = new ArrayList<Integer>();
          for (String sql :
              List.of(
                  "COMMIT AND CHAIN",
                  "ROLLBACK",
                  "SET autocommit = 0",
                  "COMMIT AND CHAIN",
                  "COMMIT",
                  "ROLLBACK AND CHAIN",
                  "SET autocommit = 1")) {
            int status = client.ok(sql).status();
            flags.add(status & (ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS));
          }
          return flags.toString();
        });
  }

  @Test
  void statisticsAreOfTheProxy() throws IOException {
    try (var client =
            new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
        var another =
            new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
      assertThat(another.answer(PING)).isEqualTo("OK");
      client.ok("DO 1");
      client.send(new byte[] {0x09});
      assertThat(new String(client.receive(), StandardCharsets.UTF_8))
          .matches(
              "Uptime: \\d+  Threads: ([2-9]|[1-9]\\d+)  Questions: [1-9]\\d*  Slow queries: 0  Opens: 0"
                  + "  Open tables: 0  Queries per second avg: \\d+\\.\\d{3}");
    }
  }

  @Test
  void preparingKillsNobody() throws IOException {
    try (var victim =
            new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
        var client =
            new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
      assertThat(new PreparedProbe(client).prepare("KILL " + victim.connectionId())).isPositive();
      assertThat(client.answer(PING)).isEqualTo("OK");
      assertThat(victim.answer(PING)).isEqualTo("OK");
    }
  }
}
