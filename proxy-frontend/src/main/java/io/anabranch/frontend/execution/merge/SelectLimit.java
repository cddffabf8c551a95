package io.anabranch.frontend.execution.merge;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.PlanNode;

/**
 * {@code sql_select_limit} over shards, which JDBC's {@code setMaxRows} may set: it is about the
 * rows that clients get, not about those that each data source gives for them.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html#sysvar_sql_select_limit">sql_select_limit</a>.
 */
final class SelectLimit {

  private static final String VARIABLE = "sql_select_limit";

  private SelectLimit() {}

  /** The plan, with a limit where the session says one and the statement does not. */
  static PlanNode in(PlanNode root, CurrentStatement statement, SessionSettings settings) {
    String value = settings.variables().get(VARIABLE);
    if (value == null || !isQuery(statement.scan().kind())) {
      return root;
    }
    long most = most(value);
    return most < 0 || hasOwn(statement.source().tokens()) ? root : limited(root, most);
  }

  private static PlanNode limited(PlanNode root, long most) {
    return switch (root) {
      case PlanNode.Assignment assignment ->
          assignment.of(new PlanNode.Limit(assignment.rows(), 0, most));
      case PlanNode.Counted counted -> new PlanNode.Counted(counted.input(), 0, most);
      case PlanNode.Change change -> change;
      default -> new PlanNode.Limit(root, 0, most);
    };
  }

  /** What the data sources give for one statement has no limit but its own. */
  static void lift(StatementLeases leases, SessionSettings settings) {
    if (settings.variables().containsKey(VARIABLE)) {
      leases.setting(VARIABLE, "DEFAULT");
    }
  }

  private static boolean isQuery(StatementKind kind) {
    return kind == StatementKind.SELECT || kind == StatementKind.QUERY_EXPRESSION;
  }

  /** Negative: none; what a server says by default is larger than any number of rows. */
  private static long most(String value) {
    return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : -1;
  }

  private static boolean hasOwn(SqlTokens tokens) {
    return tokens.all().findClause("LIMIT", "FETCH") >= 0;
  }
}
