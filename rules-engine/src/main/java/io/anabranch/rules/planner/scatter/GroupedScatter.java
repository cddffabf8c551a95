package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.planner.strategy.Scatter;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Groups and aggregates over several nodes: each leg gives partial results. Used once. */
final class GroupedScatter {

  private final ScatterDraft draft;
  private final SelectFacts select;
  private final SortKeys sortKeys;
  private final AggregateColumns aggregates;

  GroupedScatter(ScatterDraft draft) {
    this.draft = draft;
    this.select = draft.select();
    this.sortKeys = new SortKeys(draft);
    this.aggregates = new AggregateColumns(draft, sortKeys);
  }

  Scatter plan() {
    if (select.distinct()) {
      throw new NotMergeableException(
          "SELECT DISTINCT with aggregates or GROUP BY", "leave DISTINCT out");
    }
    refuseLooseItems();
    aggregates.select();
    List<KeyDraft> keys = groupKeys();
    List<SortKey> groupKeys = weighted(keys);
    List<KeyDraft> order = groupKeys.isEmpty() ? List.of() : sortKeys.orderBy(this::ordering);
    boolean sorts = !isPrefix(order, groupKeys);
    List<SortKey> orderKeys = sorts ? weighted(order) : List.of();
    List<HavingTerm> having = having(keys);
    List<Aggregate> outputs = aggregates.all();
    List<SortKey> legKeys = aggregates.legKeys(groupKeys);
    var leg = draft.sql(legKeys, aggregates.groupClause());
    List<ResultColumn> columns = draft.columns(leg);
    var sql = draft.settled(leg, columns);
    boolean alike = !sql.unites();
    var limit = new LimitRule(select.limit());
    int width = draft.leg().visible();
    boolean trims = draft.leg().size() > width;
    return (legs, bound) -> {
      PlanNode route = new PlanNode.Route(sql.queries(legs, -1, bound), columns, alike);
      PlanNode input =
          legKeys.isEmpty()
              ? new PlanNode.Concat(route)
              : new PlanNode.OrderedMerge(route, legKeys);
      PlanNode rows = new PlanNode.GroupedAggregate(input, groupKeys, outputs);
      if (!having.isEmpty()) {
        rows =
            new PlanNode.Having(rows, having.stream().map(term -> term.comparison(bound)).toList());
      }
      if (sorts) {
        rows = new PlanNode.Sort(rows, orderKeys);
      }
      return ScatterDraft.trimmed(ScatterDraft.limited(rows, limit, bound), trims, width);
    };
  }

  /** What has no one value in the whole input, or no place of its own in the select list. */
  private void refuseLooseItems() {
    boolean aggregated = select.items().stream().anyMatch(SelectItem::hasAggregates);
    for (SelectItem item : select.items()) {
      if (item instanceof SelectItem.Star && aggregated) {
        throw new NotMergeableException("* beside aggregates", "name the columns");
      }
      if (select.groupBy().isEmpty()
          && !(item instanceof SelectItem.Aggregate)
          && !(item instanceof SelectItem.Literal)) {
        throw new NotMergeableException(
            "a column beside aggregates without GROUP BY", "group by the column or leave it out");
      }
    }
  }

  private List<SortKey> weighted(List<KeyDraft> keys) {
    return sortKeys.weighted(keys, aggregates::isPartial, aggregates.groupClause());
  }

  private int ordering(SelectItem item, Span span) {
    if (!(item instanceof SelectItem.Aggregate aggregate)) {
      throw new NotMergeableException(
          "ORDER BY an expression over aggregates", "add it to the select list");
    }
    return aggregates.add(aggregate, span);
  }

  /** Whether the groups come in the wanted order by themselves. */
  private static boolean isPrefix(List<KeyDraft> order, List<SortKey> groupKeys) {
    if (order.size() > groupKeys.size()) {
      return false;
    }
    for (int i = 0; i < order.size(); i++) {
      if (order.get(i).descending() || order.get(i).column() != groupKeys.get(i).column()) {
        return false;
      }
    }
    return true;
  }

