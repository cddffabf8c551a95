package io.anabranch.backend.relay;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.column.ClientColumns;
import io.anabranch.backend.relay.column.ColumnsRelay;
import io.anabranch.backend.relay.column.DefinitionCopy;
import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.column.NameRewriter;
import io.anabranch.backend.relay.column.ResultHeads;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayCallback;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.command.ResponseSink;
import io.anabranch.backend.relay.conversation.Answer;
import io.anabranch.backend.relay.conversation.ToldState;
import io.anabranch.backend.relay.conversation.TrackedPosition;
import io.anabranch.backend.row.RowCap;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Passes an answer on to the client. Bytes that both sides understand alike are forwarded as slices
 * of the buffers they came in, packets that must differ are written anew, and sequence numbers are
 * corrected in place where the numbers of packets differ.
 *
 * <p>What differs: EOF against OK-as-EOF (DEPRECATE_EOF), status flags, session state, MariaDB's
 * extended metadata, names. When the database asks for a file, the client's packets go to it until
 * the empty one that ends them.
 */
final class ClientAnswer implements Answer {

  private static final int FLUSH_BYTES = 64 * 1024;

  /** What databases say of statements that were ended; the sink knows why. */
  private static final ErrPacket INTERRUPTED =
      new ErrPacket(1317, "70100", "Query execution was interrupted");

  /** They decide how a result's first packet looks. */
  private static final long COUNT_FORMS =
      Capability.OPTIONAL_RESULTSET_METADATA | Capability.MARIADB_CACHE_METADATA;

  /** What ends the columns of a procedure's result, too. */
  private static final int OF_PROCEDURES =
      ServerStatus.MORE_RESULTS_EXISTS | ServerStatus.PS_OUT_PARAMS;

  private final BackendConnection connection;
  private final ResponseSink sink;
  private final RelayCallback callback;
  private final @Nullable NameRewriter rewriter;
  private final ResultHeads heads;
  private final boolean isTextPacket;
  private final boolean mayHaveCursor;
  private final boolean isProcedure;

  /** Flags of the columns' end besides those of the session, unless the rows' end knows better. */
  private final int columnsStatus;

  /** The client knows no results that are a procedure's OUT parameters: it gets none. */
  private final boolean hidesParameters;

  private final GeneratedKey key;
  private final KeptErrors keeps;
  private final RowCap.@Nullable Counting cap;
  private final boolean withholdsEnd;
  private final long backend;
  private final long client;
  private final boolean backendHasEof;
  private final boolean clientHasEof;
  private final DefinitionCopy definitions;
  private final ColumnsRelay columns;
  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private final Outgoing outgoing;

  private int definitionsLeft;

  /** Nothing was read yet, and what comes may begin like a result that is known. */
  private boolean isAtHead;

  /** Where the result's head starts in the buffer that is being read; -1: it is none to keep. */
  private int headStart = -1;

  /** The client expects an EOF behind the columns, whose status depends on what comes next. */
  private boolean columnsEndDue;

  /** Of a procedure's answer, before it is known whether these are its parameters. */
  private @Nullable ByteBuf firstRow;

  /** Rows of the results before the latest. */
  private long sentBefore;

  // Of the latest result:
  private long rows;
  private long affectedRows = -1;
  private long lastInsertId;
  private int warnings;
  private @Nullable ErrPacket error;
  private boolean keptError;

  /** The last packet is held, to be given to the callback. */
  private boolean isWithheld;

  /** The client has got all that it may: what still comes is read away. */
  private boolean isDropping;

