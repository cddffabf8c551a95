package io.anabranch.backend.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.RelayRequest;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that the client does not get, in whatever pieces they come. */
class ProvisoTest {

  private static final long SERVER =
      Capability.PROTOCOL_41 | Capability.TRANSACTIONS | Capability.DEPRECATE_EOF;

  private final RecordingSink sink = new RecordingSink(SERVER);
  private final ScriptedConnection connection = new ScriptedConnection(SERVER);
  private @Nullable RelayOutcome outcome;

  private void ask(RelayRequest.Proviso proviso, byte[]... prologue) {
    ask(new RelayCommand.Query("READ".getBytes(UTF_8)), proviso, prologue);
  }

  private void ask(RelayCommand command, RelayRequest.Proviso proviso, byte[]... prologue) {
    var answer =
        new ClientAnswer(
            connection,
            ResponseForm.TEXT_RESULT,
            KnownPlans.Known.of(NameMapping.ofSchema("ds_0"), connection),
            null,
            GeneratedKey.NONE,
            proviso.keeps(),
            null,
            false,
            sink,
            told -> outcome = told);
    new Conversation(
            connection,
            new KeptStatements(4),
            List.of(prologue),
            proviso.await(),
            new Conversation.Run(command),
            answer)
        .start();
  }

  private static RelayRequest.Proviso await() {
    return new RelayRequest.Proviso("WAIT".getBytes(UTF_8), KeptErrors.NONE);
  }

  private static byte[] waited(String value) {
    byte[] row = new byte[value.length() + 1];
    row[0] = (byte) value.length();
    System.arraycopy(value.getBytes(UTF_8), 0, row, 1, value.length());
    return new Packets(SERVER).columns("w").row(row).rowsEnd(ServerStatus.AUTOCOMMIT).bytes();
  }

  private static byte[] rows() {
    return new Packets(SERVER)
        .columns("a")
        .row("\u0003old".getBytes(UTF_8))
        .rowsEnd(ServerStatus.AUTOCOMMIT)
        .bytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void whatWasReachedIsReadInTheSameTrain(int partLength) {
    ask(await());
    assertThat(new String(connection.heard(), UTF_8)).contains("WAIT").contains("READ");
    connection.says(waited("0"), partLength);
    connection.says(rows(), partLength);
    assertThat(outcome).isEqualTo(new RelayOutcome.Done(ServerStatus.AUTOCOMMIT, -1, 0, 3, 1));
    assertThat(sink.written()).isEqualTo(rows());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void whatWasNotReachedIsShownToNobody(int partLength) {
    ask(await());
    connection.says(waited("-1"), partLength);
    assertThat(outcome).as("the connection is not free yet").isNull();
    connection.says(rows(), partLength);
    assertThat(outcome).isEqualTo(new RelayOutcome.Unreached());
    assertThat(sink.written()).isEmpty();
    assertThat(connection.isListenedTo()).isFalse();
  }

  /** Rows that go on in a second packet, whose first byte is the client's. */
  static Stream<Arguments> longRows() {
    return Stream.of((byte) 'a', (byte) 0, (byte) 0xFF, (byte) 0xFE)
        .flatMap(
            first ->
                Stream.of(0, 1, 9).map(behind -> Arguments.of(Byte.toUnsignedInt(first), behind)));
  }

  @ParameterizedTest
  @MethodSource("longRows")
  void longRowsOfALateReplicaAreReadAwayToTheirEnd(int first, int behind) {
    byte[] row = new byte[PacketWriter.MAX_PAYLOAD + behind];
    row[0] = 1;
    row[1] = '1';
    if (behind > 0) {
      row[PacketWriter.MAX_PAYLOAD] = (byte) first;
    }
    ask(await());
    connection.says(waited("-1"), 1000);
    var head = new Packets(SERVER).columns("a").row(row);
    connection.says(head.bytes(), 1 << 20);
    assertThat(outcome).as("more rows may come").isNull();
    byte[] end = new Packets(SERVER).rowsEnd(ServerStatus.AUTOCOMMIT).bytes();
    connection.says(end, 1000);
    assertThat(outcome).isEqualTo(new RelayOutcome.Unreached());
    assertThat(connection.isListenedTo()).isFalse();
  }

  /** The table is made on the primary, and the replica has not heard of it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void whatALateReplicaCannotPrepareIsNotItsAnswer(int partLength) {
    var query = new ShardQuery("ds_0", "READ".getBytes(UTF_8), new int[0]);
    var form = ResponseForm.BINARY_RESULT;
    ask(new RelayCommand.Execute(query, ExecuteParameters.NONE, form, null, null), await());
    connection.says(waited("1"), partLength);
    connection.says(new Packets(SERVER).err(1146, "no such table").bytes(), partLength);
    assertThat(outcome).isEqualTo(new RelayOutcome.Unreached());
    assertThat(sink.written()).isEmpty();
    assertThat(connection.isListenedTo()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void aWaitThatFailsIsNoAnswerEither(int partLength) {
    ask(await());
    connection.says(new Packets(SERVER).err(1305, "no such function").bytes(), partLength);
    connection.says(new Packets(SERVER).err(1146, "no such table").bytes(), partLength);
    assertThat(outcome).isEqualTo(new RelayOutcome.Unreached());
    assertThat(sink.written()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void theWaitComesBehindTheSettings(int partLength) {
    ask(await(), "SET NAMES latin1 COLLATE latin1_bin".getBytes(UTF_8));
    assertThat(new String(connection.heard(), UTF_8)).contains("SET").doesNotContain("WAIT");
    connection.says(new Packets(SERVER).ok(ServerStatus.AUTOCOMMIT).bytes(), partLength);
    assertThat(new String(connection.heard(), UTF_8)).contains("WAIT").contains("READ");
    connection.says(waited("0"), partLength);
    connection.says(rows(), partLength);
    assertThat(sink.written()).isEqualTo(rows());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void thatAServerIsReadOnlyIsKeptFromTheClient(int partLength) {
    ask(RelayRequest.Proviso.KEEPS_READ_ONLY);
    String message =
        "The MariaDB server is running with the --read-only option so it cannot execute this";
    connection.says(new Packets(SERVER).err(1290, message).bytes(), partLength);
    assertThat(outcome).isEqualTo(new RelayOutcome.Kept(1290, "42000", message));
    assertThat(sink.written()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "running with the --secure-file-priv option so it cannot execute this",
        "running with the --skip-grant-tables option so it cannot execute this"
      })
  void otherOptionsAreTheClientsBusiness(String message) {
    ask(RelayRequest.Proviso.KEEPS_READ_ONLY);
    connection.says(new Packets(SERVER).err(1290, message).bytes(), 1000);
    assertThat(outcome).isEqualTo(new RelayOutcome.Failed(1290, "42000", message, false));
    assertThat(sink.written()).isNotEmpty();
  }
}
