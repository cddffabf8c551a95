package io.anabranch.frontend.current;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.Tableless;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.secret.SecretStatements;
import java.util.Set;

/**
 * A session's command and the statement of it that runs. Each part of its state has an owner: what
 * was sent ({@link #command}), the text ({@link #text}), its values ({@link #values}), where it
 * goes ({@link #target}) and in what form ({@link #relayed}), where it was tried ({@link
 * #attempts}), when it came to what ({@link #times}). State only; one per session, used again for
 * each statement, on the session's event loop but while a virtual thread works for it.
 */
public final class CurrentStatement {

  /** What MariaDB's compound statements begin with, outside of procedures. */
  private static final Set<String> BLOCKS =
      Set.of("BEGIN", "CASE", "FOR", "IF", "LOOP", "REPEAT", "WHILE");

  private final Session session;
  private final ReceivedCommand command = new ReceivedCommand();
  private final StatementText text;
  private final StatementTarget target;
  private final StatementValues values;
  private final RelayedForm relayed;
  private final Attempts attempts = new Attempts();
  private final StatementTimes times = new StatementTimes();
  private final ExecutedStatement executed;

  private boolean prepares;
  private Ruling ruling = Ruling.NONE;

  public CurrentStatement(Session session) {
    this.session = session;
    this.text = new StatementText(session, command);
    this.target = new StatementTarget(session);
    this.values = new StatementValues(session, command, text, target);
    this.relayed = new RelayedForm(command, text, values);
    this.executed = new ExecutedStatement(session);
  }

  // ---------------------------------------------------------------- its life

  /** A command with this text. */
  public void begin(byte[] sql, ExecuteParameters parameters) {
    text.command(sql);
    command.parameters(parameters);
  }

  /**
   * Reads the statement of the command that starts at {@code from}.
   *
   * @param now {@link System#nanoTime}
   */
  public void scan(int from, long now) {
    times.begin(now);
    executed.begin();
    target.begin();
    attempts.begin();
    relayed.begin();
    ruling = Ruling.NONE;
    text.begin(from);
  }

  /** Goes on with another text, of which the rest of the packet stays a part. */
  public void replace(String by) {
    executed.replaces(scan());
    session.command().runs(by);
    text.replace(by);
  }

  /**
   * EXECUTE … USING is run: the text that takes its place has markers.
   *
   * @param variables their values
   * @throws io.anabranch.rules.error.RefusedException if there is no room for them
   */
  public void bindsVariables(ExecuteParameters variables) {
    values.bound(variables);
    command.bindsVariables(variables);
  }

  /** The statement has ended, and the command may have another. */
  public void ended() {
    command.statementEnded();
    target.ended();
    values.ended();
    prepares = false;
  }

  /** The command has ended. */
  public void commandEnded() {
    command.ended();
    if (text.commandEnded()) {
      executed.letGo();
    }
  }

  // ---------------------------------------------------------------- its parts

  public ReceivedCommand command() {
    return command;
  }

  public StatementText text() {
    return text;
  }

  public StatementValues values() {
    return values;
  }

  public StatementTarget target() {
    return target;
  }

  public RelayedForm relayed() {
    return relayed;
  }

  public Attempts attempts() {
    return attempts;
  }

  public StatementTimes times() {
    return times;
  }

  /** What is told of it when it has ended. */
  public ExecutedStatement executed() {
    return executed;
  }

  /** What rules say of it. */
  public Ruling ruling() {
    return ruling;
  }

  public void ruling(Ruling next) {
    ruling = next;
  }

  /** {@link StatementText#scan}. */
  public Scan scan() {
    return text.scan();
  }

  /** {@link StatementText#source}. */
  public SourceText source() {
    return text.source();
  }

  // ---------------------------------------------------------------- what it does

  /** It is prepared, by COM_STMT_PREPARE or by PREPARE, and not run. */
  public boolean prepares() {
    return prepares;
  }

  public void prepares(boolean next) {
    prepares = next;
  }

  /** Whether it is run, and not only prepared, described or read on. */
  public boolean isExecution() {
    return !prepares
        && !command.fetches()
        && command.listed() == null
        && scan().kind() != StatementKind.EMPTY;
  }

  /** Whether it is certain that it reads no tables, so that it is no transaction. */
  public boolean usesNoTables() {
    return switch (scan().kind()) {
      case SHOW, XA -> true;
      case SELECT, DO, SET ->
          session.transaction().awaitsNext()
              && (scan().mentionsFrom()
                  ? session.deployment().isMariaDb() && Tableless.readsCatalogue(source().tokens())
                  : Tableless.is(source().tokens()));
      default -> false;
    };
  }

  /** Whether it runs statements of a procedure or a block, COMMIT perhaps. */
  public boolean mayEndTransaction() {
    return switch (scan().kind()) {
      case CALL -> true;
      case OTHER -> isBlock(source().tokens());
      default -> false;
    };
  }

  private static boolean isBlock(SqlTokens tokens) {
    return tokens.size() > 0 && BLOCKS.contains(tokens.word(0));
  }

  public boolean showsSql() {
    return session.deployment().rules().properties().sqlShow();
  }

  /** What the log says of a text that runs in its place: secrets are not for logs. */
  public String forLog(String sqlText) {
    Scan scan = scan();
    return SecretStatements.mayBe(scan)
        ? DigestText.sample(
            scan.copyNormalForm(), session.charset(), session.lexerMode().ansiQuotes())
        : sqlText;
  }
}