  ClientAnswer(
      BackendConnection connection,
      ResponseForm form,
      KnownPlans.Known plan,
      @Nullable ClientColumns known,
      GeneratedKey key,
      KeptErrors keeps,
      @Nullable RowCap capped,
      boolean withholdsEnd,
      ResponseSink sink,
      RelayCallback callback) {
    this.connection = connection;
    this.sink = sink;
    this.callback = callback;
    this.rewriter = plan.rewriter();
    this.heads = plan.heads();
    this.key = key;
    this.keeps = keeps;
    this.cap = capped == null ? null : capped.counting();
    this.withholdsEnd = withholdsEnd;
    this.backend = connection.capabilities();
    this.client = sink.capabilities();
    this.backendHasEof = !Capability.has(backend, Capability.DEPRECATE_EOF);
    this.clientHasEof = !Capability.has(client, Capability.DEPRECATE_EOF);
    this.definitions = new DefinitionCopy(rewriter, backend, client);
    this.columns =
        new ColumnsRelay(
            rewriter, backend, client, form == ResponseForm.BINARY_RESULT ? known : null);
    this.outgoing = new Outgoing(connection.channel(), sink, scanner);
    this.state = new ResultSetState(backend);
    this.isTextPacket = form == ResponseForm.TEXT_PACKET;
    this.isAtHead =
        !backendHasEof && (form == ResponseForm.TEXT_RESULT || form == ResponseForm.BINARY_RESULT);
    this.mayHaveCursor = form == ResponseForm.CURSOR;
    this.isProcedure = form == ResponseForm.PROCEDURE;
    this.columnsStatus =
        isProcedure || form == ResponseForm.TEXT_PROCEDURE ? ServerStatus.MORE_RESULTS_EXISTS : 0;
    this.hidesParameters = isProcedure && !Capability.has(client, Capability.PS_MULTI_RESULTS);
    state.expect(
        switch (form) {
          case TEXT_RESULT, TEXT_PROCEDURE -> Response.TEXT;
          case BINARY_RESULT, PROCEDURE -> Response.BINARY;
          case CURSOR -> Response.CURSOR;
          case FETCH -> Response.FETCH;
          case FIELD_LIST -> Response.FIELD_LIST;
          case OK, EOF, TEXT_PACKET -> Response.SIMPLE;
        });
  }

  // ---- reading

  @Override
  public void executes(ToldColumns told, int warned) {
    if (columns.executes(told)) {
      isAtHead = false;
    }
  }

  @Override
  public boolean read(ByteBuf in) {
    outgoing.begin();
    headStart = -1;
    if (isAtHead) {
      isAtHead = false;
      head(in);
    }
    boolean done = false;
    while (!done && scanner.peek(in)) {
      if (!scanner.isStart() || scanner.isContinuation()) {
        passRest(in);
      } else if (isTextPacket) {
        if (!scanner.isWhole(in)) {
          break;
        }
        outgoing.pass(in);
        done = true;
      } else {
        Kind kind = state.kind(scanner);
        if (headStart >= 0 && (kind == Kind.ROW || kind == Kind.ROWS_END)) {
          remember(in);
        }
        if (kind == Kind.ROW) {
          if (cap != null && isTooMuch(cap)) {
            outgoing.skip(in);
            continue;
          }
          if (columnsEndDue && isHeld()) {
            if (!scanner.isWhole(in)) {
              break;
            }
            hold(in);
            continue;
          }
          if (columnsEndDue) {
            endColumns(in, columnsStatus);
          }
          rows++;
          outgoing.pass(in);
          if (cap == null && scanner.isAtMessageBoundary()) {
            rows += outgoing.passRows(in, state);
          }
          if (rows > 1) {
            outgoing.letGo();
          }
        } else if (scanner.isWhole(in)) {
          translate(kind, in);
        } else {
          break;
        }
      }
      done |= state.isDone() && scanner.isAtMessageBoundary();
    }
    outgoing.endRun(in);
    if (!done) {
      outgoing.writePending();
      if (outgoing.unflushed() >= FLUSH_BYTES) {
        outgoing.flush();
      }
    }
    return done;
  }

  /** What is behind the first part of a packet goes where that went. */
  private void passRest(ByteBuf in) {
    if (cap != null && scanner.isStart()) {
      cap.goesOn(scanner.length());
    }
    if (isDropping) {
      outgoing.skip(in);
    } else {
      outgoing.pass(in);
    }
  }

  /** Whether the row that begins is not for the client any more. */
  private boolean isTooMuch(RowCap.Counting counting) {
    if (!isDropping && !counting.takes(scanner.length())) {
      isDropping = true;
      outgoing.letGo();
      RefusedException refusal = counting.refusal();
      if (refusal != null) {
        callback.exceeded(refusal);
      }
    }
    return isDropping;
  }

  /** A whole packet that is not a row, behind the last one that the client gets. */
  private void drop(Kind kind, ByteBuf payload, ByteBuf in) {
    if (kind == Kind.ERR) {
      error = ErrPacket.decode(payload.slice());
    }
    state.accept(kind, payload);
    outgoing.skip(in);
  }

