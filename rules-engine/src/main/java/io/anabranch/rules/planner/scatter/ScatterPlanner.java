package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Scatter;
import io.anabranch.rules.planner.strategy.Strategy;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.ScatterChecks;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.TreeSet;

/**
 * Answers a query over several nodes by merging streams. Used once.
 *
 * <p>The phases: {@link ScatterChecks} tell what no merge answers, {@link ScatterDraft} collects
 * the columns of a leg, {@link PlainScatter} or {@link GroupedScatter} make the plan.
 */
public final class ScatterPlanner implements Strategy {

  private static final int SYNTAX_ERROR = 1064;
  private static final int UNDECLARED_VARIABLE = 1327;

  private final PlacedStatement query;
  private final Analysis analysis;
  private final SqlTokens tokens;
  private final TreeSet<Integer> guards = new TreeSet<>();

  public ScatterPlanner(PlacedStatement query) {
    this.query = query;
    this.analysis = query.analysis();
    this.tokens = analysis.source().tokens();
  }

  @Override
  public String name() {
    return "merge";
  }

  @Override
  public boolean bringsTogether() {
    return false;
  }

  @Override
  public Attempt attempt() {
    return switch (Attempt.of(this::plan)) {
      case Attempt.Declined declined -> new Attempt.Declined(declined.reason(), guardedSlots());
      case Attempt other -> other;
    };
  }

  /** Literals that decided, whether it was taken or not. */
  private int[] guardedSlots() {
    return guards.stream().mapToInt(Integer::intValue).toArray();
  }

  private Attempt plan() {
    if (query.placement().isPinnedElsewhere()) {
      return Attempt.declined(
          "a statement over a single table and sharded ones", "join them apart");
    }
    SelectFacts select = analysis.facts().select();
    Refusal refusal = ScatterChecks.check(analysis, query.placement(), select);
    if (refusal != null) {
      requireSyntax();
      return Attempt.declined(refusal);
    }
    if (select == null) {
      return Attempt.declined("this query", "restrict it to one shard");
    }
    if (analysis.sharded().isEmpty() || !query.placement().isOneGroup()) {
      return Attempt.declined("tables that do not meet", "join them by their sharding columns");
    }
    SelectLayout layout = SelectLayout.of(tokens).orElse(null);
    if (layout == null || !layout.matches(select)) {
      return Attempt.declined("this form of SELECT", "write it in a simpler form");
    }
    if (layout.hasDisguisedPositions(tokens)) {
      return Attempt.declined(
          "a parameter, or a number in parentheses, as an item of ORDER BY or GROUP BY",
          "name the column");
    }
    if (layout.items().stream().anyMatch(item -> NarrowNumbers.areIn(tokens, item))) {
      return Attempt.declined("a number that a UNION would clip", "restrict it to one shard");
    }
    var draft = new ScatterDraft(query, select, layout, guards);
    Scatter scatter =
        select.isGrouped() ? new GroupedScatter(draft).plan() : new PlainScatter(draft).plan();
    return new Attempt.Taken(scatter, query.mapping(), guardedSlots());
  }

  /** The database tells what is no SQL, whatever a parser makes of it. */
  private void requireSyntax() {
    try {
      if (!analysis.sharded().isEmpty()) {
        analysis.task().catalog().describe(query.onFirst());
      }
    } catch (SchemaCatalog.DescribeException failed) {
      if (failed.errno() == SYNTAX_ERROR || failed.errno() == UNDECLARED_VARIABLE) {
        throw failed;
      }
    }
  }
}
