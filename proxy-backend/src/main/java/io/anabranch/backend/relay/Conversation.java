package io.anabranch.backend.relay;

import io.anabranch.backend.loop.DirectSend;
import io.anabranch.backend.loop.RelayLoop;
import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.protocol.command.CommandCode;
import io.anabranch.protocol.command.CommandWriter;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command and all that goes in front of it on a leased connection: prologue, COM_STMT_PREPARE
 * where the statement is not prepared yet, the command. On the event loop from start to end.
 *
 * <p>Statements that cannot fail go out in one packet train with what follows; behind any other the
 * rest waits, so that nothing runs after an error.
 */
final class Conversation implements BackendConnection.Receiver {

  private static final int COPY_LIMIT = 16 * 1024;

  /** Most commands are shorter, with all that goes in front of them. */
  private static final int EXPECTED_BYTES = 512;

  /** ER_MAX_PREPARED_STMT_COUNT_REACHED. */
  private static final int TOO_MANY_STATEMENTS = 1461;

  private enum Stage {
    PROLOGUE,
    PREPARE,
    COMMAND,
    OVER
  }

  /** What is said, besides the prologue. */
  sealed interface Task {}

  /** A command whose answer goes to the {@link Answer}. */
  record Run(RelayCommand command) implements Task {}

  /**
   * Prepares only; the answer is completed without having read anything.
   *
   * @param keep whether the statement stays for later executions
   */
  record Prepare(byte[] sql, boolean keep) implements Task {}

  private final BackendConnection connection;
  private final int statementLimit;
  private final List<byte[]> prologue;
  private final byte[] await;
  private final Task task;
  private final Answer answer;
  private final Incoming incoming = new Incoming();
  private final SwallowedAnswer swallowed;

  private Stage stage = Stage.PROLOGUE;
  private int sentOfPrologue;
  private int answeredOfPrologue;
  private boolean awaitSent;
  private boolean awaitAnswered;
  private boolean unreached;
  private boolean commandSent;
  private @Nullable PrepareAnswer preparing;
  private @Nullable PreparedStatement prepared;

  Conversation(
      BackendConnection connection,
      int statementLimit,
      List<byte[]> prologue,
      Task task,
      Answer answer) {
    this(connection, statementLimit, prologue, RelayRequest.Proviso.NONE.await(), task, answer);
  }

  /**
   * @param await as in {@link RelayRequest.Proviso}
   */
  Conversation(
      BackendConnection connection,
      int statementLimit,
      List<byte[]> prologue,
      byte[] await,
      Task task,
      Answer answer) {
    this.await = await;
    this.connection = connection;
    this.statementLimit = statementLimit;
    this.prologue = prologue;
    this.task = task;
    this.answer = answer;
    this.swallowed = new SwallowedAnswer(connection.capabilities());
  }

  /** The statement of {@link Prepare}; after completion. */
  PreparedStatement prepared() {
    if (prepared == null) {
      throw new IllegalStateException("nothing was prepared");
    }
    return prepared;
  }

  void start() {
    if (!connection.channel().isActive()) {
      stage = Stage.OVER;
      releaseCommand();
      answer.lost("the server closed the connection", false);
      return;
    }
    connection.receiver(this);
    if (prologue.isEmpty() && await.length == 0) {
      stage = Stage.COMMAND;
    } else {
      swallowed.expect();
    }
    try {
      send();
    } catch (RuntimeException impossible) {
      // A request that makes no sense: the caller's mistake, and it must discard the lease.
      end();
      releaseCommand();
      throw impossible;
    }
  }

  // ---- sending

