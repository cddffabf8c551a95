package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.ExpandedText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.KindPlanner;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts the queries of views in the place of their names and plans what comes out. Used once. */
public final class ViewExpansion {

  private final Analysis analysis;
  private final SqlTokens tokens;
  private final ExpandedText expanded;

  ViewExpansion(Analysis analysis) {
    this.analysis = analysis;
    this.tokens = analysis.source().tokens();
    this.expanded = new ExpandedText(analysis.task(), analysis.source());
  }

  public static boolean isNeeded(Analysis analysis) {
    return analysis.tables().stream().anyMatch(PlacedTable.View.class::isInstance);
  }

  StatementPlan plan(KindPlanner queries) {
    int done = 0;
    for (Map.Entry<Integer, PlacedTable.View> view : views().entrySet()) {
      expanded.client(done, tokens.start(view.getKey()));
      expand(view.getValue());
      done = tokens.end(view.getValue().ref().nameToken());
    }
    return expanded.client(done, analysis.source().text().length()).plan(queries);
  }

  /** In the order of the tokens where they start. */
  private SortedMap<Integer, PlacedTable.View> views() {
    var byToken = new TreeMap<Integer, PlacedTable.View>();
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.View view) {
        TableRef ref = view.ref();
        if (ref.nameToken() < 0) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "this way of naming the view '" + ref.name() + "'", "name it plainly");
        }
        byToken.put(ref.qualifierToken() >= 0 ? ref.qualifierToken() : ref.nameToken(), view);
      }
    }
    return byToken;
  }

  private void expand(PlacedTable.View view) {
    TableRef ref = view.ref();
    expanded.requireReadable(ref.name(), view.query());
    String alias = ref.aliased() ? "" : " AS " + TableNames.quoted(ref.name());
    expanded.view("(" + view.query() + ")" + alias);
  }
}
