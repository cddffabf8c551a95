package io.anabranch.frontend.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.frontend.transport.Transport;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.ClientProperties.Limits;
import io.anabranch.rules.model.ProxyProperties.Ending;
import io.netty.channel.EventLoopGroup;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProxyServerTest {

  private static final byte OK = 0;
  private static final Ending ENDING = new Ending(0, 300, 2000, 20_000, 20_000);

  private final Deployment deployment = TestDeployment.create();
  private final EventLoopGroup loops = Transport.NIO.eventLoops(1, "test");
  private ProxyServer server;
  private InetSocketAddress address;

  @BeforeEach
  void start() {
    start(new Limits(20, 0, 0, 0, 1 << 20, 0, 0), ENDING);
  }

  private void start(Limits limits) {
    start(limits, ENDING);
  }

  private void start(Limits limits, Ending ending) {
    ClientProperties defaults = ClientProperties.DEFAULTS;
    var clients =
        new ClientProperties(
            defaults.tls(), limits, defaults.lockout(), defaults.compression(), List.of());
    var settings =
        new ServerSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            null,
            16,
            clients,
            null,
            ending);
    server =
        new ProxyServer(
            settings,
            Transport.NIO,
            loops,
            () -> deployment,
            SessionListener.NONE,
            MemoryBudget.unconfigured());
    address = server.start();
  }

  @AfterEach
  void stop() {
    server.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void aClientLogsInPingsAndQuits() throws Exception {
    try (var client = new RawClient(address)) {
      assertThat(client.login("alice", "secret", "shop")[0]).isEqualTo(OK);
      client.send(0, (byte) 0x0E);
      assertThat(client.read()[0]).isEqualTo(OK);
      client.send(0, (byte) 0x01);
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aWrongPasswordIs1045() throws Exception {
    try (var client = new RawClient(address)) {
      assertThat(RawClient.errno(client.login("alice", "wrong", ""))).isEqualTo(1045);
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void unknownAndForbiddenDatabasesAreRefusedAtLogin() throws Exception {
    try (var client = new RawClient(address)) {
      assertThat(RawClient.errno(client.login("root", "", "nosuch"))).isEqualTo(1049);
    }
    try (var client = new RawClient(address)) {
      assertThat(RawClient.errno(client.login("alice", "secret", "hidden"))).isEqualTo(1044);
    }
  }

  @Test
  void commandsSentAheadAreAnsweredInOrder() throws Exception {
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");
      for (int i = 0; i < 40; i++) {
        client.send(0, (byte) 0x0E);
      }
      client.send(0, (byte) 0x7E);
      for (int i = 0; i < 40; i++) {
        assertThat(client.read()[0]).isEqualTo(OK);
      }
      assertThat(RawClient.errno(client.read())).isEqualTo(1047);
    }
  }

  @Test
  void aDataSourceThatIsDownIsAnErrorOfTheStatement() throws Exception {
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");
      assertThat(RawClient.text(client.query("select * from t"))).contains("AB3001");
      assertThat(client.query("begin")[0]).isEqualTo(OK);
      assertThat(client.query("commit")[0]).isEqualTo(OK);
    }
  }

  @Test
  void badStatementsAreRefusedInMySqlsWords() throws Exception {
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "");
      assertThat(RawClient.errno(client.query("select * from t"))).isEqualTo(1046);
      assertThat(RawClient.errno(client.query("  "))).isEqualTo(1065);
      assertThat(RawClient.errno(client.query("use nosuch"))).isEqualTo(1044);
      assertThat(RawClient.errno(client.query("set names nosuch"))).isEqualTo(1115);
      byte[] second = client.query("begin; commit");
      assertThat(RawClient.errno(second)).isEqualTo(1064);
      assertThat(RawClient.text(second)).contains("near 'commit' at line 1");
    }
  }

  @Test
  void aMalformedPacketEndsThatConnectionOnly() throws Exception {
    try (var good = new RawClient(address);
        var bad = new RawClient(address)) {
      good.login("alice", "secret", "shop");
      bad.login("alice", "secret", "shop");

      bad.send(0, (byte) 0x17, (byte) 1);

      assertThat(RawClient.errno(bad.read())).isEqualTo(1835);
      assertThat(bad.isClosedByServer()).isTrue();
      good.send(0, (byte) 0x0E);
      assertThat(good.read()[0]).isEqualTo(OK);
    }
  }

  @Test
  void longPacketsAreRefusedBeforeTheLogin() throws Exception {
    try (var client = new RawClient(address);
        var good = new RawClient(address)) {
      client.announce(1, 1 << 17);
      assertThat(client.isClosedByServer()).isTrue();
      good.login("alice", "secret", "shop");
      String comment = "/*" + "x".repeat(1 << 17) + "*/";
      assertThat(good.query(comment + "begin")[0]).isEqualTo(OK);
    }
  }

  @Test
  void plainUsersReachNothingOfTheDatabasesOwn() throws Exception {
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");
      assertThat(RawClient.errno(client.query("select * from mysql.user"))).isEqualTo(1044);
      assertThat(RawClient.errno(client.query("set password = 'x'"))).isEqualTo(1227);
      assertThat(RawClient.errno(client.query("set global max_connections = 1"))).isEqualTo(1227);
      assertThat(RawClient.errno(client.query("select load_file('/x')"))).isEqualTo(1227);
    }
  }

  @Test
  void packetsOutOfOrderEndTheConnection() throws Exception {
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");
      client.send(5, (byte) 0x0E);
      assertThat(RawClient.errno(client.read())).isEqualTo(1156);
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void beyondTheLimitClientsAreSentAwayWith1040() throws Exception {
    server.close();
    start(new Limits(20, 0, 0, 0, 1 << 20, 1, 0));
    try (var first = new RawClient(address)) {
      first.login("alice", "secret", "shop");
      try (var second = new RawClient(address)) {
        assertThat(RawClient.errno(second.read())).isEqualTo(1040);
      }
    }
  }

  @Test
  void whoDoesNotLogInIsClosed() throws Exception {
    server.close();
    start(new Limits(1, 0, 0, 0, 1 << 20, 0, 0));
    try (var client = new RawClient(address)) {
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void killEndsTheOtherSession() throws Exception {
    try (var victim = new RawClient(address);
        var other = new RawClient(address)) {
      victim.login("alice", "secret", "shop");
      other.login("alice", "secret", "shop");
      int id = server.sessions().all().stream().mapToInt(s -> s.id()).min().orElseThrow();

      assertThat(other.query("kill " + id)[0]).isEqualTo(OK);

      assertThat(victim.isClosedByServer()).isTrue();
      assertThat(RawClient.errno(other.query("kill 99999"))).isEqualTo(1094);
    }
  }

  @Test
  void drainingClosesSilentSessionsAndAcceptsNoMore() throws Exception {
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");

      var drained = CompletableFuture.supplyAsync(() -> server.drain(Duration.ZERO));

      assertThat(client.isClosedByServer()).isTrue();
      assertThat(drained.get(20, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> new RawClient(address)).isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void whoLooksFindsTheConnectionClosed() throws Exception {
    restart(new Ending(0, 60_000, 60_000, 60_000, 60_000));
    for (byte[] look : new byte[][] {{0x0E}, "\u0003SELECT 1".getBytes(StandardCharsets.UTF_8)}) {
      try (var client = new RawClient(address)) {
        client.login("alice", "secret", "shop");
        server.sendAway(true);
        assertThat(server.isSendingAway()).isTrue();
        client.send(0, look);
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void whoIsNotSentAwayAnyMoreStays() throws Exception {
    restart(new Ending(0, 60_000, 60_000, 60_000, 60_000));
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");
      server.sendAway(true);
      server.sendAway(false);
      client.send(0, (byte) 0x0E);
      assertThat(client.read()[0]).isEqualTo(OK);
    }
  }

  @Test
  void aLameDuckAcceptsClients() throws Exception {
    restart(new Ending(0, 0, 0, 0, 20_000));
    var drained = CompletableFuture.supplyAsync(() -> server.drain(Duration.ofMinutes(5)));
    try (var client = new RawClient(address)) {
      assertThat(client.login("alice", "secret", "shop")[0]).isEqualTo(OK);
      client.send(0, (byte) 0x0E);
      assertThat(client.read()[0]).isEqualTo(OK);
      server.hurry();
      // whether this client had gone by then is nobody's promise
      assertThat(drained).succeedsWithin(Duration.ofSeconds(20));
    }
  }

  @Test
  void whoHasNothingOpenIsSentAwayWhenPatienceIsOver() throws Exception {
    restart(new Ending(0, 60_000, 200, 60_000, 60_000));
    try (var client = new RawClient(address)) {
      client.login("alice", "secret", "shop");
      var drained = CompletableFuture.supplyAsync(() -> server.drain(Duration.ZERO));
      assertThat(client.isClosedByServer()).isTrue();
      assertThat(drained.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void restart(Ending ending) {
    server.close();
    start(new Limits(20, 0, 0, 0, 1 << 20, 0, 0), ending);
  }
}
