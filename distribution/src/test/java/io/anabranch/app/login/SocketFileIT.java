package io.anabranch.app.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.frontend.transport.Transport;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of the same machine connect by a file, with MariaDB's own client program. */
@ExtendWith(MariaDbServers.Resolver.class)
class SocketFileIT {

  private static MariaDbServer server;

  @TempDir Path folder;

  @BeforeAll
  static void create(MariaDbServers servers) {
    server = servers.primaryA();
    for (String schema : List.of("it_file_0", "it_file_1")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
  }

  private RunningProxy start(String transport, Path socket) {
    String global =
        """
        authority:
          users:
            - { user: all, password: secret, admin: true }
            - { user: here@localhost, password: secret }
            - { user: sha2, password: secret, authenticationMethodName: sha2 }
            - { user: tls, password: secret, require: SSL }
          authenticators:
            sha2: { type: CACHING_SHA2_PASSWORD }
        props:
          proxy-admin-port: 0
          proxy-frontend-executor-size: 1
          proxy-transport: %s
          proxy-frontend-ssl-enabled: true
          proxy-frontend-ssl-required: true
          proxy-unix-socket: "%s"
        """
            .formatted(transport, socket);
    String sharded =
        """
        databaseName: files
        dataSources:
        %s%srules:
        - !SHARDING
          tables:
            t:
              actualDataNodes: ds_${0..1}.t_${0..1}
              databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: tables } }
          shardingAlgorithms:
            two: { type: MOD, props: { sharding-count: 2 } }
            tables: { type: INLINE, props: { algorithm-expression: "t_${id %% 2}" } }
        """
            .formatted(
                RunningProxy.source("ds_0", server, "it_file_0"),
                RunningProxy.source("ds_1", server, "it_file_1"));
    return RunningProxy.startWith(global, sharded);
  }

  private static String client(Path socket, String user, String... options)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of("mariadb", "--no-defaults", "-S" + socket, "-u" + user, "-psecret", "-N"));
    command.addAll(List.of(options));
    Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output.strip();
  }

  static Stream<String> transports() {
    return Stream.of("auto", "nio", "io_uring").filter(SocketFileIT::isHere);
  }

  private static boolean isHere(String transport) {
    try {
      return Transport.choose(transport) != null;
    } catch (IllegalArgumentException absent) {
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void whatIsAskedByTheFileIsAnswered(String transport) throws Exception {
    Path socket = folder.resolve("mysql.sock");
    try (RunningProxy proxy = start(transport, socket)) {
      assertThat(proxy.port()).isPositive();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rwxrwxrwx");
      assertThat(
              client(
                  socket,
                  "all",
                  "files",
                  "-e",
                  "DROP TABLE IF EXISTS t; CREATE TABLE t (id INT PRIMARY KEY, b LONGTEXT);"
                      + " INSERT INTO t VALUES (1, REPEAT('a', 3000000)), (2, 'b'), (3, NULL), (4, '');"
                      + " BEGIN; UPDATE t SET b = 'c' WHERE id IN (3, 4); ROLLBACK;"
                      + " SELECT id, LENGTH(b), MD5(b) FROM t ORDER BY id;"
                      + " SELECT LENGTH(b) FROM t WHERE id = 1;"
                      + " SELECT USER(), @@socket;"
                      + " SELECT b FROM t WHERE id = 1"))
          .isEqualTo(
              """
              1\t3000000\t99ddc9a3a46ea62c95652bdf937a1fb8
              2\t1\t92eb5ffee6ae2fec3ad71c777531578f
              3\tNULL\tNULL
              4\t0\td41d8cd98f00b204e9800998ecf8427e
              3000000
              all@localhost\t%s
              """
                      .formatted(socket)
                  + "a".repeat(3_000_000));
      assertThat(client(socket, "all", "-e", "SHOW PROCESSLIST")).contains("\tall\tlocalhost\t");
    }
    assertThat(socket).doesNotExist();
  }

  /** Nobody reads along there, so TLS is asked of nobody but of users who must have it. */
  @Test
  void usersLogInByTheFile() throws Exception {
    Path socket = folder.resolve("s");
    try (RunningProxy _ = start("auto", socket)) {
      assertThat(client(socket, "here", "--skip-ssl", "-e", "SELECT CURRENT_USER()"))
          .isEqualTo("here@localhost");
      assertThat(client(socket, "sha2", "--skip-ssl", "-e", "SELECT 1")).isEqualTo("1");
      assertThat(client(socket, "tls", "--skip-ssl", "-e", "SELECT 1"))
          .contains("ERROR 1045 (28000): Access denied for user 'tls'@'localhost'");
      assertThat(client(socket, "nobody", "--skip-ssl", "-e", "SELECT 1"))
          .contains("Access denied for user 'nobody'@'localhost'");
    }
  }

  @Test
  void aFileThatNobodyAnswersIsTakenOver() throws Exception {
    Path socket = folder.resolve("left.sock");
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();
    try (RunningProxy _ = start("auto", socket)) {
      assertThat(client(socket, "all", "-e", "SELECT 2")).isEqualTo("2");
      assertThatThrownBy(() -> start("nio", socket))
          .hasMessageContaining("socket " + socket)
          .hasMessageContaining("another process answers there");
      assertThat(client(socket, "all", "-e", "SELECT 3")).isEqualTo("3");
    }
  }

  @Test
  void aFileOfOthersStays() throws Exception {
    Path file = Files.writeString(folder.resolve("notes"), "mine");
    assertThatThrownBy(() -> start("auto", file)).hasMessageContaining("is no socket");
    assertThat(file).hasContent("mine");
    Path longest = folder.resolve("x".repeat(120));
    assertThatThrownBy(() -> start("auto", longest)).hasMessageContaining("at most 107 bytes");
  }
}
