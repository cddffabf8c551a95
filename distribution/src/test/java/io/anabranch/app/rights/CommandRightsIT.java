package io.anabranch.app.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command of the protocol, by a user who has nothing on what it names. A command that is new
 * does not compile before it is here.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class CommandRightsIT {

  private static final String SCHEMA = "it_command_right";
  private static final String FAR = "it_command_far";
  private static final String USER = "nobody";
  private static final String PASSWORD = "nobody-secret";
  private static final String DATABASE_DENIED = "error 1044";
  private static final String TABLE_DENIED = "error 1142";
  private static final String PRIVILEGE_NEEDED = "error 1227";

  private static RunningProxy proxy;
  private static MariaDbServer server;
  private static CommandProbe other;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    for (String schema : List.of(SCHEMA, FAR)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".open_t (a INT)",
          "CREATE TABLE " + schema + ".goal_t (a INT)",
          "INSERT INTO " + schema + ".goal_t VALUES (1)");
    }
    proxy =
        RunningProxy.startWith(
            """
            authority:
              users:
                - { user: "app@%%", password: app-secret, admin: true }
                - user: "%s@%%"
                  password: %s
                  grants: [ "SELECT ON %s.open_t" ]
            props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
            """
                .formatted(USER, PASSWORD, SCHEMA),
            RunningProxy.passThrough(SCHEMA, server),
            RunningProxy.passThrough(FAR, server));
    other = new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
  }

  @AfterAll
  static void stop() throws IOException {
    other.close();
    proxy.close();
    server.execute("DROP DATABASE " + SCHEMA, "DROP DATABASE " + FAR);
  }

  static IntStream codes() {
    return IntStream.range(0, 256);
  }

  /** What is sent behind the code, and what may come. */
  private record Trial(byte[] rest, List<String> answers) {

    static Trial of(String rest, String... answers) {
      return new Trial(rest.getBytes(StandardCharsets.UTF_8), List.of(answers));
    }

    /** Eight bytes, the first four of them a number. */
    static Trial of(long number, String... answers) {
      byte[] rest =
          ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putInt((int) number).array();
      return new Trial(rest, List.of(answers));
    }
  }

  /** Names what is not granted, where the command names anything. */
  private static List<Trial> trials(ClientCommand command) {
    return switch (command) {
      case ClientCommand.Query _ ->
          List.of(
              Trial.of("SELECT a FROM goal_t", TABLE_DENIED),
              Trial.of("SELECT a FROM " + FAR + ".goal_t", DATABASE_DENIED),
              Trial.of("DO 0; DELETE FROM goal_t", "OK"));
      case ClientCommand.StmtPrepare _ ->
          List.of(
              Trial.of("SELECT a FROM goal_t WHERE a = ?", TABLE_DENIED),
              Trial.of("DELETE FROM goal_t", TABLE_DENIED),
              Trial.of("SELECT a FROM " + FAR + ".goal_t", DATABASE_DENIED));
      case ClientCommand.InitDb _ ->
          List.of(Trial.of(FAR, DATABASE_DENIED), Trial.of("mysql", DATABASE_DENIED));
      case ClientCommand.FieldList _ ->
          List.of(Trial.of("goal_t\0", TABLE_DENIED), Trial.of("goal_t\0a", TABLE_DENIED));
      case ClientCommand.ProcessKill _ ->
          List.of(Trial.of(other.connectionId(), "error 1095", "error 1094"));
      case ClientCommand.Refresh _ ->
          IntStream.range(0, 8)
              .mapToObj(bit -> new Trial(new byte[] {(byte) (1 << bit)}, List.of(PRIVILEGE_NEEDED)))
              .toList();
      case ClientCommand.Debug _ -> List.of(Trial.of("", PRIVILEGE_NEEDED));
      case ClientCommand.ChangeUser _ ->
          List.of(
              // without the password; another's name
              Trial.of(USER + "\0\0" + FAR + "\0", "error 1045", "closes the connection"),
              Trial.of(RunningProxy.USER + "\0\0\0", "error 1045", "closes the connection"));
      case ClientCommand.ProcessInfo _ -> List.of(Trial.of("", "a result"));
      // of the session alone
      case ClientCommand.Ping _, ClientCommand.Statistics _, ClientCommand.ResetConnection _ ->
          List.of(Trial.of("", "OK", "text"));
      case ClientCommand.SetOption _ -> List.of(new Trial(new byte[] {0, 0}, List.of("EOF", "OK")));
      case ClientCommand.Quit _ -> List.of(Trial.of("", "closes the connection"));
      // of statements that this session has prepared, and no others
      case ClientCommand.StmtExecute _, ClientCommand.StmtFetch _, ClientCommand.StmtReset _ ->
          List.of(Trial.of(1, "error 1243"));
      // for clients of MariaDB that say they can
      case ClientCommand.StmtBulkExecute _ -> List.of(Trial.of(1, "error 1295"));
      case ClientCommand.StmtSendLongData _, ClientCommand.StmtClose _ -> List.of();
      case ClientCommand.Unknown _ -> List.of(Trial.of(0, "error 1047"));
    };
  }

  private static ClientCommand decoded(int code) {
    byte[] payload = new byte[64];
    payload[0] = (byte) code;
    return ClientCommand.decode(
        Unpooled.wrappedBuffer(payload), Capability.PROTOCOL_41, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void nothingIsToldOrDoneThatIsNotGranted(int code) throws IOException {
    for (Trial trial : trials(decoded(code))) {
      try (var probe = new CommandProbe(proxy.port(), USER, PASSWORD, SCHEMA)) {
        var command = new ByteArrayOutputStream();
        command.write(code);
        command.writeBytes(trial.rest());
        assertThat(probe.answer(command.toByteArray()))
            .as(code + " " + Arrays.toString(trial.rest()))
            .isIn(trial.answers());
      }
    }
    assertThat(other.ok("DO 0").affectedRows()).isZero();
    assertThat(server.queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".goal_t")).isEqualTo("1");
  }
}
