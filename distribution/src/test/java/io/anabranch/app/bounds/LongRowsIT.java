package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of {@code -Dbounds.row.bytes} through a process with a heap of 128 MB: as long as a packet
 * may be where they are relayed, refused where the proxy would have to hold them.
 */
class LongRowsIT {

  private static final int LENGTH = Integer.getInteger("bounds.row.bytes", 64 << 20);
  private static final int MOST_IN_PACKET = 0xFFFFFF;
  private static final int NO_MEMORY = 1037;

  @TempDir private static Path directory;

  private static MariaDbServer server;
  private static ProxyProcess proxy;

  @BeforeAll
  static void start() throws IOException {
    server = MariaDbServer.start("long-rows", "--max-allowed-packet=1G");
    server.execute(
        "CREATE DATABASE long0",
        "CREATE DATABASE long1",
        "CREATE TABLE long0.t (id INT PRIMARY KEY)",
        "CREATE TABLE long1.t (id INT PRIMARY KEY)",
        "INSERT INTO long0.t VALUES (0)",
        "INSERT INTO long1.t VALUES (1)");
    proxy =
        ProxyProcess.start(
            "long",
            directory,
            "",
            "databaseName: long\ndataSources:\n"
                + RunningProxy.source("ds_0", server, "long0")
                + RunningProxy.source("ds_1", server, "long1")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_${0..1}.t
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
                  shardingAlgorithms:
                    ds: { type: MOD, props: { sharding-count: 2 } }
                """);
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  private static CommandProbe ask(String sql) throws IOException {
    var probe = new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, "long");
    probe.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    return probe;
  }

  @Test
  void isRelayed() throws IOException {
    try (CommandProbe probe = ask("SELECT REPEAT('x', " + LENGTH + ") FROM t WHERE id = 1")) {
      assertThat(probe.receive()).as("one column").containsExactly(1);
      probe.receive();
      assertThat(probe.receive()[0]).as("end of the columns").isEqualTo((byte) 0xFE);
      long length = 0;
      byte[] part = probe.receive();
      for (; part.length == MOST_IN_PACKET; part = probe.receive()) {
        length += part.length;
      }
      // in front of the value stand a byte and its length in eight
      assertThat(length + part.length).isEqualTo(9L + LENGTH);
      assertThat(part[part.length - 1]).isEqualTo((byte) 'x');
      assertThat(probe.receive()[0]).as("end of the rows").isEqualTo((byte) 0xFE);
      assertThat(probe.answer((byte) 0x0e)).isEqualTo("OK");
    }
    assertThat(proxy.output()).doesNotContain("OutOfMemory").doesNotContain("AB9001");
  }

  @Test
  void isRefusedWhereRowsAreMerged() throws IOException {
    String sql = "SELECT id, REPEAT('x', " + LENGTH + ") FROM t ORDER BY id";
    try (CommandProbe probe = ask(sql)) {
      byte[] answer = probe.receive();
      while (answer[0] != (byte) 0xFF) {
        answer = probe.receive();
      }
      assertThat((answer[1] & 0xFF) | (answer[2] & 0xFF) << 8).isEqualTo(NO_MEMORY);
      assertThat(probe.answer((byte) 0x0e)).isEqualTo("OK");
    }
    assertThat(proxy.isAlive()).isTrue();
  }
}
