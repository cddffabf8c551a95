package io.anabranch.frontend.execution.merge;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;

/**
 * {@code sql_safe_updates} where rows are found first and then changed by their keys: the servers,
 * which would refuse the statement without a key, see none without one.
 *
 * @see <a
 *     href="https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html#sysvar_sql_safe_updates">sql_safe_updates</a>
 */
final class SafeUpdates {

  private static final String VARIABLE = "sql_safe_updates";

  private SafeUpdates() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException if nobody would look after the rows
   */
  static void require(PlanNode root, SessionSettings settings) {
    if (isByKeys(root) && settings.isOn(VARIABLE)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a change of rows that a query finds under " + VARIABLE,
          "SET " + VARIABLE + " = 0 for this statement, or take rows of one table by its key");
    }
  }

  private static boolean isByKeys(PlanNode root) {
    return switch (root) {
      case PlanNode.RowWrite write ->
          write.verb() == PlanNode.Verb.UPDATE || write.verb() == PlanNode.Verb.DELETE;
      case PlanNode.Returning returning -> isByKeys(returning.change());
      default -> false;
    };
  }
}
