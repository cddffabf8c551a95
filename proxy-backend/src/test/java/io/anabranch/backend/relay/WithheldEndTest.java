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
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client gets all of an answer but its last packet, which the callback gets. */
class WithheldEndTest {

  private static final long OLD = Capability.PROTOCOL_41;
  private static final long NEW = OLD | Capability.DEPRECATE_EOF;
  private static final int MORE = ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS_EXISTS;

  private final Told told = new Told();

  private static final class Told implements RelayCallback {
    private @Nullable RelayOutcome outcome;
    private byte @Nullable [] end;

    @Override
    public void completed(RelayOutcome how) {
      assertThat(outcome).isNull();
      outcome = how;
    }

    @Override
    public void withheld(byte[] packet) {
      assertThat(outcome).isNull();
      assertThat(end).isNull();
      end = packet;
    }
  }

  private RecordingSink answer(long server, long client, ResponseForm form, byte[] said, int part) {
    var sink = new RecordingSink(client);
    var connection = new ScriptedConnection(server);
    var answer =
        new ClientAnswer(
            connection,
            form,
            KnownPlans.Known.of(NameMapping.ofSchema("ds_0"), connection),
            null,
            GeneratedKey.NONE,
            KeptErrors.NONE,
            null,
            true,
            sink,
            told);
    new Conversation(
            connection,
            new KeptStatements(4),
            List.of(),
            new Conversation.Run(new RelayCommand.Query("READ".getBytes(UTF_8))),
            answer)
        .start();
    connection.says(said, part);
    return sink;
  }

  /** What the client has got, and then the end; the session counts as if there were none. */
  private void expect(RecordingSink sink, byte[] all) {
    byte[] end = Objects.requireNonNull(told.end);
    assertThat(sink.sequence()).isEqualTo(end[3] & 0xFF);
    var whole = new ByteArrayOutputStream();
    whole.writeBytes(sink.written());
    whole.writeBytes(end);
    assertThat(whole.toByteArray()).isEqualTo(all);
    assertThat(end.length - 4).isEqualTo(end[0]);
    assertThat(told.outcome).isInstanceOf(RelayOutcome.Done.class);
  }

  private static Packets rows(long capabilities, int status) {
    return new Packets(capabilities)
        .columns("a")
        .row("\u0003abc".getBytes(UTF_8))
        .row("\u0003def".getBytes(UTF_8))
        .rowsEnd(status);
  }

  @ParameterizedTest
  @CsvSource({"1,0,0", "1,0,1", "1,1,0", "1,1,1", "100000,0,0", "100000,0,1", "100000,1,0"})
  void ofRows(int part, int newServer, int newClient) {
    long server = newServer == 1 ? NEW : OLD;
    long client = newClient == 1 ? NEW : OLD;
    byte[] said = rows(server, ServerStatus.AUTOCOMMIT).bytes();
    expect(
        answer(server, client, ResponseForm.TEXT_RESULT, said, part),
        rows(client, ServerStatus.AUTOCOMMIT).bytes());
  }

  @ParameterizedTest
  @CsvSource({"1", "3", "100000"})
  void ofAnOk(int part) {
    byte[] ok = new Packets(NEW).ok(ServerStatus.AUTOCOMMIT).bytes();
    RecordingSink sink = answer(NEW, NEW, ResponseForm.TEXT_RESULT, ok, part);
    assertThat(sink.written()).isEmpty();
    expect(sink, ok);
  }

  /** More results follow what is no end. */
  @ParameterizedTest
  @CsvSource({"1", "3", "100000"})
  void ofAProcedure(int part) {
    byte[] all = rows(NEW, MORE).ok(ServerStatus.AUTOCOMMIT).bytes();
    expect(answer(NEW, NEW, ResponseForm.TEXT_PROCEDURE, all, part), all);
  }

  @ParameterizedTest
  @CsvSource({"1", "100000"})
  void anErrorIsNotWithheld(int part) {
    byte[] all = new Packets(NEW).columns("a").err(1317, "interrupted").bytes();
    RecordingSink sink = answer(NEW, NEW, ResponseForm.TEXT_RESULT, all, part);
    assertThat(told.end).isNull();
    assertThat(sink.written()).isEqualTo(all);
    assertThat(told.outcome).isInstanceOf(RelayOutcome.Failed.class);
  }
}
