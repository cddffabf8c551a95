package io.anabranch.frontend.command;

import io.anabranch.frontend.local.LocalStatements;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.session.prepared.PreparedCommand;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.CommandCode;
import io.anabranch.protocol.command.QueryAttributes;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Runs a session's commands, one at a time. On the session's event loop; a command that takes
 * longer reports through its {@code done}.
 */
public final class CommandRunner {

  private static final int MULTI_STATEMENTS_ON = 0;
  private static final int MULTI_STATEMENTS_OFF = 1;

  /** What the bits of COM_REFRESH mean, from the lowest on. */
  private static final List<String> FLUSHES =
      List.of("PRIVILEGES", "LOGS", "TABLES", "HOSTS", "STATUS");

  private static final int TABLES = 1 << FLUSHES.indexOf("TABLES");

  private static final int FLUSHED = (1 << FLUSHES.size()) - 1;

  private final Session session;
  private final SessionRegistry registry;
  private final SessionListener listener;
  private final StatementRun statements;
  private final PreparedCommands prepared;

  public CommandRunner(Session session, SessionRegistry registry, SessionListener listener) {
    this.session = session;
    this.registry = registry;
    this.listener = listener;
    this.statements = new StatementRun(session, listener, new LocalStatements(registry), registry);
    this.prepared = new PreparedCommands(session, statements);
    session.command().interruptedBy(statements::interrupt);
  }

  /** Whether the running command has an effect that its client need not wait for. */
  public boolean outlivesClient() {
    return statements.outlivesClient();
  }

  /** COM_CHANGE_USER, which only those who know the handshake can do. */
  public interface ChangeUser {
    /** Starts it; the answer is {@code accept}ed like a handshake's. */
    void begin(ClientCommand.ChangeUser command);
  }

  /**
   * Runs the command in {@code frame}, which stays the caller's.
   *
   * @param changeUser takes COM_CHANGE_USER; {@code done} is then its business
   * @param done runs once, when the answer has been given
   * @throws io.anabranch.protocol.type.ProtocolViolationException if the packet is malformed: the
   *     connection must end
   */
  public void run(Frame frame, ChangeUser changeUser, Runnable done) {
    session.sink().sequence(frame.nextSequence());
    ByteBuf payload = frame.payload();
    session.queryAttributes(QueryAttributes.NONE);
    if (payload.isReadable() && payload.getByte(payload.readerIndex()) == CommandCode.QUERY) {
      query(frame, done);
      return;
    }
    ClientCommand command =
        ClientCommand.decode(payload, session.capabilities(), session.charset());
    switch (command) {
      case ClientCommand.StmtPrepare prepare -> {
        session.statements().count(PreparedCommand.PREPARE);
        prepared.prepare(prepare.sql(), done);
      }
      case ClientCommand.StmtExecute execute -> {
        session.statements().count(PreparedCommand.EXECUTE);
        prepared.execute(execute, done);
      }
      case ClientCommand.StmtBulkExecute bulk -> prepared.executeAll(bulk, done);
      case ClientCommand.StmtFetch fetch -> {
        session.statements().count(PreparedCommand.FETCH);
        prepared.fetch(fetch, done);
      }
      case ClientCommand.ProcessInfo _ -> statements.query("SHOW PROCESSLIST", done);
      case ClientCommand.ProcessKill kill -> statements.query("KILL " + kill.threadId(), done);
      case ClientCommand.FieldList fields -> statements.list(fields, done);
      case ClientCommand.ChangeUser change -> changeUser.begin(change);
      case ClientCommand.Refresh(int what)
          when (what & FLUSHED) != 0 && session.deployment().isMariaDb() ->
          statements.query(flush(what), done);
      default -> atOnce(command, done);
    }
  }

  private void query(Frame frame, Runnable done) {
    if (session.has(Capability.QUERY_ATTRIBUTES)) {
      try {
        session.queryAttributes(QueryAttributes.take(frame.payload()));
      } catch (ProtocolViolationException malformed) {
        // the packet is whole and the next one good: as servers do, refuse this one alone
        refuse(frame, malformed, done);
        return;
      }
    }
    statements.query(frame.payload(), done);
  }

  /**
   * Answers a command whose packet was not kept.
   *
   * @param frame the first bytes of it
   * @param why what the client is told
   * @param done as for {@link #run}
   */
  public void refuse(Frame frame, RuntimeException why, Runnable done) {
    session.sink().sequence(frame.nextSequence());
    ByteBuf head = frame.payload();
    int code = head.isReadable() ? head.getUnsignedByte(head.readerIndex()) : -1;
    if (code == CommandCode.STMT_SEND_LONG_DATA && head.readableBytes() >= Frame.HEAD_BYTES) {
      // it has no answer: the execution tells
      prepared.spoil(head.getIntLE(head.readerIndex() + 1), why);
    } else {
      ErrPacket error = Failures.packet(why, session.toString());
      session.diagnostics().failed(error);
      session.replies().error(error, session.settings().resultCharset());
    }
    session.command().finished();
    done.run();
  }

