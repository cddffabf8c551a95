package io.anabranch.frontend.local;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.effect.UserVariables;
import io.anabranch.frontend.effect.VariableProbe;
import io.anabranch.frontend.session.Diagnostics;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.DiagnosticsStatement;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.VariableName;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.value.SqlLiterals;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** GET DIAGNOSTICS: the session knows them, whatever connection its last statement ran on. */
public final class DiagnosticsCommand {

  private static final List<String> INVALID_CONDITION =
      List.of("Error", "1758", "Invalid condition number");

  private final Session session;
  private final Diagnostics diagnostics;
  private final List<Assignment> assignments = new ArrayList<>();

  private DiagnosticsCommand(Session session) {
    this.session = session;
    this.diagnostics = session.diagnostics();
  }

  /** Whether the statement is one, and will be answered. */
  public static boolean answer(CurrentStatement statement, Answer answer) {
    Scan scan = statement.scan();
    if (scan.kind() != StatementKind.OTHER || (scan.sql()[scan.start()] | 0x20) != 'g') {
      return false;
    }
    DiagnosticsStatement parsed = DiagnosticsStatement.parse(statement.source());
    if (parsed == null) {
      return false;
    }
    new DiagnosticsCommand(answer.session()).run(parsed, answer);
    return true;
  }

  private void run(DiagnosticsStatement statement, Answer answer) {
    answer.keepDiagnostics();
    String condition = statement.condition();
    List<List<String>> rows = rows();
    int number = condition == null ? 0 : number(condition);
    if (condition != null && (number < 1 || number > rows.size())) {
      var more = new ArrayList<>(rows);
      more.add(INVALID_CONDITION);
      diagnostics.problems(more);
      answer.warned(more);
      answer.ok();
      return;
    }
    for (DiagnosticsStatement.Item item : statement.items()) {
      String value =
          condition == null ? ofStatement(item) : ofCondition(item, rows.get(number - 1));
      assignments.add(new Assignment.UserVariable(item.variable(), value));
    }
    answer.blocking(
        () -> {
          VariableProbe.apply(session, assignments);
          return answer::ok;
        });
  }

  private List<List<String>> rows() {
    List<List<String>> rows = diagnostics.warningRows();
    if (rows == null) {
      throw unknown("of a statement on several data sources");
    }
    return rows;
  }

  private int number(String condition) {
    String text =
        condition.startsWith("@")
            ? UserVariables.text(session, VariableName.of(condition, session.lexerMode()).name())
            : condition;
    try {
      return text == null ? 0 : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private String ofStatement(DiagnosticsStatement.Item item) {
    return switch (item.what()) {
      case "NUMBER" -> "CAST(" + diagnostics.warnings() + " AS UNSIGNED)";
      case "ROW_COUNT" -> Long.toString(diagnostics.rowCount());
      default -> throw ErrorCatalogue.SYNTAX.refuse(item.what(), 1);
    };
  }

  /**
   * @param row level, code, message
   */
  private String ofCondition(DiagnosticsStatement.Item item, List<String> row) {
    String state = state(row);
    return switch (item.what()) {
      case "MYSQL_ERRNO" -> "CAST(" + row.get(1) + " AS UNSIGNED)";
      case "MESSAGE_TEXT" -> text(row.getLast());
      case "RETURNED_SQLSTATE" -> {
        if (state == null) {
          throw unknown("RETURNED_SQLSTATE of a warning");
        }
        yield text(state);
      }
      case "CLASS_ORIGIN",
          "SUBCLASS_ORIGIN",
          "CONSTRAINT_CATALOG",
          "CONSTRAINT_SCHEMA",
          "CONSTRAINT_NAME",
          "CATALOG_NAME",
          "SCHEMA_NAME",
          "TABLE_NAME",
          "COLUMN_NAME",
          "CURSOR_NAME" -> {
        // servers leave them empty, but for what SIGNAL sets
        if (state == null || state.startsWith("45")) {
          throw unknown(item.what());
        }
        boolean isOrigin = item.what().endsWith("ORIGIN") && !session.deployment().isMariaDb();
        yield text(isOrigin ? origin(state, item.what().startsWith("SUB")) : "");
      }
      default -> throw ErrorCatalogue.SYNTAX.refuse(item.what(), 1);
    };
  }

  /** MySQL tells whose class or subclass the state is, by its letters. */
  private static String origin(String state, boolean ofSubclass) {
    char first = state.charAt(0);
    boolean isOfStandard = (first >= '0' && first <= '4') || (first >= 'A' && first <= 'H');
    return isOfStandard || (ofSubclass && state.endsWith("000")) ? "ISO 9075" : "MySQL";
  }

  private @Nullable String state(List<String> row) {
    ErrPacket error = diagnostics.error();
    if (error == null || !row.getFirst().equals("Error")) {
      return null;
    }
    return row.get(1).equals(Integer.toString(error.errno())) ? error.sqlState() : null;
  }

  private static RuntimeException unknown(String what) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "GET DIAGNOSTICS: " + what, "ask for MYSQL_ERRNO and MESSAGE_TEXT");
  }

  /** In the server's own character set, whatever the session's is. */
  private static String text(String value) {
    return "CONVERT(" + SqlLiterals.text(value) + " USING utf8)";
  }
}
