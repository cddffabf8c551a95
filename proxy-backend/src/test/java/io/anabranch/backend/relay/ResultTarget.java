package io.anabranch.backend.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.conversation.Answer;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireCursor;
import io.anabranch.backend.relay.shard.WireReply;
import io.anabranch.backend.shard.DatabaseWait;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.testkit.CountingAllocator;
import io.anabranch.testkit.FuzzInput;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a hostile database answers, on both lanes: an answer or a lost connection, the same however
 * the bytes are cut, and the same where the head of a result is known from before.
 */
public final class ResultTarget {

  private static final long BASE =
      Capability.PROTOCOL_41 | Capability.TRANSACTIONS | Capability.MULTI_RESULTS;

  private static final long[] EXTRAS = {
    0,
    Capability.DEPRECATE_EOF,
    Capability.SESSION_TRACK,
    Capability.DEPRECATE_EOF | Capability.SESSION_TRACK,
    Capability.DEPRECATE_EOF | Capability.MARIADB_EXTENDED_METADATA,
    Capability.DEPRECATE_EOF | Capability.MARIADB_CACHE_METADATA,
    Capability.MARIADB_EXTENDED_METADATA,
    Capability.DEPRECATE_EOF | Capability.SESSION_TRACK | Capability.LOCAL_FILES
  };

  private ResultTarget() {}

  /**
   * Called by the fuzzer.
   *
   * @param data the first bytes choose what was asked and by whom, the others are the answer
   */
  public static void fuzzerTestOneInput(byte[] data) {
    var input = new FuzzInput(data);
    ResponseForm[] forms = ResponseForm.values();
    int lane = input.choice(forms.length + 3);
    long server = BASE | EXTRAS[input.choice(EXTRAS.length)];
    long client = BASE | EXTRAS[input.choice(EXTRAS.length)];
    int how = 2 + input.choice(250);
    byte[] bytes = input.rest();
    BiFunction<byte[], Integer, Read> read =
        lane < forms.length
            ? new Relayed(forms[lane], server, client)::read
            : (answer, cut) -> merged(lane - forms.length, server, answer, cut);
    Read single = read.apply(bytes, 1);
    // what comes behind the answer is no part of it: alone it is nobody's, with it the end
    byte[] answer = Arrays.copyOf(bytes, single.bytes);
    for (int each : new int[] {0, 0, how}) {
      String cut = read.apply(answer, each).seen;
      if (!cut.equals(single.seen)) {
        throw new IllegalStateException("cut otherwise: " + cut + " instead of " + single.seen);
      }
    }
    if (read.apply(bytes, 0).bytes > bytes.length) {
      throw new IllegalStateException("more was taken than came");
    }
  }

  /**
   * What was seen of an answer.
   *
   * @param bytes that were taken until its end
   */
  private record Read(String seen, int bytes) {}

  private static int say(ScriptedConnection connection, byte[] bytes, int how) {
    int taken = 0;
    for (byte[] piece : FuzzInput.pieces(bytes, how)) {
      if (connection.isListenedTo()) {
        connection.says(piece, piece.length);
        taken += piece.length;
      }
    }
    connection.breaks();
    return taken;
  }

  /** The relay lane; what it knows of a plan stays. */
  private static final class Relayed {
    private final ResponseForm form;
    private final long server;
    private final long client;
    private final KnownPlans.Known plan;
    private @Nullable RelayOutcome outcome;

    Relayed(ResponseForm form, long server, long client) {
      this.form = form;
      this.server = server;
      this.client = client;
      this.plan = KnownPlans.Known.of(NameMapping.ofSchema("ds_0"), new ScriptedConnection(server));
    }

