package io.anabranch.app.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.anabranch.app.fixture.LoopbackListener;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Drivers that come through a load balancer, which says where they are from. */
@ExtendWith(MariaDbServers.Resolver.class)
class ProxyProtocolIT {

  private static final String DATABASE = "balanced";
  private static final String SECRET = "secret";

  /** What a load balancer sends ahead of all that the client says. */
  enum Header {
    NONE("local@127.0.0.1"),
    VERSION_1("app@203.0.113.9"),
    VERSION_2("app@203.0.113.9"),
    VERSION_2_IPV6("app@2001:db8::9"),
    VERSION_2_OF_ITS_OWN("local@127.0.0.1");

    /** Who clients are behind it. */
    private final String account;

    Header(String account) {
      this.account = account;
    }

    String user() {
      return account.substring(0, account.indexOf('@'));
    }

    byte[] bytes() throws IOException {
      return switch (this) {
        case NONE -> new byte[0];
        case VERSION_1 ->
            "PROXY TCP4 203.0.113.9 127.0.0.1 40000 3307\r\n".getBytes(StandardCharsets.US_ASCII);
        case VERSION_2 -> second(0x21, 0x11, "203.0.113.9", "127.0.0.1");
        case VERSION_2_IPV6 -> second(0x21, 0x21, "2001:db8::9", "::1");
        case VERSION_2_OF_ITS_OWN -> second(0x20, 0x00);
      };
    }

    private static byte[] second(int command, int family, String... addresses) throws IOException {
      var body = ByteBuffer.allocate(64);
      for (String address : addresses) {
        body.put(InetAddress.ofLiteral(address).getAddress());
      }
      if (addresses.length > 0) {
        body.putShort((short) 40_000).putShort((short) 3307);
      }
      byte[] signature = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
      return ByteBuffer.allocate(16 + body.position())
          .put(signature)
          .put((byte) command)
          .put((byte) family)
          .putShort((short) body.position())
          .put(body.flip())
          .array();
    }
  }

  /** Forwards one connection after the other. */
  private static final class Balancer implements AutoCloseable {
    private final LoopbackListener listener;
    private final int target;
    private final byte[] header;

    Balancer(int target, Header header) throws IOException {
      this.target = target;
      this.header = header.bytes();
      this.listener = new LoopbackListener(0, this::forward);
    }

    int port() {
      return listener.port();
    }

    private void forward(Socket client) {
      try {
        var server = new Socket(InetAddress.getLoopbackAddress(), target);
        server.getOutputStream().write(header);
        copy(client, server);
        copy(server, client);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private static void copy(Socket from, Socket to) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try (from;
                    to) {
                  from.getInputStream().transferTo(to.getOutputStream());
                } catch (IOException e) {
                  assertThat(from.isClosed() || to.isClosed()).as(String.valueOf(e)).isTrue();
                }
              });
    }

    @Override
    public void close() {
      listener.close();
    }
  }

  private static MariaDbServer server;
  private static RunningProxy trusting;
  private static RunningProxy wary;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute("CREATE DATABASE IF NOT EXISTS it_balanced");
    trusting = start("127.0.0.0/8");
    wary = start("192.0.2.1");
  }

  private static RunningProxy start(String networks) {
    return RunningProxy.startWith(
        """
        authority:
          users:
            - { user: "app@203.0.113.0/24", password: secret }
            - { user: "app@2001:db8::/32", password: secret }
            - { user: "local@127.0.0.1", password: secret }
        props:
          proxy-admin-port: 0
          proxy-frontend-executor-size: 2
          proxy-frontend-ssl-enabled: true
          proxy-frontend-proxy-protocol-networks: %s
        """
            .formatted(networks),
        "databaseName: "
            + DATABASE
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, "it_balanced")
            + "rules: []\n");
  }

  @AfterAll
  static void stop() {
    trusting.close();
    wary.close();
  }

  @ParameterizedTest
  @EnumSource
  void clientsAreWhereTheHeaderSays(Header header) throws SQLException, IOException {
    for (String tls : new String[] {"sslMode=disable", "sslMode=trust"}) {
      try (var balancer = new Balancer(trusting.port(), header);
          Connection connection =
              Driver.MARIADB.connect(balancer.port(), DATABASE, header.user(), SECRET, tls);
          Statement statement = connection.createStatement()) {
        try (ResultSet row = statement.executeQuery("SELECT USER()")) {
          assertThat(row.next()).isTrue();
          assertThat(row.getString(1)).isEqualTo(header.account);
        }
      }
    }
  }

  @Test
  void headersFromElsewhereAreNotBelieved() throws IOException {
    try (var balancer = new Balancer(wary.port(), Header.VERSION_1)) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () -> Driver.MARIADB.connect(balancer.port(), DATABASE, "app", SECRET).close());
    }
  }
}