  /** Ends an answer of which the client has got all that it may. */
  private void endDropped() {
    if (columnsEndDue) {
      endColumns(Unpooled.EMPTY_BUFFER, 0);
    }
    ErrPacket told = sink.told(INTERRUPTED);
    error = told;
    ByteBuf out = outgoing.insert(Unpooled.EMPTY_BUFFER);
    told.encode(out);
    outgoing.end(out);
  }

  /** Answers the head of a result that began so before; otherwise it may be kept. */
  private void head(ByteBuf in) {
    ResultHeads.Head known = heads.find(in, client, headStatus(), outgoing.sequence());
    if (known == null) {
      headStart = in.readerIndex();
      return;
    }
    in.skipBytes(known.received().length);
    outgoing.add(known.sent(), known.nextSequence(), in.readableBytes());
    state.headRead();
  }

  /** All of the head was in one buffer, and is still in the next one that goes out. */
  private void remember(ByteBuf in) {
    outgoing.endRun(in);
    ByteBuf sent = outgoing.all();
    if (sent != null) {
      heads.remember(
          in,
          headStart,
          new ResultHeads.Circumstances(client, headStatus(), sink.sequence()),
          sent,
          outgoing.sequence());
    }
    headStart = -1;
  }

  private int headStatus() {
    return clientHasEof ? sink.status() : 0;
  }

  /** A whole packet that is not a row. */
  private void translate(Kind kind, ByteBuf in) {
    int start = in.readerIndex();
    ByteBuf payload = in.slice(start + PacketWriter.HEADER_SIZE, scanner.length());
    if (isDropping) {
      drop(kind, payload, in);
      return;
    }
    switch (kind) {
      case OK -> ok(payload, in);
      case ERR -> err(payload, in);
      case COLUMN_COUNT -> columnCount(payload, in);
      case COLUMN_DEFINITION -> columnDefinition(payload, in);
      case COLUMNS_END -> columnsEnd(payload, in);
      case ROWS_END -> rowsEnd(payload, in);
      case LOCAL_INFILE -> localInfile(in);
      case ROW, PREPARE_OK, PARAMETER_DEFINITION, PARAMETERS_END ->
          throw ProtocolViolationException.malformed("an answer with " + kind);
    }
  }

  private void ok(ByteBuf payload, ByteBuf in) {
    OkPacket packet = OkPacket.decode(payload.slice(), backend);
    TrackedPosition.tell(packet, connection);
    affectedRows = packet.affectedRows();
    lastInsertId = key.told(affectedRows, packet.lastInsertId());
    boolean keepsId = lastInsertId == packet.lastInsertId();
    warnings = packet.warnings();
    beginResult();
    state.ended(packet.status());
    int status = clientStatus(packet.status());
    withhold(packet.status(), in);
    if (keepsId && status == packet.status() && packet.sessionState().length == 0) {
      outgoing.pass(in);
      return;
    }
    OkPacket translated = translated(packet, lastInsertId, status);
    ByteBuf out = outgoing.replace(in);
    translated.encode(out, client);
    outgoing.end(out);
  }

  private void rowsEnd(ByteBuf payload, ByteBuf in) {
    affectedRows = -1;
    OkPacket packet;
    if (backendHasEof) {
      EofPacket eof = EofPacket.decode(payload.slice());
      packet = OkPacket.of(0, 0, eof.status(), eof.warnings());
    } else {
      packet = OkPacket.decode(payload.slice(), backend);
      TrackedPosition.tell(packet, connection);
    }
    warnings = packet.warnings();
    state.ended(packet.status());
    if (hidesParameters && (packet.status() & ServerStatus.PS_OUT_PARAMS) != 0) {
      leaveOut(in);
      return;
    }
    outgoing.letGo();
    int status = clientStatus(packet.status());
    if (columnsEndDue && !state.isFetchedLater(status)) {
      endColumns(in, status & OF_PROCEDURES);
    }
    columnsEndDue = false;
    withhold(packet.status(), in);
    boolean sameForm = backendHasEof == clientHasEof;
    if (sameForm && status == packet.status() && packet.sessionState().length == 0) {
      outgoing.pass(in);
      return;
    }
    ByteBuf out = outgoing.replace(in);
    if (clientHasEof) {
      int flags = status & ~ServerStatus.SESSION_STATE_CHANGED;
      new EofPacket(packet.warnings(), flags).encode(out);
    } else {
      translated(packet, packet.lastInsertId(), status).encodeAsEof(out, client);
    }
    outgoing.end(out);
  }

