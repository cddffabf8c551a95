package io.anabranch.rules.resolve;

import io.anabranch.rules.algorithm.audit.AuditedStatement;
import io.anabranch.rules.algorithm.audit.AuditedStatement.Kind;
import io.anabranch.rules.algorithm.audit.Auditor;
import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks the auditors of tables. */
public final class Auditing {

  private Auditing() {}

  /**
   * Of a statement that reads or changes rows.
   *
   * @throws io.anabranch.rules.error.RefusedException if one objects
   */
  public static void check(Analysis analysis, Placement placement) {
    for (int table = 0; table < analysis.sharded().size(); table++) {
      check(analysis.task(), analysis.sharded().get(table).table(), placement.isRestricted(table));
    }
  }

  /**
   * Of a statement that writes rows, each to the node that its values say.
   *
   * @throws io.anabranch.rules.error.RefusedException if one objects
   */
  public static void checkRows(PlanTask task, ShardedTable table) {
    check(task, table, true);
  }

  private static void check(PlanTask task, ShardedTable table, boolean isRestricted) {
    ShardedTable.Audit audit = table.audit();
    if (audit == null) {
      return;
    }
    Set<String> disabled =
        audit.allowHintDisable()
            ? StatementHints.of(task.scan(), task.scope().charset()).disabledAuditors()
            : Set.of();
    AuditedStatement statement = told(task, table, isRestricted);
    for (Map.Entry<String, Auditor> each : audit.auditors().entrySet()) {
      String name = each.getKey();
      if (disabled.stream().noneMatch(name::equalsIgnoreCase)) {
        each.getValue()
            .objection(statement)
            .ifPresent(
                why -> {
                  throw ErrorCatalogue.AUDITED.refuse(name, table.name(), why);
                });
      }
    }
  }

  private static AuditedStatement told(PlanTask task, ShardedTable table, boolean isRestricted) {
    Scan scan = task.scan();
    PlanScope scope = task.scope();
    return new AuditedStatement(
        kind(scan),
        task.database().name(),
        table.name(),
        List.copyOf(table.shardingColumns()),
        isRestricted,
        DigestText.whole(scan.copyNormalForm(), scope.charset(), scope.lexerMode().ansiQuotes()));
  }

  private static Kind kind(Scan scan) {
    return switch (scan.kind()) {
      case INSERT -> Kind.INSERT;
      case REPLACE -> Kind.REPLACE;
      case UPDATE -> Kind.UPDATE;
      case DELETE -> Kind.DELETE;
      case LOAD_DATA -> Kind.LOAD_DATA;
      default -> Kind.SELECT;
    };
  }
}
