package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.breaker.AnswerListener;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.loop.DirectSend;
import io.anabranch.backend.loop.RelayLoop;
import io.anabranch.backend.prepared.TypesOfStatement;
import io.anabranch.backend.relay.command.OriginText;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.relay.command.RelayRequest;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.protocol.command.CommandCode;
import io.anabranch.protocol.command.CommandWriter;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.parameter.TypeHistory;
import io.anabranch.rules.error.RefusedException;
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
public final class Conversation implements BackendConnection.Receiver {

  private static final byte[] NOTHING = "DO 0".getBytes(StandardCharsets.US_ASCII);

  private static final int COPY_LIMIT = 16 * 1024;

  /** Most commands are shorter, with all that goes in front of them. */
  private static final int EXPECTED_BYTES = 512;

  /** ER_SIGNAL_EXCEPTION: that a client has raised itself. */
  private static final int RAISED = 1644;

  /** ER_MAX_PREPARED_STMT_COUNT_REACHED. */
  private static final int TOO_MANY_STATEMENTS = 1461;

  private enum Stage {
    PROLOGUE,
    PREPARE,
    PRIMING,
    COMMAND,
    OVER
  }

  /** What is said, besides the prologue. */
  sealed interface Task {}

  /** A command whose answer goes to the {@link Answer}. */
  public record Run(RelayCommand command) implements Task {}

  /**
   * Prepares only; the answer is completed without having read anything.
   *
   * @param keep whether the statement stays for later executions
   * @param execution the next one, which it must suit; null: whichever comes
   */
  public record Prepare(byte[] sql, boolean keep, @Nullable Execution execution) implements Task {}

  /** What an execution needs a prepared statement for. */
  public record Execution(ShardQuery query, ExecuteParameters values) {}

  private final BackendConnection connection;
  private final KeptStatements kept;
  private final List<byte[]> prologue;
  private final byte[] await;
  private final Task task;

  /** The server would end the connection: what is due in front runs, and the task does not. */
  private final boolean isTooLong;

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
  private @Nullable Priming priming;
  private @Nullable RefusedException refused;

  /** What the execution runs; its types may be others afterwards. */
  private @Nullable PreparedStatement executed;

  /** Of the handle whose statement is to be primed; null: it has none. */
  private @Nullable TypeHistory history;

  private boolean isFirstExecution;

  /** Is told of the answer; null: nobody is. */
  private @Nullable AnswerListener answers;

  private long begun;
  private boolean isHeard;
  private long heard;

  public Conversation(
      BackendConnection connection,
      KeptStatements kept,
      List<byte[]> prologue,
      Task task,
      Answer answer) {
    this(connection, kept, prologue, RelayRequest.Proviso.NONE.await(), task, answer);
  }

