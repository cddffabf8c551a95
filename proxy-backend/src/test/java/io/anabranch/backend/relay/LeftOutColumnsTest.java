package io.anabranch.backend.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.relay.column.ClientColumns;
import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers leave out definitions that a connection knows; clients know others than connections. */
class LeftOutColumnsTest {

  private static final long SERVER =
      Capability.PROTOCOL_41
          | Capability.TRANSACTIONS
          | Capability.DEPRECATE_EOF
          | Capability.MARIADB_CACHE_METADATA;
  private static final long SAME = SERVER;
  private static final long WITH_EOF = SERVER & ~Capability.DEPRECATE_EOF;
  private static final long UNAWARE = WITH_EOF & ~Capability.MARIADB_CACHE_METADATA;

  private static final int STATUS = ServerStatus.AUTOCOMMIT;
  private static final byte[] ROW = {0, 0, 1, 'x'};
  private static final ShardQuery QUERY =
      new ShardQuery("ds_0", "SELECT c FROM t".getBytes(UTF_8), new int[0]);

  private final NameMapping names = new NameMapping("shop", Map.of("t_0", "t", "t_1", "t"));

  /** Executes QUERY for a client; the server's words are its answers, one exchange each. */
  private byte[] ask(
      ScriptedConnection connection, long client, @Nullable ClientColumns known, byte[]... words) {
    var sink = new RecordingSink(client);
    if (known != null) {
      known.begin();
    }
    var answer =
        new ClientAnswer(
            connection,
            ResponseForm.BINARY_RESULT,
            KnownPlans.of(connection, 1, names),
            known,
            GeneratedKey.NONE,
            KeptErrors.NONE,
            null,
            false,
            sink,
            outcome -> assertThat(outcome).isInstanceOf(RelayOutcome.Done.class));
    var execute =
        new RelayCommand.Execute(
            QUERY, ExecuteParameters.NONE, ResponseForm.BINARY_RESULT, null, known);
    new Conversation(
            connection, new KeptStatements(4), List.of(), new Conversation.Run(execute), answer)
        .start();
    for (byte[] each : words) {
      connection.says(each, 7);
    }
    assertThat(connection.isListenedTo()).isFalse();
    return sink.written();
  }

  private static byte[] prepared(String... tables) {
    return new Packets(SERVER).prepared(1, tables).bytes();
  }

  private static byte[] without(long capabilities) {
    return new Packets(capabilities).columnsLeftOut(1).row(ROW).rowsEnd(STATUS).bytes();
  }

  private static byte[] with(String schema) {
    var packets = new Packets(SERVER).schema(schema);
    return packets.columns("other").row(ROW).rowsEnd(STATUS).bytes();
  }

  private static byte[] logical(long capabilities) {
    var definitions = new Packets(capabilities);
    return definitions.schema("shop").columns("t").row(ROW).rowsEnd(STATUS).bytes();
  }

  private static void same(byte[] seen, byte[] wanted) {
    assertThat(ByteBufUtil.hexDump(seen)).isEqualTo(ByteBufUtil.hexDump(wanted));
  }

  @Test
  void aClientIsToldOnce() {
    var connection = new ScriptedConnection(SERVER);
    var known = new ClientColumns();
    same(ask(connection, SAME, known, prepared("t_0"), without(SERVER)), logical(SAME));
    same(ask(connection, SAME, known, without(SERVER)), without(SAME));
    same(ask(connection, SAME, known, without(SERVER)), without(SAME));
  }

  @Test
  void clientsThatWantEofGetItWithoutColumnsToo() {
    var connection = new ScriptedConnection(SERVER);
    var known = new ClientColumns();
    same(ask(connection, WITH_EOF, known, prepared("t_0"), without(SERVER)), logical(WITH_EOF));
    same(ask(connection, WITH_EOF, known, without(SERVER)), without(WITH_EOF));
  }

  @Test
  void clientsThatDoNotKnowOfThatAreToldEachTime() {
    var connection = new ScriptedConnection(SERVER);
    var known = new ClientColumns();
    same(ask(connection, UNAWARE, known, prepared("t_0"), without(SERVER)), logical(UNAWARE));
    same(ask(connection, UNAWARE, known, without(SERVER)), logical(UNAWARE));
    same(ask(connection, SAME, null, without(SERVER)), logical(SAME));
  }

  @Test
  void theNamesOfShardsMakeNoDifference() {
    var one = new ScriptedConnection(SERVER);
    var other = new ScriptedConnection(SERVER);
    var known = new ClientColumns();
    same(ask(one, SAME, known, prepared("t_0"), without(SERVER)), logical(SAME));
    same(ask(other, SAME, known, prepared("t_1"), without(SERVER)), without(SAME));
    same(ask(one, SAME, known, without(SERVER)), without(SAME));
  }

  @Test
  void anotherClientOfTheConnectionKnowsNothing() {
    var connection = new ScriptedConnection(SERVER);
    var first = new ClientColumns();
    var second = new ClientColumns();
    same(ask(connection, SAME, first, prepared("t_0"), without(SERVER)), logical(SAME));
    same(ask(connection, SAME, second, without(SERVER)), logical(SAME));
    same(ask(connection, SAME, second, without(SERVER)), without(SAME));
    same(ask(connection, SAME, first, without(SERVER)), without(SAME));
  }

  @Test
  void whatHasChangedIsToldToAll() {
    var connection = new ScriptedConnection(SERVER);
    var first = new ClientColumns();
    var second = new ClientColumns();
    ask(connection, SAME, first, prepared("t_0"), without(SERVER));
    ask(connection, SAME, second, without(SERVER));
    byte[] changed = with("ds_0");
    same(ask(connection, SAME, first, changed), with("shop"));
    same(ask(connection, SAME, second, without(SERVER)), with("shop"));
    same(ask(connection, SAME, second, without(SERVER)), without(SAME));
    same(ask(connection, SAME, first, without(SERVER)), without(SAME));
  }

  @Test
  void anAnswerOfAnotherLaneMakesTheClientForget() {
    var connection = new ScriptedConnection(SERVER);
    var known = new ClientColumns();
    ask(connection, SAME, known, prepared("t_0"), without(SERVER));
    known.begin();
    same(ask(connection, SAME, known, without(SERVER)), logical(SAME));
  }

  @Test
  void whatWasReadAwayWithItsColumnsIsPreparedAnew() {
    var connection = new ScriptedConnection(SERVER);
    var known = new ClientColumns();
    ask(connection, SAME, known, prepared("t_0"), without(SERVER));
    var sink = new RecordingSink(SAME);
    var answer =
        new ClientAnswer(
            connection,
            ResponseForm.BINARY_RESULT,
            KnownPlans.of(connection, 1, names),
            known,
            GeneratedKey.NONE,
            KeptErrors.NONE,
            null,
            false,
            sink,
            outcome -> assertThat(outcome).isInstanceOf(RelayOutcome.Unreached.class));
    var execute = new RelayCommand.Execute(QUERY, ExecuteParameters.NONE);
    byte[] await = "WAIT".getBytes(UTF_8);
    new Conversation(
            connection,
            new KeptStatements(4),
            List.of(),
            await,
            new Conversation.Run(execute),
            answer)
        .start();
    var late = new Packets(SERVER).columns("w").row(new byte[] {1, '1'}).rowsEnd(STATUS).next();
    connection.says(late.columns("other").row(ROW).rowsEnd(STATUS).bytes(), 7);
    assertThat(connection.isListenedTo()).isFalse();
    assertThat(sink.written()).isEmpty();
    same(ask(connection, SAME, known, prepared("t_0"), without(SERVER)), without(SAME));
  }
}