  private void send() {
    Channel channel = connection.channel();
    ByteBuf out = RelayLoop.leaving(channel, EXPECTED_BYTES);
    while (sentOfPrologue < prologue.size()) {
      byte[] statement = prologue.get(sentOfPrologue++);
      CommandWriter.query(out, statement);
      if (mayFail(statement)) {
        DirectSend.send(channel, out);
        return;
      }
    }
    if (await.length > 0 && !awaitSent) {
      awaitSent = true;
      CommandWriter.query(out, await);
    }
    switch (task) {
      case Prepare(byte[] sql, boolean keep) -> sendPrepare(channel, out, sql, keep);
      case Run(RelayCommand.Query(byte[] sql, ResponseForm _)) -> {
        CommandWriter.query(out, sql);
        sendCommand(channel, out);
      }
      case Run(RelayCommand.Execute execute) -> sendExecute(channel, out, execute);
      case Run(RelayCommand.Bulk bulk) -> sendBulk(channel, out, bulk);
      case Run(RelayCommand.Open open) -> sendPrepare(channel, out, open.query().sql(), false);
      case Run(RelayCommand.Fetch(RelayCursor cursor, long rows)) -> {
        CommandWriter.stmtFetch(out, cursor.statement(), rows);
        sendCommand(channel, out);
      }
      case Run(RelayCommand.Packet(ByteBuf payload, ResponseForm _)) ->
          sendPacket(channel, out, payload);
    }
  }

  /**
   * BEGIN and XA START can fail only in states that the proxy never brings a connection into; where
   * XA END fails, all that the proxy sends behind it fails too.
   */
  private static boolean mayFail(byte[] statement) {
    String text = new String(statement, StandardCharsets.ISO_8859_1);
    return !text.equals("BEGIN")
        && !text.equals("START TRANSACTION")
        && !text.startsWith("XA START ")
        && !text.startsWith("XA END ");
  }

  private void sendCommand(Channel channel, ByteBuf out) {
    commandSent = true;
    DirectSend.send(channel, out);
  }

  private void sendPrepare(Channel channel, ByteBuf out, byte[] sql, boolean keep) {
    SessionSettings settings = connection.applied();
    PreparedStatement known = keep ? StatementCache.of(channel).get(sql, settings.reading()) : null;
    boolean isAsTold = task instanceof Run || (known != null && known.under().equals(settings));
    if (known == null || !isAsTold) {
      preparing =
          new PrepareAnswer(connection.capabilities(), connection.applied().resultCharset());
      CommandWriter.stmtPrepare(out, sql);
      if (stage == Stage.COMMAND) {
        stage = Stage.PREPARE;
      }
      DirectSend.send(channel, out);
      return;
    }
    prepared = known;
    if (stage == Stage.PROLOGUE) {
      DirectSend.send(channel, out);
    } else {
      out.release();
      complete();
    }
  }

  private void sendExecute(Channel channel, ByteBuf out, RelayCommand.Execute execute) {
    PreparedStatement known = known(channel, execute.query(), execute.readUnder());
    if (known == null) {
      sendPrepare(channel, out, execute.query().sql(), true);
      return;
    }
    sendExecute(channel, out, known, execute);
  }

  private void sendExecute(
      Channel channel, ByteBuf out, PreparedStatement statement, RelayCommand.Execute execute) {
    answer.executes(statement.columns());
    int[] wanted = execute.query().parameters();
    CommandWriter.stmtExecute(out, statement.id(), execute.parameters(), wanted);
    sendCommand(channel, out);
  }

  private void sendBulk(Channel channel, ByteBuf out, RelayCommand.Bulk bulk) {
    PreparedStatement known = known(channel, bulk.query(), bulk.readUnder());
    if (known == null) {
      sendPrepare(channel, out, bulk.query().sql(), true);
      return;
    }
    sendBulk(channel, out, known, bulk);
  }

  private void sendBulk(
      Channel channel, ByteBuf out, PreparedStatement statement, RelayCommand.Bulk bulk) {
    answer.executes(statement.columns());
    CommandWriter.stmtBulkExecute(out, statement.id(), bulk.arguments());
    sendCommand(channel, out);
  }

  private SessionSettings reading(@Nullable SessionSettings given) {
    return given == null ? connection.applied().reading() : given;
  }

  /** Null: it is to be prepared first. */
  private @Nullable PreparedStatement known(
      Channel channel, ShardQuery query, @Nullable SessionSettings reading) {
    PreparedStatement known = StatementCache.of(channel).get(query.sql(), reading(reading));
    if (known == null && reading != null) {
      throw new IllegalStateException("not prepared as it is to be read: " + query);
    }
    return known;
  }