  private void atOnce(ClientCommand command, Runnable done) {
    try {
      answer(command);
    } catch (RuntimeException e) {
      ErrPacket error = Failures.packet(e, session.toString(), session.deployment().isMariaDb());
      session.diagnostics().failedCommand(error);
      session.replies().error(error, session.settings().resultCharset());
    }
    session.command().finished();
    done.run();
  }

  private void answer(ClientCommand command) {
    switch (command) {
      case ClientCommand.Ping _ -> {
        orClose(session.connections()::tellStateLost);
        ok();
      }
      case ClientCommand.Refresh _ -> {
        if (!session.deployment().isMariaDb()) {
          throw ErrorCatalogue.UNKNOWN_COMMAND.refuse();
        }
        refuseUnlessAdmin("RELOAD");
        ok();
      }
      case ClientCommand.Quit _ -> session.channel().close();
      case ClientCommand.InitDb use -> {
        orClose(session.connections()::tellStateLost);
        orClose(session.rules()::begin);
        session.rules().ended();
        session.database().use(use.database());
        ok();
      }
      case ClientCommand.StmtClose close -> prepared.close(close.statementId());
      case ClientCommand.StmtReset reset -> {
        session.statements().count(PreparedCommand.RESET);
        prepared.reset(reset.statementId());
        session.diagnostics().statementReset();
        ok();
      }
      case ClientCommand.StmtSendLongData data -> {
        session.statements().count(PreparedCommand.SEND_LONG_DATA);
        prepared.append(data);
      }
      case ClientCommand.ResetConnection _ -> {
        session.reset();
        ok();
      }
      case ClientCommand.Statistics _ -> session.replies().text(statistics());
      case ClientCommand.SetOption option -> setOption(option.option());
      case ClientCommand.Debug _ -> {
        refuseUnlessAdmin("SUPER");
        eof();
      }
      case ClientCommand.Unknown _,
          ClientCommand.Query _,
          ClientCommand.FieldList _,
          ClientCommand.ProcessInfo _,
          ClientCommand.ProcessKill _,
          ClientCommand.StmtPrepare _,
          ClientCommand.StmtExecute _,
          ClientCommand.StmtBulkExecute _,
          ClientCommand.StmtFetch _,
          ClientCommand.ChangeUser _ ->
          throw ErrorCatalogue.UNKNOWN_COMMAND.refuse();
    }
  }

  /** Also where nothing would be done: servers ask for the right first. */
  private void refuseUnlessAdmin(String privilege) {
    if (session.database().isRestricted()) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
    }
  }

  /** The client hears why, and that was the last that it hears. */
  private void orClose(Runnable check) {
    try {
      check.run();
    } catch (RefusedException refused) {
      session.channel().eventLoop().execute(session.channel()::close);
      throw refused;
    }
  }

  private void ok() {
    session.diagnostics().acknowledged();
    session.replies().ok(0, 0, session.status(), session.diagnostics().toldAgain(), "");
  }

  private void eof() {
    session.diagnostics().shown();
    session.replies().eof(session.status(), session.diagnostics().toldAgain());
  }

  private void setOption(int option) {
    switch (option) {
      case MULTI_STATEMENTS_ON -> session.allowMultiStatements(true);
      case MULTI_STATEMENTS_OFF -> session.allowMultiStatements(false);
      default -> throw ErrorCatalogue.UNKNOWN_COMMAND.refuse();
    }
    eof();
  }

  /** The statement that does the same; no server takes TABLES beside others in one. */
  private static String flush(int what) {
    boolean hasOthers = (what & TABLES) != 0 && (what & FLUSHED & ~TABLES) != 0;
    return hasOthers
        ? "BEGIN NOT ATOMIC FLUSH TABLES; " + flush(what & ~TABLES) + "; END"
        : flushed(what);
  }

  private static String flushed(int what) {
    var list = new StringJoiner(", ", "FLUSH ", "");
    for (int bit = 0; bit < FLUSHES.size(); bit++) {
      if ((what & 1 << bit) != 0) {
        list.add(FLUSHES.get(bit));
      }
    }
    return list.toString();
  }

  /** Of the proxy; it opens no tables, and does not tell slow queries from others. */
  private String statistics() {
    long seconds = registry.uptimeSeconds();
    long questions = listener.statements();
    return "Uptime: "
        + seconds
        + "  Threads: "
        + registry.size()
        + "  Questions: "
        + questions
        + "  Slow queries: 0  Opens: 0  Open tables: 0  Queries per second avg: "
        + String.format(Locale.ROOT, "%.3f", (double) questions / Math.max(1, seconds));
  }
}
