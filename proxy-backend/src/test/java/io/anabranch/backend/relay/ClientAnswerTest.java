package io.anabranch.backend.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.SessionChange;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAnswerTest {

  private static final long BASE =
      Capability.PROTOCOL_41 | Capability.TRANSACTIONS | Capability.MULTI_RESULTS;
  private static final long[] FORMS = {
    BASE,
    BASE | Capability.DEPRECATE_EOF,
    BASE | Capability.SESSION_TRACK,
    BASE | Capability.DEPRECATE_EOF | Capability.SESSION_TRACK,
    BASE | Capability.DEPRECATE_EOF | Capability.MARIADB_EXTENDED_METADATA,
    BASE | Capability.MARIADB_EXTENDED_METADATA,
    BASE | Capability.MARIADB_CACHE_METADATA,
    BASE | Capability.DEPRECATE_EOF | Capability.MARIADB_CACHE_METADATA
  };

  private @Nullable RelayOutcome outcome;

  /** One for all that a test asks: the heads of results are known from the second one on. */
  private final Map<Long, KnownPlans.Known> plans = new HashMap<>();

  private ScriptedConnection ask(long capabilities, RecordingSink sink, byte[]... prologue) {
    return ask(capabilities, sink, GeneratedKey.NONE, prologue);
  }

  private ScriptedConnection ask(
      long capabilities, RecordingSink sink, GeneratedKey key, byte[]... prologue) {
    outcome = null;
    var connection = new ScriptedConnection(capabilities);
    var answer =
        new ClientAnswer(
            connection,
            ResponseForm.TEXT_RESULT,
            plans.computeIfAbsent(capabilities, _ -> newPlan(connection)),
            null,
            key,
            KeptErrors.NONE,
            null,
            false,
            sink,
            told -> outcome = told);
    new Conversation(
            connection,
            new KeptStatements(4),
            List.of(prologue),
            new Conversation.Run(new RelayCommand.Query("Q".getBytes(UTF_8))),
            answer)
        .start();
    return connection;
  }

  private static KnownPlans.Known newPlan(BackendConnection connection) {
    return KnownPlans.Known.of(NameMapping.ofSchema("ds_0"), connection);
  }

  /** A result set, then an OK, as a server with these capabilities says it. */
  private static byte[] twoResults(long capabilities) {
    return new Packets(capabilities)
        .columns("a", "b")
        .row("\u0001x\u0000".getBytes(UTF_8))
        .row(new byte[] {(byte) 0xFB, (byte) 0xFB})
        .row(new byte[300])
        .rowsEnd(ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS_EXISTS)
        .ok(ServerStatus.AUTOCOMMIT)
        .bytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 64, 1 << 20})
  void everyFormBecomesEveryOtherHoweverTheBytesAreCut(int partLength) {
    for (int round = 0; round < 2; round++) {
      everyFormBecomesEveryOther(partLength);
    }
  }

  private void everyFormBecomesEveryOther(int partLength) {
    for (long backend : FORMS) {
      for (long client : FORMS) {
        var sink = new RecordingSink(client);
        ScriptedConnection connection = ask(backend, sink);
        connection.says(twoResults(backend), partLength);
        assertThat(outcome)
            .as("backend %x, client %x", backend, client)
            .isEqualTo(new RelayOutcome.Done(ServerStatus.AUTOCOMMIT, 1, 7, 0, 0, 3));
        assertThat(connection.isListenedTo()).isFalse();
        assertThat(ByteBufUtil.hexDump(sink.written()))
            .as("backend %x, client %x", backend, client)
            .isEqualTo(ByteBufUtil.hexDump(twoResults(client)));
        assertThat(sink.sequence()).isEqualTo(sink.packets().size() + 1);
      }
    }
  }

  @Test
  void aHeadThatIsKnownIsSentAsIfItWereRead() {
    KnownPlans.Known kept = newPlan(new ScriptedConnection(FORMS[1]));
    for (int round = 0; round < 3; round++) {
      for (int status : new int[] {ServerStatus.AUTOCOMMIT, ServerStatus.IN_TRANS}) {
        for (String table : List.of("t_1", "t_10", "t_11")) {
          byte[] result =
              new Packets(FORMS[1])
                  .columns(table, "other")
                  .row(new byte[] {(byte) 0xFB, (byte) round})
                  .rowsEnd(status)
                  .bytes();
          plans.put(FORMS[1], kept);
          byte[] known = client(result, status, result.length);
          plans.clear();
          assertThat(ByteBufUtil.hexDump(known))
              .isEqualTo(ByteBufUtil.hexDump(client(result, status, 1)));
          ByteBuf in = Unpooled.wrappedBuffer(result);
          assertThat(kept.heads().find(in, FORMS[0], status, 1)).isNotNull();
          assertThat(kept.heads().find(in, FORMS[2], status, 1)).isNull();
          assertThat(kept.heads().find(in, FORMS[0], status, 2)).isNull();
          assertThat(kept.heads().find(in.readSlice(60), FORMS[0], status, 1)).isNull();
        }
      }
    }
  }

  /** What a client that wants EOF gets of an answer that comes in parts. */
  private byte[] client(byte[] result, int status, int partLength) {
    var sink = new RecordingSink(FORMS[0]);
    sink.status = status;
    ask(FORMS[1], sink).says(result, partLength);
    return sink.written();
  }

  @Test
  void sessionStateGoesOnlyToWhomItWasPromisedAndWithoutSchemas() {
    ByteBuf changes = Unpooled.buffer();
    new SessionChange(SessionChange.SCHEMA, new byte[] {2, 'd', 's'}).encode(changes);
    new SessionChange(SessionChange.STATE_CHANGE, new byte[] {1, '1'}).encode(changes);
    new SessionChange(SessionChange.GTIDS, new byte[] {0, 1, 'g'}).encode(changes);
    new SessionChange(SessionChange.SYSTEM_VARIABLES, "\u0009last_gtid\u00050-1-7".getBytes(UTF_8))
        .encode(changes);
    long tracking = BASE | Capability.SESSION_TRACK;
    byte[] ok =
        new Packets(tracking)
            .ok(new OkPacket(1, 7, 2, 0, "info".getBytes(UTF_8), ByteBufUtil.getBytes(changes)))
            .bytes();
    var plain = new RecordingSink(BASE);
    ask(BASE | Capability.SESSION_TRACK, plain).says(ok, 4);
    assertThat(plain.packets().getFirst())
        .isEqualTo(new byte[] {0, 1, 7, 2, 0, 0, 0, 4, 'i', 'n', 'f', 'o'});
    var tracked = new RecordingSink(tracking);
    ScriptedConnection connection = ask(tracking, tracked);
    connection.says(ok, 4);
    assertThat(connection.committed).containsExactly("g", "0-1-7");
    OkPacket packet =
        OkPacket.decode(Unpooled.wrappedBuffer(tracked.packets().getFirst()), tracking);
    assertThat(SessionChange.decodeAll(packet.sessionState()))
        .as("all of that is for the proxy")
        .isEmpty();
    assertThat(connection.takeStateChange()).isTrue();
    var interested = new RecordingSink(tracking);
    ScriptedConnection asked = ask(tracking, interested);
    asked.applied = SessionSettings.INITIAL.with("session_track_state_change", "1");
    asked.says(ok, 4);
    OkPacket told =
        OkPacket.decode(Unpooled.wrappedBuffer(interested.packets().getFirst()), tracking);
    assertThat(SessionChange.decodeAll(told.sessionState()))
        .extracting(SessionChange::type)
        .as("GTIDs are for the proxy")
        .containsExactly(SessionChange.STATE_CHANGE);
  }

  @Test
  void tellsTheKeyThatTheProxyMade() {
    var sink = new RecordingSink(BASE);
    ask(BASE, sink, new GeneratedKey(1L << 60, false, false))
        .says(new Packets(BASE).ok(ServerStatus.AUTOCOMMIT).bytes(), 5);
    assertThat(OkPacket.decode(Unpooled.wrappedBuffer(sink.packets().getFirst()), BASE))
        .extracting(OkPacket::affectedRows, OkPacket::lastInsertId)
        .containsExactly(1L, 1L << 60);
    assertThat(outcome)
        .isEqualTo(new RelayOutcome.Done(ServerStatus.AUTOCOMMIT, 1, 1L << 60, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "false, 1, 5, 5", // made by the proxy, and given to the row
    "false, 1, 0, 5", // likewise, in a table that numbers no rows
    "false, 2, 3, 3", // the row with number 3 was updated
    "false, 2, 0, 0", // likewise, in a table that numbers no rows
    "false, 1, 3, 3", // row 3 was found and is what it was
    "true, 1, 5, 5",
    "true, 1, 0, 0", // a row was found and is what it was
    "true, 2, 3, 3",
    "false, 0, 3, 3"
  })
  void tellsTheKeyOfARowThatWasUpdated(
      boolean isNumbered, long affected, long ofDatabase, long told) {
    var sink = new RecordingSink(BASE);
    byte[] answer = new Packets(BASE).ok(OkPacket.of(affected, ofDatabase, 2, 0)).bytes();
    ask(BASE, sink, new GeneratedKey(5, true, isNumbered)).says(answer, 100);
    assertThat(outcome).isEqualTo(new RelayOutcome.Done(2, affected, told, 0, 0));
  }

  @Test
  void tellsNoKeyOfARowThatWasIgnored() {
    var sink = new RecordingSink(BASE);
    byte[] ignored = new Packets(BASE).ok(OkPacket.of(0, 0, 2, 1)).bytes();
    ask(BASE, sink, new GeneratedKey(1L << 60, false, false)).says(ignored, 100);
    assertThat(sink.written()).isEqualTo(ignored);
    assertThat(outcome).isEqualTo(new RelayOutcome.Done(2, 0, 0, 1, 0));
  }

  @Test
  void aSlowClientStopsTheReading() {
    var sink = new RecordingSink(FORMS[1]);
    ScriptedConnection connection = ask(FORMS[1], sink);
    byte[] rows = new Packets(FORMS[1]).columns("a").row(new byte[100]).bytes();
    sink.writable = false;
    connection.says(rows, rows.length);
    assertThat(connection.reads).isZero();
    assertThat(sink.flushes).isEqualTo(1);
    var resume = sink.resume;
    assertThat(resume).isNotNull();
    sink.writable = true;
    if (resume != null) {
      resume.run();
    }
    assertThat(connection.reads).isEqualTo(1);
  }

  @Test
  void partsOfARowGoOnBeforeItIsComplete() {
    var sink = new RecordingSink(BASE);
    ScriptedConnection connection = ask(BASE, sink);
    byte[] head = new Packets(BASE).columns("a").bytes();
    connection.says(head, head.length);
    byte[] part = new byte[1004];
    part[0] = (byte) 0xFF;
    part[1] = (byte) 0xFF;
    part[2] = (byte) 0xFF;
    part[3] = 4;
    connection.says(part, part.length);
    assertThat(sink.written()).hasSize(head.length + part.length);
  }

  @Test
  void theFirstErrorInThePrologueIsTheAnswerAndNothingRuns() {
    var sink = new RecordingSink(BASE);
    ScriptedConnection connection =
        ask(BASE, sink, "SET a=1".getBytes(UTF_8), "START TRANSACTION".getBytes(UTF_8));
    assertThat(new String(connection.heard(), UTF_8))
        .contains("SET a=1")
        .doesNotContain("START TRANSACTION");
    connection.says(new Packets(BASE).err(1193, "unknown").bytes(), 3);
    assertThat(outcome).isEqualTo(new RelayOutcome.Failed(1193, "42000", "unknown", true));
    assertThat(connection.heard()).isEmpty();
    assertThat(sink.packets()).hasSize(1);
  }

  @Test
  void beginTravelsWithTheCommand() {
    var sink = new RecordingSink(BASE);
    ScriptedConnection connection = ask(BASE, sink, "START TRANSACTION".getBytes(UTF_8));
    assertThat(new String(connection.heard(), UTF_8))
        .contains("START TRANSACTION")
        .endsWith("\u0003Q");
    connection.says(new Packets(BASE).ok(3).next().ok(3).bytes(), 5);
    assertThat(outcome).isEqualTo(new RelayOutcome.Done(3, 1, 7, 0, 0));
    assertThat(sink.packets()).hasSize(1);
  }

  @Test
  void aBrokenConnectionTellsHowFarItCame() {
    var outcomes = new ArrayList<RelayOutcome>();
    var sink = new RecordingSink(BASE);
    ScriptedConnection held = ask(BASE, sink, "SET a=1".getBytes(UTF_8));
    held.breaks();
    outcomes.add(outcome);
    ScriptedConnection silent = ask(BASE, sink);
    silent.breaks();
    outcomes.add(outcome);
    ScriptedConnection speaking = ask(BASE, sink);
    speaking.says(new Packets(BASE).columns("a").bytes(), 1000);
    speaking.breaks();
    outcomes.add(outcome);
    assertThat(outcomes)
        .containsExactly(
            new RelayOutcome.Lost("gone", false, false),
            new RelayOutcome.Lost("gone", true, false),
            new RelayOutcome.Lost("gone", true, true));
  }

  @Test
  void nonsenseLosesTheConnection() {
    var sink = new RecordingSink(BASE);
    ScriptedConnection connection = ask(BASE, sink);
    connection.says(new byte[] {1, 0, 0, 1, (byte) 0xFE}, 10);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            RelayOutcome.Lost.class, lost -> assertThat(lost.responseStarted()).isFalse());
    ScriptedConnection talkative = ask(BASE, new RecordingSink(BASE));
    talkative.says(new Packets(BASE).ok(2).ok(2).bytes(), 100);
    assertThat(outcome).isInstanceOf(RelayOutcome.Lost.class);
  }

  @Test
  void aFileGoesToTheDatabaseUnderItsOwnSequenceNumbers() {
    long files = BASE | Capability.LOCAL_FILES;
    var sink = new RecordingSink(files);
    sink.sequence(7);
    ScriptedConnection connection = ask(files, sink);
    connection.heard();
    connection.says(new byte[] {3, 0, 0, 1, (byte) 0xFB, 'f', 'n'}, 2);
    assertThat(sink.written()).containsExactly(3, 0, 0, 7, 0xFB, 'f', 'n');
    FileReceiver file = Objects.requireNonNull(sink.file);
    var taken = new ArrayList<String>();
    file.packet(Unpooled.copiedBuffer("abc", UTF_8), () -> taken.add("abc"));
    file.end(10);
    assertThat(taken).containsExactly("abc");
    assertThat(connection.heard()).containsExactly(3, 0, 0, 2, 'a', 'b', 'c', 0, 0, 0, 3);
    connection.says(new byte[] {7, 0, 0, 4, 0, 1, 0, 2, 0, 0, 0}, 100);
    assertThat(outcome).isEqualTo(new RelayOutcome.Done(ServerStatus.AUTOCOMMIT, 1, 0, 0, 0));
    assertThat(sink.written()).endsWith(7, 0, 0, 10, 0, 1, 0, 2, 0, 0, 0);
    assertThat(sink.sequence()).isEqualTo(11);
  }
}
