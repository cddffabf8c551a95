package io.anabranch.backend.relay.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.relay.Packets;
import io.anabranch.backend.relay.ScriptedConnection;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements without rows that nobody waits for, in whatever pieces their answers come. */
class WireReplyTest {

  private static final long SERVER =
      Capability.PROTOCOL_41 | Capability.TRANSACTIONS | Capability.DEPRECATE_EOF;

  private final ScriptedConnection connection = new ScriptedConnection(SERVER);
  private final WireShardConnection shard =
      new WireShardConnection(connection, new KeptStatements(4));

  private CompletableFuture<ShardReply> send(String sql) {
    return shard.send(ShardQuery.text("ds_0", sql.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void endAndPrepareTravelTogether(int partLength) {
    shard.prologue(List.of("XA END 'a'".getBytes(UTF_8)));
    var reply = send("XA PREPARE 'a'");
    assertThat(new String(connection.heard(), UTF_8)).contains("XA END", "XA PREPARE");

    connection.says(new Packets(SERVER).ok(ServerStatus.AUTOCOMMIT).bytes(), partLength);
    assertThat(reply).isNotDone();
    connection.says(new Packets(SERVER).ok(ServerStatus.AUTOCOMMIT).bytes(), partLength);

    assertThat(reply.join().outcome())
        .isNotNull()
        .satisfies(ok -> assertThat(ok.statusFlags()).isEqualTo(ServerStatus.AUTOCOMMIT));
    assertThat(reply.join().failure()).isNull();
    assertThat(connection.isListenedTo()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void tellsTheDatabasesError(int partLength) {
    var reply = send("COMMIT");
    connection.says(new Packets(SERVER).err(1213, "Deadlock").bytes(), partLength);

    assertThat(reply.join().failure())
        .isInstanceOfSatisfying(
            ShardException.Database.class, refused -> assertThat(refused.errno()).isEqualTo(1213));
    assertThat(connection.isListenedTo()).isFalse();
  }

  @Test
  void whoeverIsToldMaySendTheNext() {
    var next = send("XA END 'a'").thenCompose(_ -> send("XA ROLLBACK 'a'"));
    connection.says(new Packets(SERVER).err(1399, "not active").bytes(), 1000);
    assertThat(next).isNotDone();
    connection.says(new Packets(SERVER).ok(ServerStatus.AUTOCOMMIT).bytes(), 1000);
    assertThat(next.join().failure()).isNull();
  }

  @Test
  void aBrokenConnectionIsAReplyToo() {
    var reply = send("COMMIT");
    connection.breaks();
    assertThat(reply.join().isLost()).isTrue();
  }

  @Test
  void rowsAreNoAnswerToIt() {
    var reply = send("COMMIT");
    connection.says(
        new Packets(SERVER).columns("a").rowsEnd(ServerStatus.AUTOCOMMIT).bytes(), 1000);
    assertThat(reply.join().isLost()).isTrue();
  }
}
