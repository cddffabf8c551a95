package io.anabranch.rules.resolve;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.Set;

/** {@code DML_SHARDING_CONDITIONS}: refuses statements that would go to all nodes of a table. */
public final class Auditing {

  private Auditing() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException for a table that is audited and has no
   *     condition on its sharding columns
   */
  public static void check(Analysis analysis, Placement placement) {
    for (int table = 0; table < analysis.sharded().size(); table++) {
      ShardedTable sharded = analysis.sharded().get(table).table();
      ShardedTable.Audit audit = sharded.audit();
      if (audit != null && !placement.isRestricted(table)) {
        check(analysis.task(), sharded.name(), audit);
      }
    }
  }

  private static void check(PlanTask task, String table, ShardedTable.Audit audit) {
    Set<String> disabled =
        StatementHints.of(task.scan(), task.scope().charset()).disabledAuditors();
    for (String name : audit.names()) {
      boolean skipped =
          audit.allowHintDisable() && disabled.stream().anyMatch(name::equalsIgnoreCase);
      if (!skipped) {
        throw ErrorCatalogue.AUDITED.refuse(name, table);
      }
    }
  }
}
