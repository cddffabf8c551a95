package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.ScatterChecks;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.TreeSet;

/**
 * Decides how a query is answered over several nodes by merging streams. Used once.
 *
 * <p>The phases: {@link ScatterChecks} tell what no merge answers, {@link ScatterDraft} collects
 * the columns of a leg, {@link PlainScatter} or {@link GroupedScatter} make the plan. What they do
 * not take is a {@link Scatter.Refused}.
 */
public final class ScatterPlanner {

  private static final int SYNTAX_ERROR = 1064;
  private static final int UNDECLARED_VARIABLE = 1327;

  private final Analysis analysis;
  private final Placement placement;
  private final ShardedNames names;
  private final NameMapping mapping;
  private final SingleTemplate single;
  private final SlotValues values;
  private final TreeSet<Integer> guards = new TreeSet<>();

  public ScatterPlanner(
      Analysis analysis,
      Placement placement,
      ShardedNames names,
      NameMapping mapping,
      SingleTemplate single) {
    this.analysis = analysis;
    this.placement = placement;
    this.names = names;
    this.mapping = mapping;
    this.single = single;
    this.values = analysis.task().written();
  }

  public int[] guardedSlots() {
    return guards.stream().mapToInt(Integer::intValue).toArray();
  }

  public Scatter plan() {
    SelectFacts select = analysis.facts().select();
    Refusal refusal = ScatterChecks.check(analysis, placement, select);
    if (refusal != null) {
      requireSyntax();
      return new Scatter.Refused(refusal);
    }
    if (select == null) {
      return Scatter.refused("this query", "restrict it to one shard");
    }
    if (analysis.sharded().isEmpty() || !placement.isOneGroup()) {
      return Scatter.refused("tables that do not meet", "join them by their sharding columns");
    }
    SelectLayout layout = SelectLayout.of(analysis.source().tokens()).orElse(null);
    if (layout == null || !layout.matches(select)) {
      return Scatter.refused("this form of SELECT", "write it in a simpler form");
    }
    if (layout.hasDisguisedPositions(analysis.source().tokens())) {
      return Scatter.refused(
          "a parameter, or a number in parentheses, as an item of ORDER BY or GROUP BY",
          "name the column");
    }
    SqlTokens tokens = analysis.source().tokens();
    if (layout.items().stream().anyMatch(item -> NarrowNumbers.areIn(tokens, item))) {
      return Scatter.refused("a number that a UNION would clip", "restrict it to one shard");
    }
    try {
      var draft =
          new ScatterDraft(
              analysis, placement, names, select, layout, values, mapping, single, guards);
      return draft.isGrouped() ? new GroupedScatter(draft).plan() : new PlainScatter(draft).plan();
    } catch (NotMergeableException reason) {
      return new Scatter.Refused(reason.refusal());
    }
  }

  /** The database tells what is no SQL, whatever a parser makes of it. */
  private void requireSyntax() {
    try {
      if (!analysis.sharded().isEmpty()) {
        ShardQuery original =
            single.query(
                placement.layout(0).node(0).dataSource(),
                new int[analysis.sharded().size()],
                values);
        analysis.task().catalog().describe(original);
      }
    } catch (SchemaCatalog.DescribeException failed) {
      if (failed.errno() == SYNTAX_ERROR || failed.errno() == UNDECLARED_VARIABLE) {
        throw failed;
      }
    }
  }
}
