package io.anabranch.backend.execute;

import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Gives all data sources of a statement the same time, as one server has it: copies of a broadcast
 * table would differ otherwise, in defaults, too. Done where a copy is written, or where the text
 * asks for the time.
 */
final class StatementClock {

  private static final String VARIABLE = "timestamp";
  private static final String[] WORDS = {
    "NOW", "CURRENT_", "CURDATE", "CURTIME", "LOCALTIME", "UTC_"
  };

  private StatementClock() {}

  /** Connections made ready from now on have the same time, unless the session has set its own. */
  static void stop(MergeRequest request, PlanNode.Change change) {
    boolean own = request.leases().settings().variables().containsKey(VARIABLE);
    if (!own && needsTime(change)) {
      Instant now = Instant.now();
      request
          .leases()
          .setting(VARIABLE, "%d.%06d".formatted(now.getEpochSecond(), now.getNano() / 1000));
    }
  }

  private static boolean needsTime(PlanNode.Change change) {
    return switch (change) {
      case PlanNode.Write write ->
          write.atomic()
              && write.queries().stream().map(ShardQuery::dataSource).distinct().count() > 1
              && (write.counted().size() == 1 || tellsTime(write.queries().getFirst().sql()));
      case PlanNode.RowWrite write ->
          write.summing() == Summing.FIRST || tellsTime(write.targets().stream());
      case PlanNode.Lock ignored -> false;
      case PlanNode.Assignment ignored -> false;
      case PlanNode.Creation creation -> needsTime(creation.rows());
      case PlanNode.Load load -> load.summing() == Summing.FIRST;
      case PlanNode.Move move ->
          move.update().queries().size() > 1 && tellsTime(move.update().queries().getFirst().sql());
    };
  }

  private static boolean tellsTime(Stream<RowTarget> targets) {
    return targets.anyMatch(
        target ->
            target.statements().stream()
                .limit(1)
                .anyMatch(around -> tellsTime(around.head()) || tellsTime(around.tail())));
  }

  private static boolean tellsTime(byte[] sql) {
    String text = new String(sql, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
    for (String word : WORDS) {
      if (text.contains(word)) {
        return true;
      }
    }
    return false;
  }
}
