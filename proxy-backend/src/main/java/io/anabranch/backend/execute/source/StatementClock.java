package io.anabranch.backend.execute.source;

import io.anabranch.rules.function.MomentWords;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import java.time.Instant;
import java.util.List;

/**
 * One statement, one moment: gives all data sources of a statement the same time, as one server has
 * it, by {@code SET timestamp} in front of what they are sent. Statements that change tables always
 * have it, because defaults and triggers tell the time, too; those that read, where a text asks for
 * the time.
 */
final class StatementClock {

  private static final String VARIABLE = "timestamp";

  private StatementClock() {}

  /** Connections made ready from now on have the same time, unless the session has set its own. */
  static void stop(MergeRequest request) {
    String own = request.leases().settings().variables().get(VARIABLE);
    if ((own == null || isRunning(own)) && needsTime(request.root())) {
      Instant now = Instant.now();
      request
          .leases()
          .setting(VARIABLE, "%d.%06d".formatted(now.getEpochSecond(), now.getNano() / 1000));
    }
  }

  /** {@code SET timestamp = 0} is the time of day, as DEFAULT is. */
  private static boolean isRunning(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) >= '1' && value.charAt(i) <= '9') {
        return false;
      }
    }
    return true;
  }

  private static boolean needsTime(PlanNode root) {
    return switch (root) {
      case PlanNode.Write write -> isOfSeveral(write.queries());
      case PlanNode.RowWrite _, PlanNode.Creation _, PlanNode.Load _, PlanNode.Move _ -> true;
      case PlanNode.CheckedInsert _ -> true;
      case PlanNode.Lock _ -> false;
      case PlanNode.Assignment assignment -> needsTime(assignment.rows());
      case PlanNode.Returning returning -> needsTime(returning.change());
      default -> tellsTime(PlanPrinter.queries(root));
    };
  }

  private static boolean isOfSeveral(List<ShardQuery> queries) {
    String first = queries.isEmpty() ? "" : queries.getFirst().dataSource();
    for (ShardQuery query : queries) {
      if (!query.dataSource().equals(first)) {
        return true;
      }
    }
    return false;
  }

  private static boolean tellsTime(List<ShardQuery> queries) {
    for (ShardQuery query : queries) {
      if (MomentWords.areIn(query.sql())) {
        return true;
      }
    }
    return false;
  }
}
