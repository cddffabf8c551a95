package io.anabranch.rules.resolve;

import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.table.PlacedTable;
import java.util.List;
import java.util.Locale;

/**
 * Aggregates that stand in a subquery and belong to the query around it, because all columns that
 * they name are its: {@code SELECT (SELECT SUM(o.total)) FROM t_order o} is one row.
 */
final class OuterAggregates {

  private final Analysis analysis;
  private final SqlTokens tokens;
  private final List<SelectSpans> selects;

  private OuterAggregates(Analysis analysis) {
    this.analysis = analysis;
    this.tokens = analysis.source().tokens();
    this.selects = SelectSpans.of(tokens);
  }

  /** Whether there may be any. */
  static boolean areIn(Analysis analysis) {
    return new OuterAggregates(analysis).areThere();
  }

  private boolean areThere() {
    return selects.size() > 1 && tokens.all().calls().stream().anyMatch(this::isOuter);
  }

  private boolean isOuter(int call) {
    int select =
        SqlFunctions.isAggregate(tokens.word(call)) ? SelectSpans.around(selects, call) : 0;
    return select > 0 && namesOthersOnly(call + 2, tokens.closing(call + 1), select);
  }

  private boolean namesOthersOnly(int from, int to, int select) {
    List<Integer> columns =
        tokens
            .between(from, to)
            .where(
                token ->
                    tokens.isName(token)
                        && !tokens.isPunctuation(token + 1, '(')
                        && !tokens.isPunctuation(token + 1, '.'));
    return !columns.isEmpty() && columns.stream().noneMatch(column -> isOwn(column, select));
  }

  private boolean isOwn(int token, int select) {
    String name = tokens.name(token);
    String qualifier = tokens.isPunctuation(token - 1, '.') ? tokens.name(token - 2) : null;
    for (PlacedTable table : analysis.tables()) {
      int place = table.ref().nameToken();
      boolean here = place >= 0 && SelectSpans.around(selects, place) == select;
      boolean fits =
          qualifier == null
              ? table.columns().containsKey(name.toLowerCase(Locale.ROOT))
              : table.ref().alias().equalsIgnoreCase(qualifier);
      if (here && fits) {
        return true;
      }
    }
    return false;
  }
}