  /** The packet that comes next does not go out, if it is the answer's last one. */
  private void withhold(int status, ByteBuf in) {
    isWithheld = withholdsEnd && (status & ServerStatus.MORE_RESULTS_EXISTS) == 0;
    if (isWithheld) {
      outgoing.hold(in);
    }
  }

  /** The result that ends here, of OUT parameters. */
  private void leaveOut(ByteBuf in) {
    outgoing.skip(in);
    outgoing.drop(in);
    columnsEndDue = false;
    rows = 0;
    dropFirstRow();
  }

  private int clientStatus(int status) {
    // Whether more results follow is a fact of this answer, whatever the session thinks.
    return sink.clientStatus(status) | (status & ServerStatus.MORE_RESULTS_EXISTS);
  }

  private OkPacket translated(OkPacket packet, long insertId, int status) {
    byte[] changes = ToldState.of(packet, connection);
    return new OkPacket(
        packet.affectedRows(), insertId, status, packet.warnings(), packet.info(), changes);
  }

  private void err(ByteBuf payload, ByteBuf in) {
    ErrPacket packet = ErrPacket.decode(payload.slice(), StandardCharsets.ISO_8859_1);
    ErrPacket readable = ErrPacket.decode(payload.slice());
    error = readable;
    state.accept(Kind.ERR, payload);
    outgoing.letGo();
    if (outgoing.isEmpty() && keeps.include(readable.errno(), readable.message())) {
      keptError = true;
      outgoing.skip(in);
      return;
    }
    if (columnsEndDue) {
      endColumns(in, 0);
    }
    ErrPacket told = sink.told(readable);
    if (!told.equals(readable)) {
      error = told;
      ByteBuf out = outgoing.replace(in);
      told.encode(out);
      outgoing.end(out);
      return;
    }
    String renamed = rewriter == null ? packet.message() : rewriter.rename(packet.message());
    if (renamed.equals(packet.message())) {
      outgoing.pass(in);
      return;
    }
    error =
        new ErrPacket(
            readable.errno(),
            readable.sqlState(),
            new String(renamed.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    ByteBuf out = outgoing.replace(in);
    new ErrPacket(packet.errno(), packet.sqlState(), renamed)
        .encode(out, StandardCharsets.ISO_8859_1);
    outgoing.end(out);
  }

  private void beginResult() {
    sentBefore += rows;
    rows = 0;
  }

  private void columnCount(ByteBuf payload, ByteBuf in) {
    ColumnCount count = ColumnCount.decode(payload.slice(), backend);
    definitionsLeft = count.count();
    beginResult();
    state.columns(count);
    if (hidesParameters) {
      outgoing.hold(in);
    }
    if (count.definitionsFollow()) {
      columns.follow(definitionsLeft);
      passCount(count, count, in);
      return;
    }
    byte[] missing = columns.leftOut(definitionsLeft);
    passCount(count, new ColumnCount(definitionsLeft, missing != null), in);
    if (missing != null) {
      outgoing.insert(in, missing);
    }
    definitionsLeft = 0;
    columnsOver(in);
  }

  private void passCount(ColumnCount given, ColumnCount wanted, ByteBuf in) {
    if ((client & COUNT_FORMS) == (backend & COUNT_FORMS) && wanted.equals(given)) {
      outgoing.pass(in);
      return;
    }
    ByteBuf out = outgoing.replace(in);
    wanted.encode(out, client);
    outgoing.end(out);
  }

  private void columnDefinition(ByteBuf payload, ByteBuf in) {
    state.accept(Kind.COLUMN_DEFINITION, payload);
    columns.add(payload);
    if (!definitions.isIdentity()) {
      ByteBuf out = outgoing.replace(in);
      definitions.copy(payload, out);
      outgoing.end(out);
    } else {
      outgoing.pass(in);
    }
    if (definitionsLeft > 0 && --definitionsLeft == 0) {
      columns.passed();
      columnsOver(in);
    }
  }

  private void columnsOver(ByteBuf in) {
    if (backendHasEof || !clientHasEof) {
      return;
    }
    if (mayHaveCursor || isProcedure) {
      columnsEndDue = true;
    } else {
      endColumns(in, columnsStatus);
    }
  }

  /** Whether the row may be the only one, of a procedure's parameters: the columns' end says so. */
  private boolean isHeld() {
    return isProcedure && firstRow == null && scanner.length() < PacketWriter.MAX_PAYLOAD;
  }

  /** The row goes on when it is known what follows. */
  private void hold(ByteBuf in) {
    int length = PacketWriter.HEADER_SIZE + scanner.length();
    firstRow = connection.channel().alloc().buffer(length).writeBytes(in, in.readerIndex(), length);
    rows++;
    outgoing.skip(in);
  }

  private void dropFirstRow() {
    ByteBuf held = firstRow;
    firstRow = null;
    if (held != null) {
      held.release();
    }
  }

  /**
   * @param more flags besides those of the session
   */
  private void endColumns(ByteBuf in, int more) {
    columnsEndDue = false;
    ByteBuf out = outgoing.insert(in);
    new EofPacket(0, sink.status() | more).encode(out);
    outgoing.end(out);
    ByteBuf held = firstRow;
    if (held != null) {
      firstRow = null;
      outgoing.add(held);
    }
  }

  private void columnsEnd(ByteBuf payload, ByteBuf in) {
    EofPacket packet = EofPacket.decode(payload.slice());
    state.accept(Kind.COLUMNS_END, payload);
    int status = clientStatus(packet.status());
    if (!clientHasEof) {
      if (!state.isFetchedLater(status)) {
        outgoing.skip(in);
        return;
      }
      ByteBuf out = outgoing.replace(in);
      OkPacket.of(0, 0, status, packet.warnings()).encodeAsEof(out, client);
      outgoing.end(out);
      return;
    }
    if (status == packet.status()) {
      outgoing.pass(in);
      return;
    }
    ByteBuf out = outgoing.replace(in);
    new EofPacket(packet.warnings(), status).encode(out);
    outgoing.end(out);
  }

  private void localInfile(ByteBuf in) {
    if (!Capability.has(client, Capability.LOCAL_FILES)) {
      throw ProtocolViolationException.malformed("a request for a file that nobody can send");
    }
    int length = PacketWriter.HEADER_SIZE + scanner.length();
    int backendNext = (scanner.sequence() + 1) & 0xFF;
    ByteBuf request =
        connection.channel().alloc().buffer(length).writeBytes(in, in.readerIndex(), length);
    outgoing.skip(in);
    outgoing.requestFile(request, new FileRelay(connection, backendNext, outgoing::sequence));
  }

  // ---- ends

  @Override
  public int errno() {
    ErrPacket known = error;
    return known == null ? 0 : known.errno();
  }

  @Override
  public void batchRead() {
    if (outgoing.unflushed() > 0) {
      outgoing.flush();
    }
    if (sink.isWritable()) {
      connection.channel().read();
    } else {
      sink.whenWritable(() -> connection.channel().read());
    }
  }

  @Override
  public void completed() {
    // of a result that the server has ended without rows nothing is held back any more
    dropFirstRow();
    if (isWithheld) {
      callback.withheld(outgoing.take());
    }
    outgoing.letGo();
    if (isDropping) {
      endDropped();
    }
    outgoing.finish();
    outgoing.send();
    callback.completed(outcome(error));
  }

  private RelayOutcome outcome(@Nullable ErrPacket failure) {
    if (failure == null) {
      return new RelayOutcome.Done(
          state.status(), affectedRows, lastInsertId, warnings, rows, sentBefore + rows);
    }
    return keptError
        ? new RelayOutcome.Kept(failure.errno(), failure.sqlState(), failure.message())
        : new RelayOutcome.Failed(
            failure.errno(), failure.sqlState(), failure.message(), false, sentBefore + rows);
  }

  @Override
  public void unreached() {
    callback.completed(new RelayOutcome.Unreached());
  }

  @Override
  public void failed(ErrPacket failure, boolean inPrologue) {
    String message = rewriter == null ? failure.message() : rewriter.rename(failure.message());
    ByteBuf out = outgoing.insert(Unpooled.EMPTY_BUFFER);
    new ErrPacket(failure.errno(), failure.sqlState(), message).encode(out);
    outgoing.end(out);
    outgoing.finish();
    outgoing.send();
    callback.completed(
        new RelayOutcome.Failed(failure.errno(), failure.sqlState(), message, inPrologue));
  }

  @Override
  public void lost(String reason, boolean mayHaveRun) {
    dropFirstRow();
    outgoing.letGo();
    outgoing.writePending();
    outgoing.finish();
    if (outgoing.unflushed() > 0) {
      outgoing.flush();
    }
    callback.completed(new RelayOutcome.Lost(reason, mayHaveRun, outgoing.isStarted()));
  }
}
