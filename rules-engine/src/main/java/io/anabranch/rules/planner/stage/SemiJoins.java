package io.anabranch.rules.planner.stage;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.resolve.BlockScope;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.syntax.query.Conjunction;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code column IN (SELECT …)} and {@code EXISTS (SELECT …)} say of columns where a WHERE
 * demands them: rows matter only where a column has a value that another one has, too.
 */
final class SemiJoins {

  /**
   * @param around position of the SELECT whose WHERE demands it, among {@link SelectSpans}
   * @param column in front of IN; null for EXISTS
   * @param subquery position of the SELECT in parentheses
   */
  private record Demand(int around, @Nullable ColumnName column, int subquery) {}

  private final SqlTokens tokens;
  private final List<SelectSpans> selects;
  private final List<Demand> demands = new ArrayList<>();

  SemiJoins(SqlTokens tokens, List<SelectSpans> selects) {
    this.tokens = tokens;
    this.selects = selects;
    for (int select = 0; select < selects.size(); select++) {
      for (Span part : Conjunction.parts(tokens, selects.get(select).where())) {
        read(select, part);
      }
    }
  }

  private void read(int around, Span part) {
    int open = part.first();
    ColumnName column = null;
    if (!tokens.isWord(open, "EXISTS")) {
      open = behindName(part.first());
      if (open < 0 || !tokens.isWord(open, "IN")) {
        return;
      }
      column = name(part.first(), open);
    }
    open++;
    if (!tokens.isPunctuation(open, '(') || tokens.closing(open) != part.behind() - 1) {
      return;
    }
    for (int select = around + 1; select < selects.size(); select++) {
      SelectSpans inner = selects.get(select);
      if (inner.select() == open + 1 && inner.behind() == part.behind() - 1) {
        demands.add(new Demand(around, column, select));
      }
    }
  }

  /** Behind {@code c}, {@code t.c} or {@code d.t.c}; -1 if there is no name. */
  private int behindName(int from) {
    return tokens.isName(from) ? tokens.lastOfName(from) + 1 : -1;
  }

  private ColumnName name(int from, int behind) {
    boolean qualified = behind - from > 1;
    return new ColumnName(qualified ? tokens.name(behind - 3) : null, tokens.name(behind - 1));
  }

  /** Whether {@link #ties} may hold of two references: one is in a subquery of the other's. */
  boolean mayTie(StagedReference one, StagedReference other) {
    for (Demand demand : demands) {
      if ((demand.around() == one.select() && demand.subquery() == other.select())
          || (demand.around() == other.select() && demand.subquery() == one.select())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether rows of one reference matter only where {@code own} has one of the values of {@code
   * other} in those rows of another reference that matter.
   */
  boolean ties(
      StagedReference reference,
      BlockScope scope,
      ColumnKey own,
      StagedReference before,
      BlockScope where,
      ColumnKey other) {
    if (reference.outerJoins() > 0) {
      return false;
    }
    for (Demand demand : demands) {
      boolean into = demand.around() == reference.select() && demand.subquery() == before.select();
      boolean from = demand.subquery() == reference.select() && demand.around() == before.select();
      // a row of the subquery may lack what an outer join adds to it
      boolean shown = into && compares(demand, scope, own, where, other);
      boolean equal = into && before.outerJoins() == 0 && isTied(demand, where, other, scope, own);
      boolean asked = from && isRowByRow(demand) && compares(demand, where, other, scope, own);
      if (shown || equal || asked) {
        return true;
      }
    }
    return false;
  }

  /** Whether IN compares a column around with one that the subquery shows. */
  private boolean compares(
      Demand demand, BlockScope around, ColumnKey outer, BlockScope within, ColumnKey inner) {
    SelectSpans subquery = selects.get(demand.subquery());
    int first = SelectLayout.behindModifiers(tokens, subquery.select() + 1);
    int behind = behindName(first);
    ColumnName column = demand.column();
    return column != null
        && behind > 0
        && tokens.isWord(behind, "FROM")
        && outer.equals(around.columns().resolve(column))
        && inner.equals(within.columns().resolve(name(first, behind)));
  }

  /** Whether each row of the subquery has a value of the row around. */
  private boolean isTied(
      Demand demand, BlockScope within, ColumnKey inner, BlockScope around, ColumnKey outer) {
    return isRowByRow(demand) && within.isTied(inner, around, outer);
  }

  /** Whether the subquery has a row for each that its WHERE leaves, and no other. */
  private boolean isRowByRow(Demand demand) {
    SelectSpans subquery = selects.get(demand.subquery());
    int clauses = subquery.where().isEmpty() ? subquery.from().behind() : subquery.where().behind();
    return clauses == subquery.behind()
        && !tokens
            .between(subquery.select(), subquery.from().first())
            .has(token -> tokens.isPunctuation(token, '('));
  }
}
