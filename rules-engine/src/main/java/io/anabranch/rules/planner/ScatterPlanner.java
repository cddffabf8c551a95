package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.TextSlotValues;
import io.anabranch.rules.planner.SelectLayout.Span;
import io.anabranch.rules.planner.WritePlan.Refusal;
import io.anabranch.rules.routing.BlockColumns;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides how a query is answered over several nodes. Used once. */
final class ScatterPlanner {

  private static final int SYNTAX_ERROR = 1064;

  private final Analysis analysis;
  private final Placement placement;
  private final ShardedNames names;
  private final NameMapping mapping;
  private final SingleTemplate single;
  private final SlotValues values;
  private final TreeSet<Integer> guards = new TreeSet<>();

  ScatterPlanner(
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
    var scope = analysis.task().scope();
    this.values =
        new TextSlotValues()
            .over(
                analysis.task().scan(),
                scope.charset(),
                LexerMode.of(scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes()));
  }

  int[] guardedSlots() {
    return guards.stream().mapToInt(Integer::intValue).toArray();
  }

  Scatter plan() {
    SelectFacts select = analysis.facts().select();
    Refusal refusal = ScatterChecks.check(analysis, select);
    if (refusal != null) {
      requireSyntax();
    }
    if (refusal != null || select == null) {
      return Scatter.refused(
          refusal == null ? "this query" : refusal.construct(),
          refusal == null ? "restrict it to one shard" : refusal.wayOut());
    }
    if (analysis.sharded().isEmpty() || !placement.isOneGroup()) {
      return Scatter.refused("tables that do not meet", "join them by their sharding columns");
    }
    SelectLayout layout = SelectLayout.of(analysis.source().tokens()).orElse(null);
    if (layout == null
        || layout.items().size() != select.items().size()
        || layout.groupBy().size() != select.groupBy().size()
        || layout.orderBy().size() != select.orderBy().size()) {
      return Scatter.refused("this form of SELECT", "write it in a simpler form");
    }
    try {
      return new Builder(select, layout).build();
    } catch (NotMergeableException reason) {
      return Scatter.refused(reason.refusal().construct(), reason.refusal().wayOut());
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
      if (failed.errno() == SYNTAX_ERROR) {
        throw failed;
      }
    }
  }

  /** A column to sort by before its weights are known. */
  private record Key(int column, List<Piece> expression, boolean descending) {}

  private final class Builder {

    private final SelectFacts select;
    private final SelectLayout layout;
    private final SqlTokens tokens = analysis.source().tokens();
    private final SourceEdits edits = analysis.edits();
    private final List<ResultColumn> visible;
    private final OutputColumns output;
    private final LegColumns leg;
    private final List<List<Piece>> visiblePieces = new ArrayList<>();

    /** One per column of the leg, hidden ones included; used where groups are formed. */
    private final List<Aggregate> aggregates = new ArrayList<>();

    private final boolean grouped;
    private Span distinctArgument = Span.NONE;
    private @Nullable SortKey distinctKey;

    Builder(SelectFacts select, SelectLayout layout) {
      this.select = select;
      this.layout = layout;
      ShardQuery original =
          single.query(
              placement.layout(0).node(0).dataSource(), new int[analysis.sharded().size()], values);
      this.visible =
          analysis.task().catalog().describe(original).stream().map(this::logical).toList();
      this.output = new OutputColumns(select, layout, edits, visible);
      this.leg = new LegColumns(edits, visible.size());
      this.grouped =
          !select.groupBy().isEmpty()
              || select.items().stream().anyMatch(SelectItem.Aggregate.class::isInstance)
              || select.orderBy().stream().anyMatch(order -> isAggregate(order.item()))
              || select.having().stream()
                  .anyMatch(
                      term ->
                          term instanceof SelectFacts.HavingTerm.Compare compare
                              && isAggregate(compare.item()));
    }

