package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.SessionChange;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What OK packets tell of a session, beside what the server's own do. */
@ExtendWith(MariaDbServers.Resolver.class)
class SessionTrackIT {

  private static final String SCHEMA = "it_track";

  private static final List<String> STATEMENTS =
      List.of(
          "CREATE OR REPLACE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT) ENGINE=InnoDB",
          "INSERT INTO t (v) VALUES (1), (2), (3)",
          "UPDATE t SET v = 7",
          "USE it_track",
          "SELECT 1",
          "SET autocommit = 0",
          "SET autocommit = 0",
          "SET autocommit = 1",
          "SET NAMES latin1",
          "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
          "SET CHARACTER SET latin1",
          "SET character_set_client = utf8mb4",
          "SET character_set_results = NULL",
          "SET character_set_results = utf8mb4, character_set_connection = utf8mb4",
          "SET time_zone = '+03:00', @a = 1",
          "SET time_zone = DEFAULT",
          "SET @a = 2",
          "SET sql_mode = 'ANSI_QUOTES'",
          "SET sql_mode = DEFAULT",
          "SET collation_connection = latin1_swedish_ci",
          "SET session_track_system_variables = 'sql_mode,wait_timeout,sql_notes'",
          "SET sql_mode = ''",
          "SET wait_timeout = 3000",
          "SET sql_notes = 1",
          "SET autocommit = 0",
          "SET autocommit = 1",
          "SET session_track_system_variables = '*'",
          "SET sql_select_limit = 100",
          "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
          "SET SESSION TRANSACTION READ ONLY",
          "SET SESSION TRANSACTION READ WRITE",
          "SET session_track_system_variables = DEFAULT",
          "SET session_track_state_change = 1",
          "SET @b = 3",
          "SET time_zone = '+01:00'",
          "USE it_track",
          "SET session_track_schema = 0",
          "USE it_track",
          "SET session_track_state_change = 0",
          "SET session_track_schema = 1",
          "SET STATEMENT time_zone = '+07:00' FOR SELECT 1",
          "SET @c = 1");

  private static final List<String> TRANSACTIONS =
      List.of(
          "CREATE OR REPLACE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT) ENGINE=InnoDB",
          "INSERT INTO t (v) VALUES (1), (2), (3)",
          "BEGIN",
          "SELECT * FROM t",
          "INSERT INTO t (v) VALUES (4)",
          "COMMIT",
          "START TRANSACTION READ ONLY",
          "COMMIT",
          "BEGIN",
          "INSERT INTO t (v) VALUES (5)",
          "ROLLBACK",
          "COMMIT",
          "INSERT INTO t (v) VALUES (6)",
          "LOCK TABLES t WRITE",
          "INSERT INTO t (v) VALUES (7)",
          "UNLOCK TABLES",
          "UNLOCK TABLES");

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {Capability.SESSION_TRACK, 0})
  void changesAreToldAsByTheServer(long tracks) throws IOException {
    assertThat(transcript(throughProxy(tracks), STATEMENTS))
        .isEqualTo(transcript(direct(tracks), STATEMENTS));
  }

  @Test
  void transactionStatesAreToldAsByTheServer() throws IOException {
    try (CommandProbe through = throughProxy(Capability.SESSION_TRACK);
        CommandProbe direct = direct(Capability.SESSION_TRACK)) {
      String track = "SET session_track_transaction_info = 'STATE'";
      assertThat(text(through.ok(track))).isEqualTo(text(direct.ok(track)));
      assertThat(transcript(through, TRANSACTIONS)).isEqualTo(transcript(direct, TRANSACTIONS));
    }
  }

  @Test
  void resettingTellsNothingAndForgetsWhatIsTracked() throws IOException {
    try (CommandProbe probe = throughProxy(Capability.SESSION_TRACK)) {
      assertThat(text(probe.loggedIn())).contains("1:" + SCHEMA);
      probe.ok("SET session_track_system_variables = ''");
      assertThat(text(probe.ok("SET time_zone = '+03:00'"))).doesNotContain("time_zone");
      assertThat(probe.answer((byte) 0x1F)).isEqualTo("OK");
      assertThat(text(probe.ok("SET time_zone = '+03:00'"))).contains("0:time_zone=+03:00");
    }
  }

  private static CommandProbe throughProxy(long more) throws IOException {
    return new CommandProbe(
        proxy.port(),
        RunningProxy.USER,
        RunningProxy.PASSWORD,
        SCHEMA,
        more | Capability.DEPRECATE_EOF);
  }

  private static CommandProbe direct(long more) throws IOException {
    return new CommandProbe(
        server.port(),
        MariaDbServer.USER,
        MariaDbServer.PASSWORD,
        SCHEMA,
        more | Capability.DEPRECATE_EOF);
  }

  private static String transcript(CommandProbe probe, List<String> statements) throws IOException {
    var lines = new StringJoiner("\n");
    try (probe) {
      lines.add("login " + text(probe.loggedIn()));
      for (String sql : statements) {
        lines.add(sql + " -> " + text(probe.ok(sql)));
      }
    }
    return lines.toString();
  }

  /** Changes in alphabetical order: a server's own depends on its hash tables. */
  private static String text(OkPacket ok) {
    var changes = new TreeSet<String>();
    for (SessionChange change : SessionChange.decodeAll(ok.sessionState())) {
      changes.add(change.type() + ":" + text(change));
    }
    return "%d %d %04x %d %s %s"
        .formatted(
            ok.affectedRows(),
            ok.lastInsertId(),
            ok.status(),
            ok.warnings(),
            new String(ok.info(), StandardCharsets.UTF_8),
            changes);
  }

  private static String text(SessionChange change) {
    if (change.type() == SessionChange.STATE_CHANGE) {
      return new String(change.data(), StandardCharsets.UTF_8);
    }
    ByteBuf data = Unpooled.wrappedBuffer(change.data());
    var texts = new StringJoiner("=");
    while (data.isReadable()) {
      texts.add(new String(LengthEncoded.readBytes(data), StandardCharsets.UTF_8));
    }
    return texts.toString();
  }
}