  private List<KeyDraft> groupKeys() {
    var analysis = draft.analysis();
    var columns =
        new BlockColumns(
            analysis.facts().blocks().getFirst(),
            analysis.tablesOf(0).stream().map(PlacedTable::columns).toList());
    requireAliases(columns);
    var keys = new ArrayList<KeyDraft>();
    for (int i = 0; i < select.groupBy().size(); i++) {
      SelectItem item = select.groupBy().get(i);
      Span span = draft.layout().groupBy().get(i);
      if (item instanceof SelectItem.Literal) {
        sortKeys.literal(span, false, keys);
        continue;
      }
      int column = draft.output().groupedColumn(item, span, columns);
      List<Piece> expression = column >= 0 ? draft.output().expressionOf(column) : draft.copy(span);
      keys.add(new KeyDraft(column >= 0 ? column : draft.leg().add(expression), expression, false));
    }
    if (keys.isEmpty() && !select.groupBy().isEmpty()) {
      // without rows there is no group, which is not so without GROUP BY
      throw new NotMergeableException("GROUP BY of nothing but literals", "leave it out");
    }
    return keys;
  }

  /**
   * What is no column of a table is an alias, unless it is a column of a derived table: the
   * database groups by that one.
   */
  private void requireAliases(BlockColumns columns) {
    if (!draft.analysis().facts().blocks().getFirst().hasDerivedTables()) {
      return;
    }
    SqlTokens tokens = draft.tokens();
    var inner = new HashSet<String>();
    for (int token : tokens.all().where(token -> tokens.depth(token) > 0)) {
      inner.add(tokens.isOperator(token, "*") ? "*" : tokens.lowerName(token));
    }
    for (int i = 0; i < select.groupBy().size(); i++) {
      Span span = draft.layout().groupBy().get(i);
      String name = tokens.lowerName(span.first());
      boolean mayBeDerived =
          select.groupBy().get(i) instanceof SelectItem.Column column
              && column.column().table() == null
              && columns.resolve(column.column()) == null
              && (inner.contains("*") || inner.contains(name));
      if (mayBeDerived && select.aliases().stream().anyMatch(name::equalsIgnoreCase)) {
        throw new NotMergeableException(
            "GROUP BY a name that may be an alias or a derived table's column",
            "name the alias otherwise");
      }
    }
  }

  private List<HavingTerm> having(List<KeyDraft> keys) {
    var terms = new ArrayList<HavingTerm>();
    List<Span> spans = draft.layout().havingTerms(draft.tokens());
    for (int i = 0; i < select.having().size(); i++) {
      if (!(select.having().get(i) instanceof SelectFacts.HavingTerm.Compare compare)
          || spans.size() != select.having().size()) {
        throw new NotMergeableException(
            "this HAVING", "compare aggregates with numbers, joined by AND");
      }
      terms.add(
          new HavingTerm(
              compared(compare, spans.get(i), keys),
              PlanNode.Comparison.Operator.valueOf(compare.operator()),
              compare.value()));
    }
    return terms;
  }

  private int compared(SelectFacts.HavingTerm.Compare compare, Span term, List<KeyDraft> keys) {
    Span span = SelectLayout.comparedSpan(draft.tokens(), term);
    if (span.isEmpty()) {
      throw new NotMergeableException("this HAVING", "compare aggregates with numbers");
    }
    int column = draft.output().outputColumn(compare.item(), span);
    refuseOtherKey(compare.item(), column, keys);
    boolean isSelected = column >= 0 && column < select.items().size();
    SelectItem item = isSelected ? select.items().get(column) : compare.item();
    if (!draft.isMariaDb()
        && item instanceof SelectItem.Aggregate average
        && average.function().equals("AVG")) {
      return isSelected
          ? aggregates.addCompared(average, draft.output().expressionSpan(column), column)
          : aggregates.addCompared(average, span, -1);
    }
    if (column >= 0) {
      if (!Comparability.isNumber(draft.visible().get(column))) {
        throw new NotMergeableException(
            "HAVING over a column that is no number", "put the condition into WHERE");
      }
      return column;
    }
    if (!(compare.item() instanceof SelectItem.Aggregate aggregate)) {
      throw new NotMergeableException(
          "HAVING over what is not selected", "add it to the select list");
    }
    return aggregates.add(aggregate, span);
  }

  /** HAVING looks for columns that are grouped by first, for aliases then. */
  private void refuseOtherKey(SelectItem compared, int column, List<KeyDraft> keys) {
    if (compared instanceof SelectItem.Column name && name.column().table() == null) {
      for (int i = 0; i < keys.size(); i++) {
        boolean isNamed =
            select.groupBy().get(i) instanceof SelectItem.Column key
                && key.column().column().equalsIgnoreCase(name.column().column());
        if (isNamed && keys.get(i).column() != column) {
          throw new NotMergeableException(
              "HAVING over a column and an alias of one name", "give the alias another name");
        }
      }
    }
  }
}
