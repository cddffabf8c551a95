package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients that send what no client should, before and after they log in: they get answers or errors
 * and their connection ends with them, none of the proxy's own errors shows, another client notices
 * nothing, and nothing of them stays. {@code -Dfuzz.rounds}, {@code -Dfuzz.seed} choose.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class FuzzIT {

  private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 150);
  private static final long SEED = Long.getLong("fuzz.seed", 20_261_121);
  private static final int TIME_LIMIT_MILLISECONDS = 60_000;
  private static final String DATABASE = "fuzz";

  /** An error that nobody has thought of. */
  private static final String INTERNAL = "AB9001";

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    MariaDbServer server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_fuzz",
        "CREATE DATABASE it_fuzz",
        "CREATE TABLE it_fuzz.t (id INT PRIMARY KEY, text VARCHAR(100))");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: "
                + DATABASE
                + "\ndataSources:\n"
                + RunningProxy.source("ds_0", server, "it_fuzz")
                + "rules: []\n");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @Test
  void whatIsMalformedHarmsItsSenderAlone() throws SQLException {
    try (Connection witness = proxy.connect(DATABASE);
        Statement statement = witness.createStatement()) {
      for (int round = 0; round < ROUNDS; round++) {
        long seed = SEED + round;
        var malformed = new Malformed(seed);
        boolean isBefore = seed % 3 == 0;
        byte[] sent = isBefore ? malformed.handshake() : malformed.commands();
        byte[] got = isBefore ? beforeLogin(sent) : afterLogin(sent);
        assertThat(new String(got, StandardCharsets.ISO_8859_1))
            .as("seed %d: %s", seed, HexFormat.of().formatHex(sent))
            .doesNotContain(INTERNAL);
        try (ResultSet row = statement.executeQuery("SELECT " + seed)) {
          assertThat(row.next()).isTrue();
          assertThat(row.getLong(1)).isEqualTo(seed);
        }
      }
      Eventually.holds("nobody else is left", () -> sessions(statement) == 1);
    }
  }

  /** What the proxy says until it ends the connection, the greeting first. */
  private static byte[] beforeLogin(byte[] bytes) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      socket.setSoTimeout(TIME_LIMIT_MILLISECONDS);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return socket.getInputStream().readAllBytes();
    } catch (SocketException reset) {
      return new byte[0];
    } catch (IOException e) {
      throw new AssertionError("the connection did not end", e);
    }
  }

  private static byte[] afterLogin(byte[] bytes) {
    try (var probe =
        new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, DATABASE)) {
      assertThat(probe.answer("\u0016SELECT ?, ?".getBytes(StandardCharsets.UTF_8)))
          .isEqualTo("OK");
      probe.raw(bytes);
      return probe.rest();
    } catch (SocketException reset) {
      return new byte[0];
    } catch (IOException e) {
      throw new AssertionError("the connection did not end", e);
    }
  }

  private static int sessions(Statement statement) {
    try (ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
