package io.anabranch.frontend.effect;

import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.session.Diagnostics;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.VariableName;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.PlanNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Gives a session the user variables of a SELECT … INTO, or of a SET, over shards. */
public final class AssignedVariables {

  private static final List<String> DEPRECATED =
      List.of(
          "Warning",
          "1287",
          "'<select expression> INTO <destination>;' is deprecated and will be removed in a future"
              + " release. Please use 'SELECT <select list> INTO <destination> FROM...' instead");

  private AssignedVariables() {}

  /**
   * A database computes the values, as for SET. Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException if there was more than one row: the variables
   *     have the values of the first one by then
   */
  public static void set(Session session, PlanNode root, MergeOutcome.Assigned outcome) {
    if (!outcome.values().isEmpty() && root instanceof PlanNode.Assignment assignment) {
      var list = new ArrayList<Assignment.UserVariable>(outcome.values().size());
      for (int i = 0; i < outcome.values().size(); i++) {
        String name = VariableName.of(assignment.variables().get(i), session.lexerMode()).name();
        list.add(new Assignment.UserVariable(name, outcome.values().get(i)));
      }
      VariableProbe.apply(session, lastOfEach(list));
    }
    if (outcome.isSurplus()) {
      throw ErrorCatalogue.TOO_MANY_ROWS.refuse();
    }
  }

  /** A variable that is named twice gets its last value. */
  private static List<Assignment> lastOfEach(List<Assignment.UserVariable> list) {
    var last = new LinkedHashMap<String, Assignment>();
    for (Assignment.UserVariable one : list) {
      last.remove(one.name());
      last.put(one.name(), one);
    }
    return List.copyOf(last.values());
  }

  /** On the session's event loop. */
  public static void answer(
      Session session, CurrentStatement statement, PlanNode root, MergeOutcome.Assigned outcome) {
    boolean isSet = statement.scan().kind() == StatementKind.SET;
    int rows = isSet || outcome.values().isEmpty() ? 0 : 1;
    var warned = new ArrayList<List<String>>();
    if (statement.command().prepared() == null && isWarnedOf(session, root)) {
      warned.add(DEPRECATED);
    }
    int warnings = warned.size() + outcome.warnings();
    warned.addAll(outcome.warningRows());
    Diagnostics diagnostics = session.diagnostics();
    diagnostics.done(rows, 0, warnings);
    diagnostics.warningRows(warned);
    long skipped = statement.scan().offsetSlot() < 0 ? 0 : statement.values().skippedRows();
    boolean isUnknown = statement.scan().limitsOtherwise() || (rows == 0 && skipped > 0);
    if (!isSet && isUnknown) {
      diagnostics.foundRowsUnknown();
    } else if (!isSet) {
      diagnostics.foundRows(skipped + rows);
    }
    session.replies().ok(rows, 0, session.status(), warnings, "");
  }

  /** MariaDB's parser warns of INTO behind FROM: when it is prepared, or run as text. */
  public static boolean isWarnedOf(Session session, PlanNode root) {
    return root instanceof PlanNode.Assignment assignment
        && assignment.isTrailing()
        && session.deployment().isMariaDb();
  }
}