  private void sendPacket(Channel channel, ByteBuf out, ByteBuf payload) {
    commandSent = true;
    if (payload.getByte(payload.readerIndex()) == CommandCode.RESET_CONNECTION) {
      StatementCache.of(channel).clear(_ -> {});
    }
    if (payload.readableBytes() <= COPY_LIMIT) {
      PacketWriter.write(out, 0, payload);
      payload.release();
      DirectSend.send(channel, out);
      return;
    }
    int sequence = 0;
    ByteBuf header = out;
    int chunk;
    do {
      chunk = Math.min(payload.readableBytes(), PacketWriter.MAX_PAYLOAD);
      header.writeMediumLE(chunk).writeByte(sequence++);
      var _ = channel.write(header);
      var _ = channel.write(payload.readRetainedSlice(chunk));
      header = channel.alloc().buffer(PacketWriter.HEADER_SIZE);
    } while (chunk == PacketWriter.MAX_PAYLOAD);
    header.release();
    payload.release();
    channel.flush();
  }

  private void releaseCommand() {
    if (!commandSent && task instanceof Run(RelayCommand.Packet(ByteBuf payload, ResponseForm _))) {
      payload.release();
    }
  }

  // ---- receiving

  @Override
  public void received(ByteBuf bytes) {
    ByteBuf in = incoming.joined(connection.channel(), bytes);
    boolean kept = false;
    try {
      boolean progress = true;
      while (progress && stage != Stage.OVER && in.isReadable()) {
        progress = advance(in);
      }
      if (stage != Stage.OVER) {
        kept = true;
        incoming.keep(in);
      }
    } catch (RuntimeException nonsense) {
      lose("cannot understand the server: " + nonsense.getMessage());
    } finally {
      if (!kept) {
        in.release();
      }
    }
  }

  /**
   * @return whether a stage ended, so that the next one may find more to read
   */
  private boolean advance(ByteBuf in) {
    return switch (stage) {
      case PROLOGUE -> swallowed.read(in) && prologueAnswered();
      case PREPARE -> preparing != null && preparing.read(in) && prepareAnswered(preparing);
      case COMMAND -> {
        boolean done = unreached ? swallowed.read(in) : answer.read(in);
        if (done) {
          if (in.isReadable()) {
            throw new IllegalStateException("more bytes than the answer has");
          }
          complete();
        }
        yield done;
      }
      case OVER -> false;
    };
  }

  private boolean prologueAnswered() {
    if (answeredOfPrologue == prologue.size()) {
      return awaited();
    }
    ErrPacket error = swallowed.error();
    answeredOfPrologue++;
    if (error != null) {
      if (answeredOfPrologue < sentOfPrologue || commandSent || preparing != null) {
        lose("a statement that cannot fail failed: " + error.message());
      } else {
        end();
        releaseCommand();
        answer.failed(error, true);
      }
      return true;
    }
    if (answeredOfPrologue < sentOfPrologue || awaitSent) {
      swallowed.expect();
      return true;
    }
    return proceed();
  }

  /** The replica has caught up, or it has not: then what was sent behind is read away. */
  private boolean awaited() {
    awaitAnswered = true;
    unreached = swallowed.error() != null || !swallowed.is('0');
    if (unreached && commandSent) {
      boolean isBinary = task instanceof Run(RelayCommand.Execute _);
      swallowed.expect(isBinary ? Response.BINARY : Response.TEXT);
    } else if (unreached && preparing == null) {
      complete();
      return true;
    }
    return proceed();
  }

  private boolean proceed() {
    boolean allSent = sentOfPrologue == prologue.size() && (await.length == 0 || awaitAnswered);
    if (commandSent) {
      stage = Stage.COMMAND;
    } else if (preparing != null) {
      stage = Stage.PREPARE;
    } else if (prepared != null) {
      complete();
    } else {
      if (allSent) {
        stage = Stage.COMMAND;
      } else {
        swallowed.expect();
      }
      send();
    }
    return true;
  }

