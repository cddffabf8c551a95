package io.anabranch.app.bounds;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that do not read their answers have all connections to a database, and others wait. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class UnreadAnswersIT {

  private static final String SCHEMA = "it_unread";
  private static final int CONNECTIONS = 3;
  private static final String WIDE = "SELECT a FROM wide";
  private static final int PIECE = 1 << 20;

  private static RunningProxy proxy;

  /** Who waits is refused before the limit of those who do not read is over. */
  @BeforeAll
  static void start(DatabaseServers servers) {
    DatabaseServer server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".wide (a LONGTEXT)",
        "INSERT INTO " + SCHEMA + ".wide VALUES (REPEAT('x', 1000000)), (REPEAT('y', 1000000))");
    for (int i = 0; i < 6; i++) {
      server.execute("INSERT INTO %1$s.wide SELECT a FROM %1$s.wide".formatted(SCHEMA));
    }
    proxy =
        RunningProxy.start(
            List.of("proxy-frontend-write-timeout: 24"),
            """
            databaseName: %s
            dataSources:
              ds_0:
                url: "%s"
                username: %s
                password: %s
                maxPoolSize: %d
                minPoolSize: 1
                connectionTimeoutMilliseconds: 12000
            rules: []
            """
                .formatted(
                    SCHEMA,
                    server.url(SCHEMA),
                    MariaDbServer.USER,
                    MariaDbServer.PASSWORD,
                    CONNECTIONS));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static CommandProbe asking() throws IOException {
    var client = new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
    client.send(("\u0003" + WIDE).getBytes(StandardCharsets.UTF_8));
    return client;
  }

  private static void close(List<CommandProbe> clients) throws IOException {
    for (CommandProbe client : clients) {
      client.close();
    }
  }

  @Test
  void thoseInLineGetTheConnections() throws Exception {
    var silent = new ArrayList<CommandProbe>();
    try (Connection other = proxy.connect(SCHEMA)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        silent.add(asking());
        // its answer has begun
        silent.getLast().receive();
      }
      assertThat(one(other, "SELECT COUNT(*) FROM wide")).isEqualTo("128");
    } finally {
      close(silent);
    }
  }

  /** Who reads slowly takes something: nobody closes it, whoever waits. */
  @Test
  void slowReadersAreLeftAlone() throws Exception {
    var slow = new ArrayList<CommandProbe>();
    var isOver = new AtomicBoolean();
    try (Connection other = proxy.connect(SCHEMA)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        slow.add(asking());
        slow.getLast().receive();
      }
      Thread reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!isOver.get()) {
                      slow.forEach(UnreadAnswersIT::readSome);
                    }
                  });
      assertThatThrownBy(() -> one(other, "SELECT COUNT(*) FROM wide"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1040));
      isOver.set(true);
      reader.join();
      for (CommandProbe each : slow) {
        assertThat(each.exactly(PIECE)).hasSize(PIECE);
      }
    } finally {
      close(slow);
    }
  }

  private static void readSome(CommandProbe client) {
    try {
      client.exactly(PIECE);
      Thread.sleep(150);
    } catch (IOException | InterruptedException ended) {
      throw new IllegalStateException(ended);
    }
  }
}
