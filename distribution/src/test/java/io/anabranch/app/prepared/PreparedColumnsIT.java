package io.anabranch.app.prepared;

import static java.util.stream.Collectors.joining;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.type.Collation;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** COM_STMT_PREPARE over shards tells the columns that the execution has, under all settings. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PreparedColumnsIT {

  private static final List<String> SETTINGS =
      List.of(
          "DO 0",
          "SET character_set_results = latin1",
          "SET character_set_results = NULL",
          "SET character_set_results = utf8mb4",
          "SET NAMES latin1",
          "SET NAMES cp1251",
          "SET NAMES utf8mb4",
          "SET group_concat_max_len = 10",
          "SET group_concat_max_len = 100000",
          "SET div_precision_increment = 8");

  private static final List<String> QUERIES =
      List.of(
          "SELECT id, s, CONCAT(s, 'x'), CONCAT(id), d FROM f ORDER BY id",
          "SELECT s FROM f WHERE id = 1",
          "SELECT k, MAX(s), GROUP_CONCAT(s ORDER BY id) FROM f GROUP BY k ORDER BY k",
          "SELECT GROUP_CONCAT(s ORDER BY id DESC) FROM f",
          "SELECT a.s, b.d FROM f a JOIN f b ON a.id = b.k ORDER BY a.id",
          "SELECT s FROM f UNION SELECT d FROM f ORDER BY 1",
          "SELECT x / 3, AVG(x) FROM f GROUP BY x / 3 ORDER BY 1");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_columns", ShardedFixture.HALVES, List.of());
    create();
  }

  private static void create() throws SQLException {
    try (Connection client = sharded.throughProxy()) {
      Transcript.of(
          client,
          "CREATE TABLE IF NOT EXISTS f (id INT PRIMARY KEY, k INT, s VARCHAR(20), d DATETIME(3), x DECIMAL(8,2))");
      Transcript.of(
          client,
          "REPLACE INTO f VALUES (1, 1, 'a', '2024-01-01', 1.5), (2, 1, 'b', NULL, 2.25), (3, 2, 'c',"
              + " NULL, 3)");
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @Test
  void areThoseOfTheExecution() throws IOException {
    var softly = new SoftAssertions();
    try (var probe =
        new CommandProbe(
            sharded.proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, sharded.schema())) {
      for (String setting : SETTINGS) {
        probe.ok(setting);
        for (String sql : QUERIES) {
          probe.send(("\u0016" + sql).getBytes(StandardCharsets.UTF_8));
          ByteBuf head = Unpooled.wrappedBuffer(probe.receive());
          List<String> prepared = definitions(probe, head.getUnsignedShortLE(5));
          ByteBuf execute = Unpooled.buffer().writeByte(0x17).writeIntLE(head.getIntLE(1));
          byte[] command = new byte[10];
          execute.writeByte(0).writeIntLE(1).readBytes(command);
          probe.send(command);
          List<String> executed = definitions(probe, probe.receive()[0]);
          while ((probe.receive()[0] & 0xFF) != 0xFE) {
            // rows do not matter
          }
          softly.assertThat(prepared).as("%s: %s", setting, sql).isEqualTo(executed);
        }
      }
    }
    softly.assertAll();
  }

  /** Connections keep statements of the same text that were prepared for other columns. */
  @Test
  void areThoseOfTablesMadeAnew() throws SQLException {
    var softly = new SoftAssertions();
    for (String table : List.of("TABLE t_again", "TABLE f", "TEMPORARY TABLE t_mine")) {
      String name = table.substring(table.lastIndexOf(' ') + 1);
      try (Connection kept =
          sharded.throughProxy("useServerPrepStmts=true", "cachePrepStmts=false")) {
        for (int columns = 1; columns <= 4; columns++) {
          try (Connection other =
              sharded.throughProxy("useServerPrepStmts=true", "cachePrepStmts=false")) {
            // what is temporary is not seen by others
            Connection client = columns % 2 == 0 && !name.equals("t_mine") ? other : kept;
            Transcript.of(client, "DROP TABLE IF EXISTS " + name);
            Transcript.of(client, "CREATE " + table + " (id INT PRIMARY KEY" + more(columns) + ")");
            for (String sql : List.of("SELECT * FROM " + name, "SELECT * FROM %s WHERE id = ?")) {
              try (PreparedStatement prepared = client.prepareStatement(sql.formatted(name))) {
                softly
                    .assertThat(prepared.getMetaData().getColumnCount())
                    .as("%s: %s", table, sql)
                    .isEqualTo(columns);
              }
            }
          }
        }
        Transcript.of(kept, "DROP TABLE " + name);
      } finally {
        create();
      }
    }
    softly.assertAll();
  }

  private static String more(int columns) {
    return IntStream.range(1, columns).mapToObj(i -> ", c" + i + " INT").collect(joining());
  }

  private static List<String> definitions(CommandProbe probe, int count) throws IOException {
    var told = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      ByteBuf payload = Unpooled.wrappedBuffer(probe.receive());
      ColumnDefinition column = ColumnDefinition.decode(payload, 0, StandardCharsets.UTF_8);
      // servers tell decimals of strings by whether they took a temporary table
      boolean isNumber = column.collation() == Collation.BINARY;
      told.add(
          "%s %s type %d collation %d length %d decimals %d"
              .formatted(
                  column.table(),
                  column.name(),
                  column.type(),
                  column.collation(),
                  column.length(),
                  isNumber ? column.decimals() : 0));
    }
    probe.receive();
    return told;
  }
}
