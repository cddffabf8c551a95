package io.anabranch.frontend.local;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.effect.VariableProbe;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.show.OwnVariables;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.Arrays;
import java.util.List;

/**
 * MariaDB's {@code SET STATEMENT a = 1 FOR …} over shards: the session has the settings while the
 * statement runs, so that all connections get them, and then those that it had. A server has read
 * the text by then: what {@code sql_mode} says of reading is the session's ({@link ReadingModes}).
 *
 * <p>See <a href="https://mariadb.com/kb/en/set-statement/">SET STATEMENT</a>.
 */
final class SetForStatement {

  private SetForStatement() {}

  static void run(SetStatement.ForStatement statement, SourceText source, Answer answer) {
    refuseAnother(source.tokens(), statement.statementToken());
    for (Assignment assignment : statement.list()) {
      refuseOwn(assignment);
    }
    Session session = answer.session();
    SessionSettings before = session.settings();
    String inner =
        new String(
            Arrays.copyOfRange(source.bytes(), statement.statementOffset(), source.bytes().length),
            source.charset());
    List<Assignment> known = SetCommand.known(statement.list(), session);
    answer.blocking(
        () -> {
          apply(session, known);
          return () -> {
            answer.afterwards(() -> VariableProbe.restore(session, statement.list(), before));
            answer.instead(inner);
          };
        });
  }

  /** Of several, servers obey the last one and forget the others. */
  private static void refuseAnother(SqlTokens tokens, int inner) {
    if (tokens.isWord(inner, "SET") && tokens.isWord(inner + 1, "STATEMENT")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SET STATEMENT within SET STATEMENT",
          "write one with all variables: of several, servers obey the last one alone");
    }
  }

  private static void apply(Session session, List<Assignment> list) {
    if (!ReadingModes.areAssigned(list)) {
      VariableProbe.apply(session, list);
      return;
    }
    VariableProbe.apply(session, ReadingModes.AS_IT_IS);
    String outer = ReadingModes.in(session.settings());
    VariableProbe.apply(session, list);
    SessionSettings mixed = ReadingModes.of(outer, session.settings());
    session.settings(mixed);
  }

  private static void refuseOwn(Assignment assignment) {
    boolean plain =
        assignment instanceof Assignment.Variable variable
            && variable.scope() == Scope.SESSION
            && !variable.name().equals("autocommit")
            && !variable.name().startsWith("character_set_")
            && !OwnVariables.has(variable);
    if (!plain) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this variable in SET STATEMENT", "set it by a statement of its own");
    }
  }
}