    private static boolean isAggregate(SelectItem item) {
      return item instanceof SelectItem.Aggregate
          || (item instanceof SelectItem.Expression expression && expression.aggregates());
    }

    private ResultColumn logical(ResultColumn column) {
      String table = column.orgTable();
      return new ResultColumn(
          table.isEmpty() ? column.schema() : mapping.schema(),
          mapping.tables().getOrDefault(column.table(), column.table()),
          mapping.tables().getOrDefault(table, table),
          column.name(),
          column.orgName(),
          column.collation(),
          column.length(),
          column.type(),
          column.flags(),
          column.decimals());
    }

    Scatter build() {
      for (Span item : layout.items()) {
        visiblePieces.add(edits.copyTokens(item.first(), item.behind()));
      }
      if (grouped) {
        return grouped();
      }
      return select.distinct() ? distinct() : plain();
    }

    private Scatter plain() {
      List<SortKey> keys = weighted(orderKeys());
      boolean ordered = !keys.isEmpty();
      var sql = sql(keys, List.of());
      var columns = columns(sql);
      var limit = new LimitRule(select.limit());
      int width = leg.visible();
      boolean trims = leg.size() > width;
      return (legs, bound) -> {
        PlanNode route = new PlanNode.Route(sql.queries(legs, limit.needed(bound), bound), columns);
        PlanNode rows =
            ordered ? new PlanNode.OrderedMerge(route, keys) : new PlanNode.Concat(route);
        return trimmed(limited(rows, limit, bound), trims, width);
      };
    }

    private Scatter distinct() {
      List<Key> keys = new ArrayList<>(orderKeys());
      for (Key key : keys) {
        if (key.column() >= leg.visible()) {
          throw new NotMergeableException(
              "SELECT DISTINCT ordered by what is not selected", "select the column too");
        }
      }
      for (int column = 0; column < leg.visible(); column++) {
        int position = column;
        if (keys.stream().noneMatch(key -> key.column() == position)) {
          keys.add(new Key(column, output.expressionOf(column), false));
        }
      }
      List<SortKey> sortKeys = weighted(keys);
      var sql = sql(sortKeys, List.of());
      var columns = columns(sql);
      var limit = new LimitRule(select.limit());
      int width = leg.visible();
      boolean trims = leg.size() > width;
      return (legs, bound) -> {
        PlanNode route = new PlanNode.Route(sql.queries(legs, -1, bound), columns);
        PlanNode rows = new PlanNode.Distinct(new PlanNode.OrderedMerge(route, sortKeys), sortKeys);
        return trimmed(limited(rows, limit, bound), trims, width);
      };
    }

    private Scatter grouped() {
      if (select.distinct()) {
        throw new NotMergeableException(
            "SELECT DISTINCT with aggregates or GROUP BY", "leave DISTINCT out");
      }
      refuseLooseItems();
      for (int column = 0; column < leg.visible(); column++) {
        aggregates.add(first(column));
      }
      for (int item = 0; item < select.items().size(); item++) {
        if (select.items().get(item) instanceof SelectItem.Aggregate aggregate) {
          Span span = output.expressionSpan(item);
          aggregates.set(item, aggregate(aggregate, span, item, visible.get(item)));
        }
      }
      List<SortKey> groupKeys = weighted(groupKeys());
      List<Key> order = groupKeys.isEmpty() ? List.of() : orderKeys();
      boolean sorts = !isPrefix(order, groupKeys);
      List<SortKey> sortKeys = sorts ? weighted(order) : List.of();
      List<HavingTerm> having = having();
      while (aggregates.size() < leg.size()) {
        aggregates.add(first(aggregates.size()));
      }
      List<Aggregate> outputs = List.copyOf(aggregates);
      List<SortKey> legKeys = withDistinct(groupKeys);
      var sql = sql(legKeys, groupClause());
      var columns = columns(sql);
      var limit = new LimitRule(select.limit());
      int width = leg.visible();
      boolean trims = leg.size() > width;
      return (legs, bound) -> {
        PlanNode route = new PlanNode.Route(sql.queries(legs, -1, bound), columns);
        PlanNode input =
            legKeys.isEmpty()
                ? new PlanNode.Concat(route)
                : new PlanNode.OrderedMerge(route, legKeys);
        PlanNode rows = new PlanNode.GroupedAggregate(input, groupKeys, outputs);
        if (!having.isEmpty()) {
          rows =
              new PlanNode.Having(
                  rows, having.stream().map(term -> term.comparison(bound)).toList());
        }
        if (sorts) {
          rows = new PlanNode.Sort(rows, sortKeys);
        }
        return trimmed(limited(rows, limit, bound), trims, width);
      };
    }

