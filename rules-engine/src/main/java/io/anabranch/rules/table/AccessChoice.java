package io.anabranch.rules.table;

import io.anabranch.rules.digest.StatementDigest;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.ReadPolicy.Destination;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import org.jspecify.annotations.Nullable;

/** Whether a statement has to be run by the primary of its group. */
public final class AccessChoice {

  private AccessChoice() {}

  /**
   * A replica may run queries that surely change nothing, lock nothing and read no session state,
   * nor do so by a view, and what the groups' rules for statements say. All else is the primary's,
   * as ShardingSphere has it: SHOW too. Asks the catalogue.
   */
  public static Access of(PlanTask task, SourceText source, StatementHints hints) {
    Scan scan = task.scan();
    boolean isQuery =
        scan.kind() == StatementKind.SELECT || scan.kind() == StatementKind.QUERY_EXPRESSION;
    if (!isQuery || scan.mayLock() || hints.primaryOnly()) {
      return Access.WRITE;
    }
    Destination wanted = destination(task, source);
    if (wanted != null) {
      return wanted == Destination.REPLICA ? Access.READ : Access.WRITE;
    }
    return !scan.hasExecutableComment()
            && !SessionWords.needPrimary(source.tokens())
            && !new ViewWords(task, hints.dataSource()).needPrimary(source.tokens())
        ? Access.READ
        : Access.WRITE;
  }

  /** What a group of the database says of this statement; null: nothing. */
  private static @Nullable Destination destination(PlanTask task, SourceText source) {
    for (ReplicationGroup group : task.database().groups().values()) {
      if (!group.reads().digests().isEmpty()) {
        Destination found = group.reads().digests().get(StatementDigest.of(source.tokens()));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
