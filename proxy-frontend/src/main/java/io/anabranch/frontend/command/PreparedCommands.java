package io.anabranch.frontend.command;

import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.response.ResultPackets;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.LongData;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.frontend.session.prepared.PreparedCommand;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.command.BulkArguments;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.QueryAttributes;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.PrepareOk;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** COM_STMT_PREPARE, COM_STMT_EXECUTE and their kin. */
final class PreparedCommands {

  /** What one session may keep; MySQL's max_prepared_stmt_count is for the whole server. */
  private static final int MAX_STATEMENTS = 16_382;

  private static final int BULK_FLAGS =
      BulkArguments.SENDS_TYPES | BulkArguments.WANTS_UNIT_RESULTS;

  private final Session session;
  private final StatementRun run;

  PreparedCommands(Session session, StatementRun run) {
    this.session = session;
    this.run = run;
  }

  void prepare(byte[] sql, Runnable done) {
    // behind one that fails, none is the last: what clients send in the same train fails as well
    int id = session.statements().nextId();
    if (session.statements().size() >= MAX_STATEMENTS) {
      refuse(ErrorCatalogue.TOO_MANY_STATEMENTS.refuse(MAX_STATEMENTS), done);
      return;
    }
    run.prepare(
        sql,
        (columns, parameterCount, warnings) -> {
          boolean isInSchema = session.database().systemSchema() != null;
          Backend selected = isInSchema ? null : session.backend();
          var statement =
              new PreparedStatement(
                  id,
                  sql,
                  parameterCount,
                  run.size(),
                  selected == null ? null : selected.database().name(),
                  session.language().reading());
          session.statements().add(statement);
          session.diagnostics().prepared(warnings);
          reply(statement, columns, warnings);
        },
        done);
  }

  private void reply(PreparedStatement statement, List<ResultColumn> columns, int warnings) {
    int parameters = statement.parameterCount();
    var packets = new ResultPackets(session.sink().capabilities());
    boolean eof = !session.has(Capability.DEPRECATE_EOF);
    int status = session.status();
    ByteBuf out = session.channel().alloc().buffer();
    int start = PacketWriter.begin(out);
    new PrepareOk(statement.id(), columns.size(), parameters, warnings).encode(out);
    int sequence = PacketWriter.end(out, start, session.sink().sequence());
    if (parameters > 0) {
      boolean isMariaDb = session.deployment().isMariaDb();
      List<ResultColumn> markers =
          Collections.nCopies(parameters, LocalColumns.parameter(isMariaDb));
      sequence = packets.definitions(out, sequence, markers, session.settings().resultCharset());
      sequence = eof ? packets.end(out, sequence, status, 0) : sequence;
    }
    if (!columns.isEmpty()) {
      sequence = packets.definitions(out, sequence, columns, session.settings().resultCharset());
      sequence = eof ? packets.end(out, sequence, status, 0) : sequence;
    }
    session.sink().sequence(sequence);
    session.sink().send(out);
  }

  void execute(ClientCommand.StmtExecute command, Runnable done) {
    PreparedStatement statement = session.statements().find(command.statementId());
    if (statement == null) {
      refuse(unknown(command.statementId(), "mysqld_stmt_execute"), done);
      return;
    }
    LongData ahead = statement.longData();
    RuntimeException spoilt = ahead == null ? null : ahead.refusal();
    if (spoilt != null) {
      refuse(spoilt, done);
      return;
    }
    if (ahead != null && ahead.isTooLong()) {
      refuse(ErrorCatalogue.LONG_DATA.refuse(), done);
      return;
    }
    ExecuteParameters parameters;
    try {
      parameters =
          ExecuteParameters.decode(
              withoutAttributes(command, statement, ahead),
              statement.parameterCount(),
              statement.types(),
              ahead == null ? null : ahead.values());
    } catch (ProtocolViolationException malformed) {
      // the packet is whole and the next one good: as servers do, refuse this one alone
      statement.reset();
      refuse(ErrorCatalogue.WRONG_ARGUMENTS.refuse("mysqld_stmt_execute"), done);
      return;
    }
    statement.types(parameters.types());
    LongData taken = statement.takeLongData();
    Runnable ended = taken == null ? done : () -> end(taken, done);
    boolean withCursor = (command.flags() & ExecuteParameters.CURSOR_READ_ONLY) != 0;
    run.execute(statement, parameters.of(statement.history()), withCursor, ended);
  }