    /** What has no one value in the whole input, or no place of its own in the select list. */
    private void refuseLooseItems() {
      boolean aggregated = select.items().stream().anyMatch(Builder::isAggregate);
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

    private static Aggregate first(int column) {
      return new Aggregate(Aggregate.Function.FIRST, column, -1, new byte[0]);
    }

    private List<Piece> groupClause() {
      Span clause = layout.groupClause();
      var pieces = new ArrayList<Piece>(edits.copyTokens(clause.first(), clause.behind()));
      if (!distinctArgument.isEmpty()) {
        pieces.add(edits.text(pieces.isEmpty() ? "GROUP BY " : ", "));
        pieces.addAll(edits.copyTokens(distinctArgument.first(), distinctArgument.behind()));
      }
      return pieces;
    }

    /** Groups of a leg are as fine as DISTINCT aggregates need them. */
    private List<SortKey> withDistinct(List<SortKey> groupKeys) {
      if (distinctKey == null) {
        return groupKeys;
      }
      var keys = new ArrayList<>(groupKeys);
      keys.add(distinctKey);
      return List.copyOf(keys);
    }

    /**
     * {@code COUNT(DISTINCT x)}: legs group by {@code x}, too, which leaves all other aggregates
     * exact: finer groups still add up.
     */
    private Aggregate distinct(SelectItem.Aggregate call, Span span) {
      var function =
          switch (call.function()) {
            case "COUNT" -> Aggregate.Function.COUNT_DISTINCT;
            case "SUM" -> Aggregate.Function.SUM_DISTINCT;
            case "AVG" -> Aggregate.Function.AVG_DISTINCT;
            default ->
                throw new NotMergeableException(
                    call.function() + "(DISTINCT …)", "restrict the query to one shard by its key");
          };
      SortKey key = distinctKey(call, new Span(span.first() + 3, span.behind() - 1));
      if (function != Aggregate.Function.COUNT_DISTINCT
          && !SortRules.isNumber(columns(sql(List.of(), groupClause())).get(key.column()))) {
        throw new NotMergeableException(
            call.function() + "(DISTINCT …) of a column that is no exact number",
            "cast it to DECIMAL");
      }
      return new Aggregate(function, key.column(), key.weight(), key.padWeight());
    }

    private SortKey distinctKey(SelectItem.Aggregate call, Span argument) {
      SortKey known = distinctKey;
      if (known != null && output.sameTokens(argument, distinctArgument)) {
        return known;
      }
      if (known != null || call.arguments() != 1) {
        throw new NotMergeableException(
            "DISTINCT aggregates over several expressions", "ask for each in a query of its own");
      }
      boolean constant = true;
      for (int token = argument.first(); token < argument.behind(); token++) {
        constant &= !tokens.isName(token);
      }
      boolean literals =
          select.groupBy().isEmpty()
              && select.items().stream().anyMatch(SelectItem.Literal.class::isInstance);
      if (constant || literals) {
        throw new NotMergeableException(
            "a literal in or beside a DISTINCT aggregate", "leave the literal out");
      }
      distinctArgument = argument;
      List<Piece> expression = edits.copyTokens(argument.first(), argument.behind());
      int column = leg.add(expression);
      fill(column);
      SortKey key = weighted(List.of(new Key(column, expression, false))).getFirst();
      fill(leg.size() - 1);
      distinctKey = key;
      return key;
    }

    /** Whether the groups come in the wanted order by themselves. */
    private boolean isPrefix(List<Key> order, List<SortKey> groupKeys) {
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

    private Aggregate aggregate(
        SelectItem.Aggregate call, Span span, int column, @Nullable ResultColumn described) {
      boolean same = call.function().equals("MIN") || call.function().equals("MAX");
      if (call.distinct() && !same) {
        return distinct(call, span);
      }
      return switch (call.function()) {
        case "COUNT" -> new Aggregate(Aggregate.Function.COUNT, column, -1, new byte[0]);
        case "SUM" -> new Aggregate(Aggregate.Function.SUM, column, -1, new byte[0]);
        case "MIN" -> extreme(Aggregate.Function.MIN, span, column, described);
        case "MAX" -> extreme(Aggregate.Function.MAX, span, column, described);
        case "BIT_AND" -> new Aggregate(Aggregate.Function.BIT_AND, column, -1, new byte[0]);
        case "BIT_OR" -> new Aggregate(Aggregate.Function.BIT_OR, column, -1, new byte[0]);
        case "BIT_XOR" -> new Aggregate(Aggregate.Function.BIT_XOR, column, -1, new byte[0]);
        case "AVG" -> {
          int sum = hiddenAggregate(replacedName("SUM", span), Aggregate.Function.SUM);
          int count = hiddenAggregate(replacedName("COUNT", span), Aggregate.Function.COUNT);
          yield new Aggregate(Aggregate.Function.AVG, sum, count, new byte[0]);
        }
        default ->
            throw new NotMergeableException(
                call.function() + "()", "restrict the query to one shard by its key");
      };
    }

    private Aggregate extreme(
        Aggregate.Function function, Span span, int column, @Nullable ResultColumn described) {
      if (described == null) {
        throw new NotMergeableException(
            function + "() that is not selected", "add it to the select list");
      }
      return switch (SortRules.of(described)) {
        case VALUE -> new Aggregate(function, column, -1, new byte[0]);
        case WEIGHT -> {
          int weight =
              leg.add("WEIGHT_STRING(", edits.copyTokens(span.first(), span.behind()), ")");
          fill(weight);
          yield new Aggregate(function, column, weight, pad(described));
        }
        case NUMBER, DOUBLE, NONE ->
            throw new NotMergeableException(
                function + "() of an ENUM, SET, FLOAT or JSON column",
                "cast the column to a string or a DOUBLE");
      };
    }

    private int hiddenAggregate(List<Piece> call, Aggregate.Function function) {
      int column = leg.add(call);
      fill(column);
      aggregates.set(column, new Aggregate(function, column, -1, new byte[0]));
      return column;
    }

    private void fill(int column) {
      while (aggregates.size() <= column) {
        aggregates.add(first(aggregates.size()));
      }
    }

    /** {@code SUM(x)} for {@code AVG(x)}. */
    private List<Piece> replacedName(String function, Span span) {
      var pieces = new ArrayList<Piece>();
      pieces.add(edits.text(function));
      pieces.addAll(edits.copyTokens(span.first() + 1, span.behind()));
      return pieces;
    }

    private List<Key> orderKeys() {
      var keys = new ArrayList<Key>();
      for (int i = 0; i < select.orderBy().size(); i++) {
        var order = select.orderBy().get(i);
        Span span = layout.orderBy().get(i);
        if (order.item() instanceof SelectItem.Literal) {
          literalKey(span, order.descending(), keys);
        } else {
          int column = output.outputColumn(order.item(), span);
          keys.add(
              column >= 0
                  ? new Key(column, output.expressionOf(column), order.descending())
                  : hiddenKey(order.item(), span, order.descending()));
        }
      }
      return keys;
    }

    /** {@code ORDER BY 2} means a column, {@code ORDER BY NULL} nothing. */
    private void literalKey(Span span, boolean descending, List<Key> keys) {
      boolean position =
          span.behind() == span.first() + 1 && tokens.text(span.first()).matches("\\d{1,4}");
      if (!position) {
        return;
      }
      guards.add(tokens.slot(span.first()));
      int column = Integer.parseInt(tokens.text(span.first())) - 1;
      if (column < 0 || column >= leg.visible()) {
        throw new NotMergeableException("a position outside of the select list", "count again");
      }
      keys.add(new Key(column, output.expressionOf(column), descending));
    }

    private Key hiddenKey(SelectItem item, Span span, boolean descending) {
      List<Piece> expression = edits.copyTokens(span.first(), span.behind());
      if (isAggregate(item)) {
        if (!(item instanceof SelectItem.Aggregate aggregate)) {
          throw new NotMergeableException(
              "ORDER BY an expression over aggregates", "add it to the select list");
        }
        int column = leg.add(expression);
        fill(column);
        aggregates.set(column, aggregate(aggregate, span, column, null));
        return new Key(column, expression, descending);
      }
      int column = leg.add(expression);
      return new Key(column, expression, descending);
    }

    private List<Key> groupKeys() {
      var columns =
          new BlockColumns(
              analysis.facts().blocks().getFirst(),
              analysis.tablesOf(0).stream().map(PlacedTable::columns).toList());
      var keys = new ArrayList<Key>();
      for (int i = 0; i < select.groupBy().size(); i++) {
        SelectItem item = select.groupBy().get(i);
        Span span = layout.groupBy().get(i);
        if (item instanceof SelectItem.Literal) {
          literalKey(span, false, keys);
          continue;
        }
        int column = output.groupedColumn(item, span, columns);
        List<Piece> expression =
            column >= 0
                ? output.expressionOf(column)
                : edits.copyTokens(span.first(), span.behind());
        keys.add(new Key(column >= 0 ? column : leg.add(expression), expression, false));
      }
      return keys;
    }

    private List<HavingTerm> having() {
      var terms = new ArrayList<HavingTerm>();
      List<Span> spans = layout.havingTerms(tokens);
      for (int i = 0; i < select.having().size(); i++) {
        if (!(select.having().get(i) instanceof SelectFacts.HavingTerm.Compare compare)
            || spans.size() != select.having().size()) {
          throw new NotMergeableException(
              "this HAVING", "compare aggregates with numbers, joined by AND");
        }
        Span span = SelectLayout.comparedSpan(tokens, spans.get(i));
        int column = output.outputColumn(compare.item(), span);
        if (column < 0) {
          if (!(compare.item() instanceof SelectItem.Aggregate aggregate)) {
            throw new NotMergeableException(
                "HAVING over what is not selected", "add it to the select list");
          }
          column = leg.add(edits.copyTokens(span.first(), span.behind()));
          fill(column);
          aggregates.set(column, aggregate(aggregate, span, column, null));
        } else if (!SortRules.isNumber(visible.get(column))) {
          throw new NotMergeableException(
              "HAVING over a column that is no number", "put the condition into WHERE");
        }
        terms.add(
            new HavingTerm(
                column, PlanNode.Comparison.Operator.valueOf(compare.operator()), compare.value()));
      }
      return terms;
    }

    /** Adds the hidden columns that the keys' types need. */
    private List<SortKey> weighted(List<Key> keys) {
      boolean hidden = keys.stream().anyMatch(key -> key.column() >= leg.visible());
      List<ResultColumn> types = hidden ? columns(sql(List.of(), groupClause())) : visible;
      var sorted = new ArrayList<SortKey>();
      for (Key key : keys) {
        ResultColumn type = types.get(key.column());
        SortRules rule = SortRules.of(type);
        boolean overAggregate =
            key.column() < aggregates.size()
                && aggregates.get(key.column()).function() != Aggregate.Function.FIRST;
        if (rule == SortRules.NONE || (overAggregate && rule != SortRules.VALUE)) {
          throw new NotMergeableException(
              "ordering or grouping by " + type.name(), "order by a plain column");
        }
        int weight =
            rule == SortRules.VALUE ? -1 : leg.add(rule.before(), key.expression(), rule.after());
        sorted.add(
            new SortKey(
                key.column(),
                weight,
                rule == SortRules.WEIGHT ? pad(type) : new byte[0],
                key.descending()));
      }
      return List.copyOf(sorted);
    }

    private byte[] pad(ResultColumn column) {
      return analysis
          .task()
          .catalog()
          .padWeight(placement.layout(0).node(0).dataSource(), column.collation());
    }

    private LegSql sql(List<SortKey> keys, List<Piece> groupBy) {
      var pieces = new ArrayList<Piece>();
      int first = layout.items().getFirst().first();
      pieces.addAll(edits.copy(edits.start(0), edits.start(first)));
      for (int item = 0; item < visiblePieces.size(); item++) {
        if (item > 0) {
          pieces.add(edits.text(", "));
        }
        pieces.addAll(visiblePieces.get(item));
      }
      pieces.addAll(leg.pieces());
      pieces.add(edits.text(" "));
      pieces.addAll(edits.copyTokens(layout.from(), layout.body()));
      if (!groupBy.isEmpty()) {
        pieces.add(edits.text(" "));
        pieces.addAll(groupBy);
      }
      if (!grouped && !layout.having().isEmpty()) {
        pieces.add(edits.text(" HAVING "));
        pieces.addAll(edits.copyTokens(layout.having().first(), layout.having().behind()));
      }
      var tail = new ArrayList<Piece>();
      if (!layout.tail().isEmpty()) {
        tail.add(edits.text(" "));
        tail.addAll(edits.copyTokens(layout.tail().first(), layout.tail().behind()));
      }
      boolean unites =
          tail.isEmpty()
              && layout.unites(tokens)
              && visible.stream().allMatch(SortRules::survivesUnion);
      return new LegSql(
          placement.layout(0),
          names,
          analysis.sharded().size(),
          pieces,
          orderText(keys),
          tail,
          unites
              ? Math.max(1, analysis.task().rules().properties().maxUnionSizePerDataSource())
              : 1,
          analysis.source().charset());
    }

    private static String orderText(List<SortKey> keys) {
      return keys.isEmpty()
          ? ""
          : keys.stream()
              .map(key -> (position(key) + 1) + (key.descending() ? " DESC" : ""))
              .collect(Collectors.joining(", ", " ORDER BY ", ""));
    }

    /** Weights without padding order like their collation; numbers of ENUM survive a UNION. */
    private static int position(SortKey key) {
      return key.weight() >= 0 && key.padWeight().length == 0 ? key.weight() : key.column();
    }

    /** The client's columns as they are, hidden ones as the database describes them. */
    private List<ResultColumn> columns(LegSql sql) {
      if (leg.size() == leg.visible()) {
        return visible;
      }
      var one = new BitSet();
      one.set(0);
      ShardQuery query = sql.queries(one, -1, values).getFirst();
      List<ResultColumn> described;
      try {
        described = analysis.task().catalog().describe(query);
      } catch (SchemaCatalog.DescribeException notAsColumn) {
        throw new NotMergeableException(
            "ordering or grouping by an expression over aliases", "select the expression itself");
      }
      var columns = new ArrayList<>(visible);
      columns.addAll(described.subList(visible.size(), described.size()));
      return List.copyOf(columns);
    }

    private static PlanNode limited(PlanNode rows, LimitRule limit, SlotValues bound) {
      long count = limit.count(bound);
      return count < 0 ? rows : new PlanNode.Limit(rows, limit.offset(bound), count);
    }

    private static PlanNode trimmed(PlanNode rows, boolean trims, int width) {
      return trims ? new PlanNode.TrimColumns(rows, width) : rows;
    }
  }
}
