package io.anabranch.backend.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayCallback;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.row.RowCap;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of which the client gets so many rows, in whatever pieces they come. */
class CappedAnswerTest {

  private static final long OLD = Capability.PROTOCOL_41 | Capability.TRANSACTIONS;
  private static final long NEW = OLD | Capability.DEPRECATE_EOF;
  private static final String MESSAGE = "Query execution was interrupted";

  private final List<RefusedException> exceeded = new ArrayList<>();
  private @Nullable RelayOutcome outcome;

  private final class Told implements RelayCallback {
    @Override
    public void completed(RelayOutcome how) {
      assertThat(outcome).isNull();
      outcome = how;
    }

    @Override
    public void exceeded(RefusedException refusal) {
      exceeded.add(refusal);
    }
  }

  private ScriptedConnection ask(
      ResponseForm form, long server, RecordingSink sink, @Nullable RowCap cap) {
    outcome = null;
    exceeded.clear();
    var connection = new ScriptedConnection(server);
    var answer =
        new ClientAnswer(
            connection,
            form,
            KnownPlans.Known.of(NameMapping.ofSchema("ds_0"), connection),
            null,
            GeneratedKey.NONE,
            KeptErrors.NONE,
            cap,
            false,
            sink,
            new Told());
    new Conversation(
            connection,
            new KeptStatements(4),
            List.of(),
            new Conversation.Run(new RelayCommand.Query("READ".getBytes(UTF_8))),
            answer)
        .start();
    return connection;
  }

  private static Packets rows(long server, int count) {
    Packets packets = new Packets(server).columns("a");
    for (int i = 0; i < count; i++) {
      packets.row("\u0003abc".getBytes(UTF_8));
    }
    return packets;
  }

  private static byte[] cut(long client, int count) {
    return rows(client, count).err(1317, "70100", MESSAGE).bytes();
  }

  private static RowCap rows(long most) {
    return new RowCap(most, "few", Long.MAX_VALUE, "");
  }

  @ParameterizedTest
  @CsvSource({"1,0", "1,1", "2,0", "3,1", "64,0", "100000,0", "100000,1"})
  void ofTooManyRowsTheFirstOnesComeAndThenAnError(int partLength, int old) {
    for (long client : new long[] {OLD, NEW}) {
      long server = old == 1 ? OLD : NEW;
      var sink = new RecordingSink(client);
      ScriptedConnection connection = ask(ResponseForm.TEXT_RESULT, server, sink, rows(3));
      connection.says(rows(server, 9).rowsEnd(ServerStatus.AUTOCOMMIT).bytes(), partLength);
      assertThat(outcome).isEqualTo(new RelayOutcome.Failed(1317, "70100", MESSAGE, false, 3));
      assertThat(exceeded)
          .singleElement()
          .satisfies(
              refusal ->
                  assertThat((Throwable) refusal)
                      .hasMessageContaining("AB3042")
                      .hasMessageContaining("'few' allows 3 rows"));
      assertThat(sink.packets()).hasSameSizeAs(new Object[client == OLD ? 7 : 6]);
      assertThat(sink.written()).isEqualTo(cut(client, 3));
      assertThat(connection.isListenedTo()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100000})
  void theDatabaseMayHaveBeenInterrupted(int partLength) {
    var sink = new RecordingSink(NEW);
    ask(ResponseForm.TEXT_RESULT, NEW, sink, rows(3))
        .says(rows(NEW, 5).err(1317, "interrupted over there").bytes(), partLength);
    assertThat(outcome).isEqualTo(new RelayOutcome.Failed(1317, "70100", MESSAGE, false, 3));
    assertThat(sink.written()).isEqualTo(cut(NEW, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100000})
  void asManyRowsAsAllowedAreAllOfThem(int partLength) {
    var sink = new RecordingSink(NEW);
    byte[] all = rows(NEW, 3).rowsEnd(ServerStatus.AUTOCOMMIT).bytes();
    ask(ResponseForm.TEXT_RESULT, NEW, sink, rows(3)).says(all, partLength);
    assertThat(outcome).isInstanceOf(RelayOutcome.Done.class);
    assertThat(exceeded).isEmpty();
    assertThat(sink.written()).isEqualTo(all);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100000})
  void bytesAreThoseOfRows(int partLength) {
    var sink = new RecordingSink(NEW);
    byte[] all = rows(NEW, 5).rowsEnd(ServerStatus.AUTOCOMMIT).bytes();
    var cap = new RowCap(Long.MAX_VALUE, "", 10, "small");
    ask(ResponseForm.TEXT_RESULT, NEW, sink, cap).says(all, partLength);
    assertThat(exceeded)
        .singleElement()
        .satisfies(
            refusal ->
                assertThat((Throwable) refusal)
                    .hasMessageContaining("AB3043")
                    .hasMessageContaining("'small' allows 10 bytes"));
    assertThat(sink.written()).isEqualTo(cut(NEW, 2));
    var whole = new RecordingSink(NEW);
    ask(ResponseForm.TEXT_RESULT, NEW, whole, new RowCap(Long.MAX_VALUE, "", 20, "small"))
        .says(all, partLength);
    assertThat(whole.written()).isEqualTo(all);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100000})
  void resultsBehindTheCutOneAreReadAway(int partLength) {
    int more = ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS_EXISTS;
    byte[] answer =
        rows(NEW, 4)
            .rowsEnd(more)
            .columns("b")
            .row("\u0001x".getBytes(UTF_8))
            .rowsEnd(more)
            .ok(ServerStatus.AUTOCOMMIT)
            .bytes();
    var sink = new RecordingSink(NEW);
    ScriptedConnection connection = ask(ResponseForm.TEXT_PROCEDURE, NEW, sink, rows(2));
    connection.says(answer, partLength);
    assertThat(outcome).isInstanceOf(RelayOutcome.Failed.class);
    assertThat(sink.written()).isEqualTo(cut(NEW, 2));
    assertThat(connection.isListenedTo()).isFalse();
  }
}