    Read read(byte[] bytes, int how) {
      outcome = null;
      var connection = new ScriptedConnection(server);
      var counting = new CountingAllocator();
      connection.channel().config().setAllocator(counting);
      var sink = new RecordingSink(client);
      var answer =
          new ClientAnswer(
              connection,
              form,
              plan,
              null,
              GeneratedKey.NONE,
              KeptErrors.NONE,
              null,
              false,
              sink,
              told -> outcome = told);
      new Conversation(
              connection,
              new KeptStatements(4),
              List.of(),
              new Conversation.Run(new RelayCommand.Query("Q".getBytes(UTF_8))),
              answer)
          .start();
      int taken = say(connection, bytes, how);
      String seen =
          switch (outcome) {
            case null -> throw new IllegalStateException("nobody was told of the end");
            // what has been passed on of a packet that never ends depends on how it came
            case RelayOutcome.Lost _ -> "lost";
            case RelayOutcome told -> told + " " + ByteBufUtil.hexDump(sink.written());
          };
      if (counting.held() != 0) {
        throw new IllegalStateException(counting.held() + " bytes are not given back");
      }
      return new Read(seen, taken);
    }
  }

  /** The merge lane: text rows, binary rows, or a statement without rows. */
  private static Read merged(int kind, long server, byte[] bytes, int how) {
    var connection = new ScriptedConnection(server);
    if (kind == 2) {
      var reply = new WireReply(connection);
      start(connection, reply);
      int taken = say(connection, bytes, how);
      var told = reply.reply().getNow(null);
      if (told == null) {
        throw new IllegalStateException("nobody was told of the end");
      }
      return new Read(told.isLost() ? "lost" : told.toString(), taken);
    }
    boolean isBinary = kind == 1;
    var cursor =
        new WireCursor(
            connection, isBinary, StatementMemory.UNLIMITED, DatabaseWait.NONE, () -> {});
    start(connection, cursor);
    int taken = say(connection, bytes, how);
    String seen = rows(cursor, isBinary);
    cursor.close();
    return new Read(seen, taken);
  }

  private static String rows(WireCursor cursor, boolean isBinary) {
    var seen = new StringBuilder();
    try {
      List<ResultColumn> columns = cursor.opened().columns();
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        seen.append(ByteBufUtil.hexDump(row)).append(' ').append(cells(columns, row, isBinary));
      }
      return seen.append(cursor.outcome()).toString();
    } catch (ShardException.Lost lost) {
      return "lost";
    } catch (ShardException failure) {
      return seen.append(failure).toString();
    }
  }

  private static void start(ScriptedConnection connection, Answer answer) {
    new Conversation(
            connection,
            new KeptStatements(4),
            List.of(),
            new Conversation.Run(new RelayCommand.Query("Q".getBytes(UTF_8))),
            answer)
        .start();
  }

  /** The row in the other protocol's form; or why there is none. */
  private static String cells(List<ResultColumn> columns, byte[] row, boolean isBinary) {
    var types = new ArrayList<ColumnType>();
    try {
      for (ResultColumn column : columns) {
        types.add(ColumnType.of(column.type()));
      }
      RowReader reader = isBinary ? new BinaryRowReader(types) : new TextRowReader(columns.size());
      reader.read(row);
      return isBinary ? asText(columns, types, reader) : asBinary(columns, types, reader);
    } catch (ProtocolViolationException malformed) {
      return "malformed";
    }
  }

  private static String asText(
      List<ResultColumn> columns, List<ColumnType> types, RowReader reader) {
    var writer = new TextRowWriter();
    writer.begin();
    for (int i = 0; i < reader.columns(); i++) {
      if (reader.isNull(i)) {
        writer.addNull();
      } else {
        conversion(columns, types, i)
            .addAsText(writer, reader.payload(), reader.offset(i), reader.length(i));
      }
    }
    return ByteBufUtil.hexDump(writer.finish());
  }

  private static String asBinary(
      List<ResultColumn> columns, List<ColumnType> types, RowReader reader) {
    var writer = new BinaryRowWriter(reader.columns());
    writer.begin();
    for (int i = 0; i < reader.columns(); i++) {
      if (reader.isNull(i)) {
        writer.addNull();
      } else {
        conversion(columns, types, i)
            .addAsBinary(writer, reader.payload(), reader.offset(i), reader.length(i));
      }
    }
    return ByteBufUtil.hexDump(writer.finish());
  }

  private static CellConversion conversion(
      List<ResultColumn> columns, List<ColumnType> types, int at) {
    ResultColumn column = columns.get(at);
    return new CellConversion(types.get(at), column.flags(), column.decimals(), column.length());
  }
}
