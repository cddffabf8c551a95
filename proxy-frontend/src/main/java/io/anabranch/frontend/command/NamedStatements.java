package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.PreparedText;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.util.List;

/**
 * PREPARE, EXECUTE and DEALLOCATE PREPARE over shards, where no server can keep the statement: the
 * session keeps its text, and executing it runs the text with the variables' values in the place of
 * the markers.
 */
final class NamedStatements {

  private static final int MOST = 16_382;

  void run(SourceText source, Answer answer) {
    switch (PreparedText.parse(source)) {
      case null -> answer.fail(Syntax.near(source));
      case PreparedText.Prepare prepare -> prepare(prepare, answer);
      case PreparedText.Execute execute -> execute(execute, answer);
      case PreparedText.Deallocate(String name) -> {
        if (answer.session().namedStatements().remove(name) == null) {
          answer.fail(ErrorCatalogue.UNKNOWN_STATEMENT.refuse(name, "DEALLOCATE PREPARE"));
        } else {
          answer.ok();
        }
      }
    }
  }

  private static void prepare(PreparedText.Prepare prepare, Answer answer) {
    Session session = answer.session();
    String sql = text(prepare, session);
    // a statement of that name is gone, whatever becomes of this one
    session.namedStatements().remove(prepare.name());
    if (session.namedStatements().size() >= MOST) {
      answer.fail(ErrorCatalogue.TOO_MANY_STATEMENTS.refuse(MOST));
      return;
    }
    Scan scan = scan(sql, session);
    if (scan.next() >= 0) {
      answer.fail(
          Syntax.near(sql, new String(scan.sql(), 0, scan.next(), session.charset()).length()));
      return;
    }
    switch (scan.kind()) {
      case PREPARE,
          EXECUTE,
          DEALLOCATE,
          USE,
          LOCK_TABLES,
          UNLOCK_TABLES,
          LOAD_DATA,
          EXPLAIN_ROUTE ->
          answer.fail(ErrorCatalogue.NOT_PREPARABLE.refuse());
      case EMPTY -> answer.fail(ErrorCatalogue.EMPTY_QUERY.refuse());
      default ->
          answer.prepareInstead(sql, () -> session.namedStatements().put(prepare.name(), sql));
    }
  }

  private static String text(PreparedText.Prepare prepare, Session session) {
    String literal = prepare.literal();
    String variable = prepare.variable();
    if (literal != null) {
      byte[] bytes = literal.getBytes(session.charset());
      SqlValue value =
          Literals.of(
              SlotKind.STRING, bytes, 0, bytes.length, session.charset(), session.lexerMode());
      return value instanceof SqlValue.Text(String text) ? text : literal;
    }
    String text = variable == null ? null : UserVariables.text(session, variable);
    return text == null ? "NULL" : text;
  }

  private static Scan scan(String sql, Session session) {
    byte[] bytes = sql.getBytes(session.charset());
    return new SqlScanner().scan(bytes, 0, bytes.length, session.lexerMode(), new Scan());
  }

  private static void execute(PreparedText.Execute execute, Answer answer) {
    Session session = answer.session();
    String sql = session.namedStatements().get(execute.name());
    if (sql == null) {
      answer.fail(ErrorCatalogue.UNKNOWN_STATEMENT.refuse(execute.name(), "EXECUTE"));
      return;
    }
    Scan scan = scan(sql, session);
    if (scan.parameterCount() != execute.variables().size()) {
      answer.fail(ErrorCatalogue.WRONG_ARGUMENTS.refuse("EXECUTE"));
      return;
    }
    List<String> literals =
        execute.variables().stream().map(name -> UserVariables.literal(session, name)).toList();
    SourceText source = SourceText.of(scan, session.charset(), session.lexerMode());
    answer.instead(SpliceParameters.into(source, literals));
  }
}