  /** The command as of a client that has none to send. */
  private ClientCommand.StmtExecute withoutAttributes(
      ClientCommand.StmtExecute command, PreparedStatement statement, @Nullable LongData ahead) {
    if (!session.has(Capability.QUERY_ATTRIBUTES)) {
      return command;
    }
    QueryAttributes.Execution taken =
        QueryAttributes.take(
            command,
            statement.parameterCount(),
            statement.types(),
            ahead == null ? null : ahead.values());
    session.queryAttributes(taken.attributes());
    return taken.command();
  }

  private static void end(LongData taken, Runnable done) {
    taken.release();
    done.run();
  }

  /** COM_STMT_BULK_EXECUTE. */
  void executeAll(ClientCommand.StmtBulkExecute command, Runnable done) {
    PreparedStatement statement = session.statements().find(command.statementId());
    if (!session.has(Capability.MARIADB_STMT_BULK_OPERATIONS)) {
      refuse(ErrorCatalogue.NOT_PREPARABLE.refuse(), done);
      return;
    }
    if (statement == null) {
      refuse(unknown(command.statementId(), "mysqld_stmt_execute"), done);
      return;
    }
    if (statement.parameterCount() == 0 || (command.flags() & ~BULK_FLAGS) != 0) {
      refuse(ErrorCatalogue.NOT_PREPARABLE.refuse(), done);
      return;
    }
    if (statement.longData() != null) {
      statement.reset();
      refuse(ErrorCatalogue.WRONG_ARGUMENTS.refuse("mysqld_stmt_bulk_execute"), done);
      return;
    }
    BulkArguments arguments;
    try {
      arguments = BulkArguments.decode(command, statement.parameterCount(), statement.types());
    } catch (ProtocolViolationException malformed) {
      refuse(ErrorCatalogue.WRONG_ARGUMENTS.refuse("mysqld_stmt_bulk_execute"), done);
      return;
    }
    statement.types(arguments.types());
    run.executeAll(statement, arguments.bytes(), done);
  }

  void fetch(ClientCommand.StmtFetch command, Runnable done) {
    PreparedStatement statement = session.statements().find(command.statementId());
    OpenCursor cursor = statement == null ? null : statement.cursor();
    if (statement == null) {
      refuse(unknown(command.statementId(), "mysqld_stmt_fetch"), done);
    } else if (cursor == null) {
      String id = Integer.toUnsignedString(command.statementId());
      refuse(ErrorCatalogue.NO_OPEN_CURSOR.refuse(id), done);
    } else {
      run.fetch(statement, cursor, command.rows(), done);
    }
  }

  /** COM_STMT_CLOSE, which has no answer, and leaves what the statement before warned of. */
  void close(int id) {
    PreparedStatement statement = session.statements().remove(id);
    if (statement != null) {
      session.statements().count(PreparedCommand.CLOSE);
      run.closeCursor(statement);
    }
  }

  /** COM_STMT_SEND_LONG_DATA, which has no answer: what is wrong shows on execution. */
  void append(ClientCommand.StmtSendLongData data) {
    PreparedStatement statement = session.statements().find(data.statementId());
    if (statement != null) {
      statement.append(
          data.parameter(), data.data(), session.statements().kept(), session.memory());
    }
  }

  /** A piece of long data was not kept: that shows on execution. */
  void spoil(int id, RuntimeException why) {
    PreparedStatement statement = session.statements().find(id);
    if (statement != null) {
      statement.spoil(why, session.statements().kept(), session.memory());
    }
  }

  void reset(int id) {
    PreparedStatement statement = session.statements().find(id);
    if (statement == null) {
      throw unknown(id, "mysqld_stmt_reset");
    }
    run.closeCursor(statement);
    statement.reset();
  }

  private RefusedException unknown(int id, String what) {
    return ErrorCatalogue.UNKNOWN_STATEMENT.refuse(
        Integer.toUnsignedString(id),
        session.deployment().isMariaDb() ? what : "mysql_stmt_precheck");
  }

  private void refuse(RuntimeException refusal, Runnable done) {
    ErrPacket error =
        Failures.packet(refusal, session.toString(), session.deployment().isMariaDb());
    session.diagnostics().failedCommand(error);
    session.replies().error(error, session.settings().resultCharset());
    session.command().finished();
    done.run();
  }
}
