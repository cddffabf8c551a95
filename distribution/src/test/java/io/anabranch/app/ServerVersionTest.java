package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.DataSourceDefinition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerVersionTest {

  private static final long HOUR_MILLISECONDS = 3_600_000;

  private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

  private static DataSourceDefinition at(int port) {
    return new DataSourceDefinition(
        "ds", "jdbc:mysql://127.0.0.1:" + port + "/a", "u", "p", 0, 0, 0, 1, 1, false, Map.of());
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void takesWhatADatabaseHasToldBefore() {
    var version = new ServerVersion(List.of(at(1)), HOUR_MILLISECONDS, HOUR_MILLISECONDS);
    version.told("11.4.2-MariaDB");
    version.told("9.1.0");
    version.await(taken::add);
    assertThat(taken).containsExactly("11.4.2-MariaDB");
  }

  @Test
  void waitsForAServerThatTakesConnections() throws IOException {
    try (ServerSocket server = listening()) {
      var version = new ServerVersion(List.of(at(server.getLocalPort())), 1, HOUR_MILLISECONDS);
      // it looks whether the server takes connections, then waits on
      Thread.ofPlatform()
          .start(
              () -> {
                try (var _ = server.accept()) {
                  version.told("9.1.0");
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      version.await(taken::add);
    }
    assertThat(taken).containsExactly("9.1.0");
  }

  @Test
  void waitsForAServerThatTakesConnectionsByItsSocket(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("s");
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(file));
      var source =
          new DataSourceDefinition(
              "ds",
              "jdbc:mysql://localhost:1/a?localSocket=" + file,
              "u",
              "p",
              0,
              0,
              0,
              1,
              1,
              false,
              Map.of());
      var version = new ServerVersion(List.of(source), 1, HOUR_MILLISECONDS);
      Thread.ofPlatform()
          .start(
              () -> {
                try (var _ = server.accept()) {
                  version.told("9.1.0");
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      version.await(taken::add);
    }
    assertThat(taken).containsExactly("9.1.0");
  }

  @Test
  void waitsNoLongerWhenAllHaveFailed() throws IOException {
    try (ServerSocket server = listening()) {
      DataSourceDefinition source = at(server.getLocalPort());
      var version = new ServerVersion(List.of(source), HOUR_MILLISECONDS, HOUR_MILLISECONDS);
      Thread.ofPlatform().start(() -> version.failed(source));
      version.await(taken::add);
    }
    assertThat(taken).isEmpty();
  }

  @Test
  void doesNotWaitForAServerThatIsDown() {
    var version = new ServerVersion(List.of(at(1)), 1, HOUR_MILLISECONDS);
    version.await(taken::add);
    assertThat(taken).isEmpty();
    version.told("9.1.0");
    assertThat(taken).containsExactly("9.1.0");
  }
}