  private boolean prepareAnswered(PrepareAnswer answered) {
    preparing = null;
    ErrPacket error = answered.error();
    if (error != null && error.errno() == TOO_MANY_STATEMENTS && makeRoom()) {
      return true;
    }
    if (error != null) {
      end();
      releaseCommand();
      answer.failed(error, false);
      return true;
    }
    PreparedStatement statement = answered.statement(connection.applied());
    Channel channel = connection.channel();
    ByteBuf out = channel.alloc().buffer();
    stage = Stage.COMMAND;
    if (unreached) {
      keep(channel, statementText(), statement, out);
      if (out.isReadable()) {
        DirectSend.send(channel, out);
      } else {
        out.release();
      }
      complete();
      return true;
    }
    switch (task) {
      case Prepare(byte[] sql, boolean keep) -> {
        prepared = statement;
        if (keep) {
          keep(channel, sql, statement, out);
        } else {
          CommandWriter.stmtClose(out, statement.id());
        }
        if (out.isReadable()) {
          DirectSend.send(channel, out);
        } else {
          out.release();
        }
        complete();
      }
      case Run(RelayCommand.Execute execute) -> {
        keep(channel, execute.query().sql(), statement, out);
        sendExecute(channel, out, statement, execute);
      }
      case Run(RelayCommand.Bulk bulk) -> {
        keep(channel, bulk.query().sql(), statement, out);
        sendBulk(channel, out, statement, bulk);
      }
      case Run(
              RelayCommand.Open(
                  ShardQuery query,
                  ExecuteParameters parameters,
                  RelayCursor cursor)) -> {
        answer.executes(statement.columns());
        cursor.prepared(statement.id());
        CommandWriter.stmtExecuteWithCursor(out, statement.id(), parameters, query.parameters());
        sendCommand(channel, out);
      }
      case Run(RelayCommand other) ->
          throw new IllegalStateException("nothing to prepare for " + other);
    }
    return true;
  }

  /** The server's limit is for all its connections: gives up this one's and tries once more. */
  private boolean makeRoom() {
    Channel channel = connection.channel();
    StatementCache cache = StatementCache.of(channel);
    if (cache.size() == 0) {
      return false;
    }
    ByteBuf out = channel.alloc().buffer();
    cache.clear(id -> CommandWriter.stmtClose(out, id));
    preparing = new PrepareAnswer(connection.capabilities(), connection.applied().resultCharset());
    CommandWriter.stmtPrepare(out, statementText());
    channel.writeAndFlush(out);
    return true;
  }

  private byte[] statementText() {
    return switch (task) {
      case Prepare(byte[] sql, boolean _) -> sql;
      case Run(RelayCommand.Execute execute) -> execute.query().sql();
      case Run(RelayCommand.Bulk bulk) -> bulk.query().sql();
      case Run(RelayCommand.Open open) -> open.query().sql();
      case Run(RelayCommand other) ->
          throw new IllegalStateException("nothing to prepare for " + other);
    };
  }

  private void keep(Channel channel, byte[] sql, PreparedStatement statement, ByteBuf out) {
    StatementCache.of(channel)
        .put(
            sql,
            connection.applied().reading(),
            statement,
            statementLimit,
            id -> CommandWriter.stmtClose(out, id));
  }

  @Override
  public void readComplete() {
    if (stage == Stage.COMMAND && commandSent && !unreached) {
      answer.batchRead();
    } else {
      connection.channel().read();
    }
  }

  @Override
  public void closed(String reason) {
    if (stage != Stage.OVER) {
      stage = Stage.OVER;
      incoming.release();
      releaseCommand();
      answer.lost(reason, commandSent);
    }
  }

  private void lose(String reason) {
    if (stage != Stage.OVER) {
      end();
      incoming.release();
      releaseCommand();
      answer.lost(reason, commandSent);
    }
  }

  private void complete() {
    end();
    if (unreached) {
      releaseCommand();
      forgetStatement();
      answer.unreached();
    } else {
      answer.completed();
    }
  }

  /** What the server has told of its columns was read away with its answer. */
  private void forgetStatement() {
    if (commandSent && task instanceof Run(RelayCommand.Execute execute)) {
      Channel channel = connection.channel();
      ByteBuf out = channel.alloc().buffer();
      StatementCache.of(channel)
          .remove(
              execute.query().sql(),
              reading(execute.readUnder()),
              id -> CommandWriter.stmtClose(out, id));
      DirectSend.send(channel, out);
    }
  }

  private void end() {
    stage = Stage.OVER;
    connection.noReceiver();
  }
}
