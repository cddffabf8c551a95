package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.ProbePair;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers tell of warnings and of further results, packet by packet. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class CommandAnswersIT {

  private static final String SCHEMA = "it_command_answers";
  private static final byte PING = 0x0e;
  private static final int OK_LENGTH = 7;
  private static final byte EOF = (byte) 0xFE;
  private static final byte STMT_RESET = 0x1a;

  /** COM_PING, COM_INIT_DB, COM_SET_OPTION, COM_STMT_RESET of a statement, COM_RESET_CONNECTION. */
  private static final List<byte[]> COMMANDS =
      List.of(
          new byte[] {PING},
          ("\u0002" + SCHEMA).getBytes(StandardCharsets.UTF_8),
          new byte[] {0x1b, 0, 0},
          new byte[] {STMT_RESET},
          new byte[] {0x1f});

  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".t (id INT)",
        "CREATE PROCEDURE "
            + SCHEMA
            + ".cursors() BEGIN DECLARE own CURSOR FOR SELECT 1; OPEN own; CLOSE own; SELECT 2; SELECT"
            + " 3; END");
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DO 1",
        "SELEC",
        "SELECT * FROM missing",
        "SELECT CAST('a' AS SIGNED), CAST('b' AS SIGNED)",
        "CREATE TABLE IF NOT EXISTS t (id INT)",
        "SHOW WARNINGS"
      })
  void warningsAreToldAgain(String sql) throws IOException {
    for (byte[] command : COMMANDS) {
      new ProbePair(proxy.port(), server.port(), SCHEMA)
          .same(
              0,
              client -> {
                var told = new ArrayList<String>();
                client.send("\u0016DO 1".getBytes(StandardCharsets.UTF_8));
                byte[] statement = Arrays.copyOfRange(client.receive(), 1, 5);
                results(client, sql, told);
                told.add(answer(client, command[0] == STMT_RESET ? reset(statement) : command));
                told.add(answer(client, PING));
                results(client, "SHOW WARNINGS", told);
                return told;
              });
    }
  }

  /** MySQL says of their rows that a cursor exists, whoever has opened it. */
  @ParameterizedTest
  @ValueSource(bytes = {0, 1})
  void rowsOfProceduresWithCursorsFollow(byte cursor) throws IOException {
    new ProbePair(proxy.port(), server.port(), SCHEMA)
        .same(
            0,
            client -> {
              client.send("\u0016CALL cursors()".getBytes(StandardCharsets.UTF_8));
              byte[] head = client.receive();
              byte[] execute = Arrays.copyOf(new byte[] {0x17}, 10);
              System.arraycopy(head, 1, execute, 1, 4);
              execute[5] = cursor;
              execute[6] = 1;
              client.send(execute);
              var told = new ArrayList<String>();
              byte[] packet;
              do {
                packet = client.receive();
                // what is told between columns and rows is not known yet where it is told once
                told.add(packet[0] == EOF ? "end" : HexFormat.of().formatHex(packet));
              } while (packet[0] != 0 || packet.length != OK_LENGTH);
              told.add(answer(client, PING));
              return told;
            });
  }

  /** MySQL closes the connection, MariaDB does not. */
  @ParameterizedTest
  @CsvSource({"nobody, x", "app, wrong"})
  void whoCannotBecomeAnotherIsTold(String user, String password) throws IOException {
    new ProbePair(proxy.port(), server.port(), SCHEMA)
        .same(0, client -> List.of(client.changeUser(user, password, SCHEMA), client.answer(PING)));
  }

  /** CLIENT_IGNORE_SPACE is a part of {@code sql_mode} for each login on the connection. */
  @Test
  void whoBecomesAnotherIsReadAsTheHandshakeSaid() throws IOException {
    try (var client =
        new CommandProbe(
            proxy.port(),
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            SCHEMA,
            Capability.IGNORE_SPACE)) {
      byte[] counting = "\u0003DO (SELECT COUNT (*))".getBytes(StandardCharsets.UTF_8);
      assertThat(client.answer(counting)).isEqualTo("OK");
      assertThat(client.changeUser(RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA))
          .isEqualTo("OK");
      assertThat(client.answer(counting)).isEqualTo("OK");
    }
  }

  @Test
  void driversAreGreetedWithTheServersCollation() throws IOException {
    new ProbePair(proxy.port(), server.port(), SCHEMA)
        .same(0, client -> List.of(Integer.toString(client.collation())));
  }

  private static byte[] reset(byte[] statement) {
    byte[] command = new byte[1 + statement.length];
    command[0] = STMT_RESET;
    System.arraycopy(statement, 0, command, 1, statement.length);
    return command;
  }

  private static String answer(CommandProbe client, byte... command) throws IOException {
    client.send(command);
    byte[] packet = client.receive();
    return packet[0] == (byte) 0xFF ? error(packet) : HexFormat.of().formatHex(packet);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1; -- c",
        "SELECT 1; /* c */",
        "SELECT 1; SELECT 2; # end",
        "SELECT 1; /* c */;",
        "SELECT 1; ",
        "SELECT 1;; ",
        "DO 1; /* x */ # y",
        "BEGIN; SELECT 1; ROLLBACK; -- x",
        "SELECT CAST('a' AS SIGNED); -- c",
        "SELECT 1; SELECT * FROM missing; -- c",
        "-- c",
        "/* c */;"
      })
  void commentsBehindAStatementAreOne(String sql) throws IOException {
    for (long capabilities : new long[] {0, Capability.MULTI_STATEMENTS}) {
      new ProbePair(proxy.port(), server.port(), SCHEMA)
          .same(
              capabilities,
              client -> {
                var told = new ArrayList<String>();
                results(client, sql, told);
                told.add(answer(client, PING));
                results(client, "SHOW WARNINGS", told);
                return told;
              });
    }
  }

  /** Each result's rows, warnings and status, up to the last one. */
  private static void results(CommandProbe client, String sql, List<String> told)
      throws IOException {
    client.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    boolean isMore = true;
    while (isMore) {
      byte[] packet = client.receive();
      int ends = packet[0] == 0 || packet[0] == (byte) 0xFF ? 0 : 2;
      while (ends > 0) {
        packet = client.receive();
        boolean isEnd = packet[0] == (byte) 0xFE && packet.length == 5;
        ends = packet[0] == (byte) 0xFF ? 0 : isEnd ? ends - 1 : ends;
        if (!isEnd && ends == 1) {
          told.add(new String(packet, StandardCharsets.ISO_8859_1));
        }
      }
      boolean isError = packet[0] == (byte) 0xFF;
      // no index was used: servers differ in what they tell of it
      int status = isError ? 0 : packet[3] & ~0x30;
      int warnings = isError ? 0 : packet[packet[0] == 0 ? 5 : 1];
      told.add((isError ? error(packet) : "status " + status) + ", " + warnings);
      isMore = !isError && (status & 0x08) != 0;
    }
  }

  private static String error(byte[] packet) {
    return new String(packet, 3, packet.length - 3, StandardCharsets.UTF_8);
  }
}
