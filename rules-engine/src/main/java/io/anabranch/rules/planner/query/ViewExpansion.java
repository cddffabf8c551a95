package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.ExpandedText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.KindPlanner;

/** Puts the queries of views in the place of their names and plans what comes out. Used once. */
public final class ViewExpansion {

  private final Analysis analysis;
  private final ExpandedText expanded;

  ViewExpansion(Analysis analysis) {
    this.analysis = analysis;
    this.expanded = new ExpandedText(analysis.task(), analysis.source());
  }

  public static boolean isNeeded(Analysis analysis) {
    return analysis.tables().stream().anyMatch(PlacedTable.View.class::isInstance);
  }

  StatementPlan plan(KindPlanner queries) {
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.View view) {
        TableRef ref = view.ref();
        if (ref.nameToken() < 0) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "this way of naming the view '" + ref.name() + "'", "name it plainly");
        }
        expand(ref, view);
      }
    }
    return expanded.plan(queries);
  }

  private void expand(TableRef ref, PlacedTable.View view) {
    String alias = ref.aliased() ? "" : " AS " + TableNames.quoted(ref.name());
    int first = ref.qualifierToken() >= 0 ? ref.qualifierToken() : ref.nameToken();
    expanded.derive(first, ref.nameToken() + 1, ref.aliased(), "(" + view.query() + ")" + alias);
  }
}