  /**
   * @param await as in {@link RelayRequest.Proviso}
   */
  public Conversation(
      BackendConnection connection,
      KeptStatements kept,
      List<byte[]> prologue,
      byte[] await,
      Task task,
      Answer answer) {
    this.await = await;
    this.connection = connection;
    this.kept = kept;
    this.prologue = prologue;
    this.isTooLong = !PacketLimit.takes(task, connection.longestPacket());
    this.task = isTooLong ? new Run(new RelayCommand.Query(NOTHING)) : task;
    if (isTooLong && task instanceof Run(RelayCommand.Packet(ByteBuf payload, ResponseForm _))) {
      payload.release();
    }
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

  public void start() {
    if (!connection.channel().isActive()) {
      stage = Stage.OVER;
      releaseCommand();
      answer.lost("the server closed the connection", false);
      return;
    }
    connection.receiver(this);
    AnswerListener told = connection.answers();
    if (told != null) {
      answers = told;
      begun = told.now();
    }
    boolean isAlone = prologue.isEmpty() && await.length == 0;
    if (isAlone) {
      stage = Stage.COMMAND;
    }
    if (!isAlone || isTooLong) {
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
      enters(statement);
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
      case Prepare(byte[] sql, boolean keep, Execution _) -> sendPrepare(channel, out, sql, keep);
      case Run(RelayCommand.Query(byte[] sql, ResponseForm _)) -> {
        CommandWriter.query(
            out, OriginText.of(sql, connection.origin(), connection.longestPacket()));
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
   * START TRANSACTION and XA START can fail only in states that the proxy never brings a connection
   * into; where XA END fails, all that the proxy sends behind it fails too.
   */
  private static boolean mayFail(byte[] statement) {
    String text = new String(statement, StandardCharsets.ISO_8859_1);
    return !text.equals("START TRANSACTION")
        && !text.startsWith("XA START ")
        && !text.startsWith("XA END ");
  }

  /** Texts mean other tables from then on. */
  private void enters(byte[] statement) {
    if (statement.length > 4 && statement[0] == 'U' && statement[1] == 'S') {
      StatementCache.of(connection).entered(new String(statement, StandardCharsets.UTF_8));
    }
  }

  private void sendCommand(Channel channel, ByteBuf out) {
    commandSent = true;
    DirectSend.send(channel, out);
  }

  private void sendPrepare(Channel channel, ByteBuf out, byte[] sql, boolean keep) {
    SessionSettings settings = connection.applied();
    PreparedStatement known =
        keep && task instanceof Prepare prepare ? kept.of(connection).any(prepare, settings) : null;
    if (known == null || !known.under().equals(settings)) {
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
    PreparedStatement known = known(execute.query(), execute.readUnder(), execute.parameters());
    if (known == null) {
      sendPrepare(channel, out, execute.query().sql(), true);
      return;
    }
    sendExecute(channel, out, known, execute);
  }

  private void sendExecute(
      Channel channel, ByteBuf out, PreparedStatement statement, RelayCommand.Execute execute) {
    int[] wanted = execute.query().parameters();
    if (!isReady(channel, out, statement, execute.query(), execute.parameters())) {
      return;
    }
    answer.executes(statement.columns(), StatementCache.of(connection).unrepeated(statement));
    executed = statement;
    ByteBuf last = longValuesFirst(channel, out, statement, execute.parameters(), wanted);
    CommandWriter.stmtExecute(last, statement.id(), execute.parameters(), wanted);
    sendCommand(channel, last);
  }

  /**
   * Values that came ahead of the client's execution go ahead of this one.
   *
   * @return where the command goes
   */
  private static ByteBuf longValuesFirst(
      Channel channel,
      ByteBuf out,
      PreparedStatement statement,
      ExecuteParameters parameters,
      int[] wanted) {
    if (!parameters.hasLongValues()) {
      return out;
    }
    var _ = channel.write(out);
    CommandWriter.stmtSendLongData(
        channel.alloc(),
        statement.id(),
        parameters,
        wanted,
        packets -> {
          var _ = channel.write(packets);
        });
    return channel.alloc().buffer();
  }

  /**
   * Whether the server has for the statement's parameters what the client's history says; if not,
   * that is brought about first.
   */
  private boolean isReady(
      Channel channel,
      ByteBuf out,
      PreparedStatement statement,
      ShardQuery query,
      ExecuteParameters parameters) {
    TypesOfStatement types = statement.types();
    if (types == null || types.isUsed()) {
      return true;
    }
    int[] wanted = query.parameters();
    boolean isReached = types.use(parameters, wanted);
    isFirstExecution = types.isChanged();
    if (isReached) {
      return true;
    }
    isFirstExecution = true;
    executed = statement;
    history = parameters.history();
    ExecuteParameters first = types.missing(parameters, wanted);
    try {
      if (first == null) {
        throw Priming.refusal();
      }
      priming =
          Priming.of(
              query.sql(),
              statement.id(),
              first,
              wanted,
              connection.applied(),
              connection.start(),
              connection.capabilities());
    } catch (RefusedException refusal) {
      refuse(channel, out, statement, refusal);
      return false;
    }
    if (stage == Stage.COMMAND) {
      beginPriming(out, priming);
    }
    DirectSend.send(channel, out);
    return false;
  }

  private void beginPriming(ByteBuf out, Priming begun) {
    stage = Stage.PRIMING;
    begun.begin(out);
  }

  /** Nothing that the client has asked for was done. */
  private void refuse(
      Channel channel, ByteBuf out, PreparedStatement statement, RefusedException refusal) {
    if (history != null) {
      history.refused();
    }
    close(statement, out);
    DirectSend.send(channel, out);
    if (stage == Stage.PROLOGUE) {
      refused = refusal;
    } else {
      end();
      answer.failed(Priming.error(refusal), false);
    }
  }

  private boolean primed(Priming over) {
    priming = null;
    stage = Stage.COMMAND;
    Channel channel = connection.channel();
    ByteBuf out = channel.alloc().buffer();
    PreparedStatement statement = executed;
    if (statement == null) {
      throw new IllegalStateException("nothing to execute");
    }
    if (over.isRefused()) {
      refuse(channel, out, statement, Priming.refusal());
      return true;
    }
    switch (task) {
      case Run(RelayCommand.Execute execute) -> sendExecute(channel, out, statement, execute);
      case Run(RelayCommand.Open open) -> sendOpen(channel, out, statement, open);
      case Run(RelayCommand other) ->
          throw new IllegalStateException("nothing to execute for " + other);
      case Prepare _ -> throw new IllegalStateException("nothing to execute");
    }
    return true;
  }

  private void sendOpen(
      Channel channel, ByteBuf out, PreparedStatement statement, RelayCommand.Open open) {
    if (!isReady(channel, out, statement, open.query(), open.parameters())) {
      return;
    }
    answer.executes(statement.columns(), StatementCache.of(connection).unrepeated(statement));
    open.cursor().prepared(statement.id());
    int[] wanted = open.query().parameters();
    ByteBuf last = longValuesFirst(channel, out, statement, open.parameters(), wanted);
    CommandWriter.stmtExecuteWithCursor(last, statement.id(), open.parameters(), wanted);
    sendCommand(channel, last);
  }

  private void sendBulk(Channel channel, ByteBuf out, RelayCommand.Bulk bulk) {
    PreparedStatement known = known(bulk.query(), bulk.readUnder(), ExecuteParameters.NONE);
    if (known == null) {
      sendPrepare(channel, out, bulk.query().sql(), true);
      return;
    }
    sendBulk(channel, out, known, bulk);
  }

  private void sendBulk(
      Channel channel, ByteBuf out, PreparedStatement statement, RelayCommand.Bulk bulk) {
    answer.executes(statement.columns(), StatementCache.of(connection).unrepeated(statement));
    CommandWriter.stmtBulkExecute(out, statement.id(), bulk.arguments());
    sendCommand(channel, out);
  }

  /** Null: it is to be prepared first. */
  private @Nullable PreparedStatement known(
      ShardQuery query, @Nullable SessionSettings reading, ExecuteParameters values) {
    SessionSettings applied = connection.applied();
    SessionSettings under = reading == null ? applied : applied.readingAs(reading);
    StatementCache statements = kept.of(connection);
    PreparedStatement known =
        reading == null
            ? statements.get(query, under, applied, values)
            : statements.early(query, under, applied, values);
    if (known == null && reading != null) {
      throw new IllegalStateException("not prepared as it is to be read: " + query);
    }
    return known;
  }

  private void sendPacket(Channel channel, ByteBuf out, ByteBuf payload) {
    commandSent = true;
    if (payload.getByte(payload.readerIndex()) == CommandCode.RESET_CONNECTION) {
      StatementCache.of(connection).clear(_ -> {});
    }
    byte[] told = OriginText.of(payload, connection.origin(), connection.longestPacket());
    if (told != null) {
      CommandWriter.query(out, told);
      payload.release();
      DirectSend.send(channel, out);
      return;
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
      case PRIMING -> priming != null && primingRead(in, priming);
      case COMMAND -> {
        if (answers != null) {
          hear(answers);
        }
        boolean done = (unreached || isTooLong) ? swallowed.read(in) : answer.read(in);
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

  private void hear(AnswerListener told) {
    if (!isHeard) {
      isHeard = true;
      heard = told.now();
    }
  }

  /**
   * @param errno 0: no error
   */
  private void tell(int errno) {
    AnswerListener told = answers;
    if (told != null) {
      hear(told);
      told.answered(begun, heard, errno != 0 && connection.raisesErrors() ? RAISED : errno);
    }
  }

  private boolean primingRead(ByteBuf in, Priming running) {
    Channel channel = connection.channel();
    ByteBuf out = channel.alloc().buffer();
    boolean isOver;
    try {
      isOver = running.read(in, out);
    } catch (RuntimeException e) {
      out.release();
      throw e;
    }
    if (out.isReadable()) {
      DirectSend.send(channel, out);
    } else {
      out.release();
    }
    return isOver && primed(running);
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
        tell(error.errno());
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
      if (isTooLong && !unreached) {
        swallowed.expect();
      }
    } else if (preparing != null) {
      stage = Stage.PREPARE;
    } else if (prepared != null) {
      complete();
    } else if (refused != null) {
      end();
      answer.failed(Priming.error(refused), false);
    } else if (priming != null && !unreached) {
      ByteBuf out = connection.channel().alloc().buffer();
      beginPriming(out, priming);
      DirectSend.send(connection.channel(), out);
    } else {
      if (allSent) {
        stage = Stage.COMMAND;
      }
      if (!allSent || isTooLong) {
        swallowed.expect();
      }
      send();
    }
    return true;
  }

  private boolean prepareAnswered(PrepareAnswer answered) {
    preparing = null;
    ErrPacket error = answered.error();
    if (error != null && unreached) {
      // of a table that the replica has not got yet, perhaps: the primary is asked
      complete();
      return true;
    }
    if (error != null && error.errno() == TOO_MANY_STATEMENTS && makeRoom()) {
      return true;
    }
    if (error != null) {
      end();
      releaseCommand();
      tell(error.errno());
      answer.failed(error, false);
      return true;
    }
    PreparedStatement statement = answered.statement(connection.applied());
    Channel channel = connection.channel();
    ByteBuf out = channel.alloc().buffer();
    stage = Stage.COMMAND;
    if (unreached) {
      keep(statementText(), statement, out);
      if (out.isReadable()) {
        DirectSend.send(channel, out);
      } else {
        out.release();
      }
      complete();
      return true;
    }
    switch (task) {
      case Prepare(byte[] sql, boolean keep, Execution _) -> {
        prepared = statement;
        if (keep) {
          keep(sql, statement, out);
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
        PreparedStatement kept = keep(execute.query().sql(), statement, out);
        sendExecute(channel, out, kept, execute);
      }
      case Run(RelayCommand.Bulk bulk) -> {
        PreparedStatement kept = keep(bulk.query().sql(), statement, out);
        sendBulk(channel, out, kept, bulk);
      }
      case Run(RelayCommand.Open open) -> {
        StatementCache cache = StatementCache.of(connection);
        sendOpen(channel, out, cache.alone(open.query().sql(), statement), open);
      }
      case Run(RelayCommand other) ->
          throw new IllegalStateException("nothing to prepare for " + other);
    }
    return true;
  }

  /** The server's limit is for all its connections: gives up this one's and tries once more. */
  private boolean makeRoom() {
    Channel channel = connection.channel();
    StatementCache cache = StatementCache.of(connection);
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
      case Prepare(byte[] sql, boolean _, Execution _) -> sql;
      case Run(RelayCommand.Execute execute) -> execute.query().sql();
      case Run(RelayCommand.Bulk bulk) -> bulk.query().sql();
      case Run(RelayCommand.Open open) -> open.query().sql();
      case Run(RelayCommand other) ->
          throw new IllegalStateException("nothing to prepare for " + other);
    };
  }

  private PreparedStatement keep(byte[] sql, PreparedStatement statement, ByteBuf out) {
    return kept.of(connection)
        .put(
            sql,
            connection.applied(),
            statement,
            kept.limit(),
            id -> CommandWriter.stmtClose(out, id));
  }

  @Override
  public void readComplete() {
    if (stage == Stage.COMMAND && commandSent && !unreached && !isTooLong) {
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
      AnswerListener told = answers;
      // an answer that breaks off may have waited too long for a client that does not read it
      if (told != null && !isHeard && !connection.isAborted()) {
        told.lost(begun);
      }
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
    } else if (isTooLong) {
      answer.failed(PacketLimit.error(), false);
    } else {
      if ((isFirstExecution || hasLongValues()) && answer.isError()) {
        forgetStatement();
      }
      if (answer.isError()) {
        // the first of its rows may have got a key
        connection.insertId().forget();
      }
      tell(answer.errno());
      answer.completed();
    }
  }

  /** A server may keep them, or that they were too long, when the execution fails. */
  private boolean hasLongValues() {
    return task instanceof Run(RelayCommand.Execute execute)
        && execute.parameters().hasLongValues();
  }

  /**
   * A statement of which it is not known what the server keeps of it: types, long data, the columns
   * that it has told.
   */
  private void forgetStatement() {
    PreparedStatement statement = executed;
    if (statement != null) {
      Channel channel = connection.channel();
      ByteBuf out = channel.alloc().buffer();
      close(statement, out);
      DirectSend.send(channel, out);
    }
  }

  /** Kept or not: a cursor has one of its own, which nobody else may know yet. */
  private void close(PreparedStatement statement, ByteBuf out) {
    StatementCache.of(connection).remove(statement);
    CommandWriter.stmtClose(out, statement.id());
  }

  private void end() {
    stage = Stage.OVER;
    connection.noReceiver();
  }
}
