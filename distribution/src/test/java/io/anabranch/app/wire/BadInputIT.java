package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Wrong clients, broken bytes and absent databases harm nobody else. */
@ExtendWith(MariaDbServers.Resolver.class)
class BadInputIT {

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_bad", "CREATE DATABASE it_bad");
    int nobodyListens;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobodyListens = socket.getLocalPort();
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: good\ndataSources:\n"
                + RunningProxy.source("ds_0", server, "it_bad")
                + "rules: []\n",
            """
            databaseName: down
            dataSources:
              ds_0: { url: "jdbc:mysql://127.0.0.1:%d/x", username: a, password: b, connectionTimeoutMilliseconds: 1000 }
            rules: []
            """
                .formatted(nobodyListens));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @Test
  void wrongPasswordsAreDenied() {
    for (Driver driver : Driver.values()) {
      assertThatThrownBy(
              () -> driver.connect(proxy.port(), "good", RunningProxy.USER, "wrong").close())
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1045))
          .hasMessageContaining("Access denied for user 'app'@");
    }
  }

  @Test
  void unknownAndForbiddenDatabasesAreDenied() {
    assertThatThrownBy(() -> proxy.connect("nowhere").close())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1049));
    assertThatThrownBy(
            () -> Driver.MARIADB.connect(proxy.port(), "good", "narrow", "narrow-secret").close())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1044));
  }

  @Test
  void aDatabaseThatIsDownHarmsOnlyItsOwnStatements() throws SQLException {
    try (Connection down = proxy.connect("good");
        Connection good = proxy.connect("good")) {
      assertThat(Transcript.of(down, "USE down").isError()).isFalse();
      Transcript failed = Transcript.of(down, "SELECT 1 FROM t");
      assertThat(failed.isError()).isTrue();
      assertThat(failed.head()).contains("ds_0");
      assertThat(Transcript.of(good, "SELECT 1").isError()).isFalse();
    }
  }

  @Test
  void malformedPacketsCloseTheirOwnConnectionOnly() throws IOException, SQLException {
    try (Connection good = proxy.connect("good")) {
      byte[][] rubbish = {
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
        {1, 0, 0, 1, 0},
        {5, 0, 0, 1, -1, -1, -1, -1, -1},
        {4, 0, 0, 77, 1, 2, 3, 4},
        {0, 0, 0, 1},
      };
      for (byte[] bytes : rubbish) {
        try (var socket = new Socket()) {
          socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
          socket.setSoTimeout(15_000);
          InputStream in = socket.getInputStream();
          assertThat(in.readNBytes(5)[4]).as("greeting").isEqualTo((byte) 10);
          socket.getOutputStream().write(bytes);
          socket.getOutputStream().flush();
          socket.shutdownOutput();
          assertThat(readToTheEnd(in)).isTrue();
        }
        assertThat(Transcript.of(good, "SELECT 1").isError()).isFalse();
      }
    }
  }

  /** The proxy closes: end of stream, or a reset because it did not read all of the rubbish. */
  private static boolean readToTheEnd(InputStream in) throws IOException {
    try {
      in.readAllBytes();
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (java.net.SocketException e) {
      return true;
    }
  }
}
