package io.anabranch.frontend.rewrite;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.effect.InitialVariables;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.DeprecatedSyntax;
import io.anabranch.frontend.statement.SessionSelect;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT of nothing but what the proxy itself knows of the session, such as clients send when
 * they connect and behind an INSERT: no database is asked, and the columns are a server's.
 */
public final class SessionValues {

  private static final int LONGEST = 400;
  private static final int NAME = 64;
  private static final int ACCOUNT = 384;

  private record Value(ResultColumn column, @Nullable String text) {}

  private SessionValues() {}

  /** Whether the statement is such a SELECT, and has been answered. */
  public static boolean answer(CurrentStatement statement, Answer answer) {
    var scan = statement.scan();
    boolean mayBe =
        scan.kind() == StatementKind.SELECT
            && !scan.mentionsFrom()
            && !scan.hasHint()
            && (scan.end() - scan.start() < LONGEST || !answer.session().database().hasServer());
    SessionSelect select = mayBe ? SessionSelect.parse(statement.source()) : null;
    if (select == null) {
      return false;
    }
    var columns = new ArrayList<ResultColumn>();
    var row = new ArrayList<@Nullable String>();
    var warnings = new ArrayList<List<String>>();
    for (SessionSelect.Item item : select.items()) {
      Value value = value(item, answer.session());
      if (value == null && !answer.session().database().hasServer()) {
        value = initial(item, answer.session());
      }
      if (value == null) {
        return false;
      }
      columns.add(value.column());
      row.add(value.text());
      if (isDeprecated(item, answer.session())) {
        warnings.add(DeprecatedSyntax.FOUND_ROWS.warning());
      }
    }
    answer.warned(warnings);
    answer.rows(columns, select.limit() == 0 ? List.of() : List.of(row));
    return true;
  }

  private static boolean isDeprecated(SessionSelect.Item item, Session session) {
    return item instanceof SessionSelect.Item.Function(String name, String _)
        && name.equals("found_rows")
        && !session.deployment().isMariaDb();
  }

  private static @Nullable Value value(SessionSelect.Item item, Session session) {
    return switch (item) {
      case SessionSelect.Item.Function(String name, String label) -> function(name, label, session);
      case SessionSelect.Item.Variable(Scope scope, String name, String label) ->
          scope == null || scope == Scope.SESSION ? variable(name, label, session) : null;
      case SessionSelect.Item.Literal _ -> null;
    };
  }

  /** What a server would say, while there is none that could be asked. */
  private static @Nullable Value initial(SessionSelect.Item item, Session session) {
    return switch (item) {
      case SessionSelect.Item.Function(String name, String label) ->
          name.equals("version")
              ? new Value(LocalColumns.text(label, NAME), session.deployment().serverVersion())
              : null;
      case SessionSelect.Item.Variable(Scope _, String name, String label) ->
          InitialVariables.has(name)
              ? new Value(
                  InitialVariables.isNumber(name)
                      ? LocalColumns.number(label)
                      : LocalColumns.text(label, LONGEST),
                  InitialVariables.value(session, name))
              : null;
      case SessionSelect.Item.Literal(String text, String label) -> literal(text, label);
    };
  }

  /** Null for what is more than plain digits or letters. */
  private static @Nullable Value literal(String text, String label) {
    if (text.matches("\\d{1,18}")) {
      return new Value(LocalColumns.number(label), text);
    }
    return text.matches("'[^'\\\\]*'")
        ? new Value(LocalColumns.text(label, LONGEST), text.substring(1, text.length() - 1))
        : null;
  }

  private static @Nullable Value function(String name, String label, Session session) {
    return switch (name) {
      case "connection_id" ->
          new Value(LocalColumns.unsignedInt(label, 10), Integer.toString(session.id()));
      case "user", "session_user", "system_user" ->
          new Value(LocalColumns.text(label, ACCOUNT), session.clientAccount());
      case "current_user" ->
          new Value(
              LocalColumns.text(label, ACCOUNT),
              session.user().name() + "@" + session.user().host());
      case "database", "schema" ->
          new Value(LocalColumns.text(label, NAME), session.database().name());
      case "last_insert_id" ->
          new Value(LocalColumns.unsignedCount(label, true), insertId(session));
      case "row_count" ->
          new Value(LocalColumns.number(label), Long.toString(session.diagnostics().rowCount()));
      case "found_rows" -> new Value(LocalColumns.number(label), foundRows(session));
      default -> null;
    };
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException if nobody knows
   */
  static String foundRows(Session session) {
    if (!session.diagnostics().knowsFoundRows()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "FOUND_ROWS() behind a LIMIT over shards that does not tell it",
          "use SELECT SQL_CALC_FOUND_ROWS or COUNT(*)");
    }
    return Long.toString(session.diagnostics().foundRows());
  }

  private static String insertId(Session session) {
    return Long.toUnsignedString(session.diagnostics().lastInsertId());
  }

  private static @Nullable Value variable(String name, String label, Session session) {
    return switch (name) {
      case "autocommit" ->
          new Value(LocalColumns.flag(label), session.transaction().isAutocommit() ? "1" : "0");
      case "last_insert_id", "identity" ->
          new Value(LocalColumns.unsignedCount(label, false), insertId(session));
      case "warning_count" ->
          new Value(
              LocalColumns.unsignedCount(label, false),
              Integer.toString(session.diagnostics().warnings()));
      case "error_count" ->
          new Value(
              LocalColumns.unsignedCount(label, false),
              Long.toString(session.diagnostics().errors()));
      case "session_track_state_change" ->
          new Value(LocalColumns.flag(label), session.changes().tracksState() ? "1" : "0");
      case "in_transaction" -> inTransaction(label, session);
      case "pseudo_thread_id" ->
          new Value(LocalColumns.unsignedCount(label, false), Integer.toString(session.id()));
      default -> null;
    };
  }

  /** MariaDB's alone. */
  private static @Nullable Value inTransaction(String label, Session session) {
    String value = session.isInTransaction() ? "1" : "0";
    return session.deployment().isMariaDb()
        ? new Value(LocalColumns.unsignedCount(label, false), value)
        : null;
  }
}
