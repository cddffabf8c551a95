package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.syntax.query.OpenOperands;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the columns of a leg combine to those of a group: one {@link Aggregate} per column, hidden
 * ones included. Columns that nothing was said of have the same value in the whole group.
 */
final class AggregateColumns {

  private static final int DOUBLE = 5;
  private static final int TIMESTAMP = 7;

  private final ScatterDraft draft;
  private final SortKeys sortKeys;
  private final List<Aggregate> aggregates = new ArrayList<>();
  private Span distinctArgument = Span.NONE;
  private @Nullable SortKey distinctKey;

  AggregateColumns(ScatterDraft draft, SortKeys sortKeys) {
    this.draft = draft;
    this.sortKeys = sortKeys;
    fill(draft.leg().visible() - 1);
  }

  /** The select list. */
  void select() {
    List<SelectItem> items = draft.select().items();
    for (int item = 0; item < items.size(); item++) {
      if (items.get(item) instanceof SelectItem.Aggregate aggregate) {
        Span span = draft.output().expressionSpan(item);
        aggregates.set(item, aggregate(aggregate, span, item, draft.visible().get(item)));
      }
    }
  }

  /** Adds an aggregate that is not selected; position of its column. */
  int add(SelectItem.Aggregate call, Span span) {
    int column = draft.leg().add(draft.copy(span));
    fill(column);
    aggregates.set(column, aggregate(call, span, column, null));
    return column;
  }

  /**
   * Adds an average as comparisons see it: MySQL compares more digits than it shows.
   *
   * @param selected its column where it is selected, too; else -1
   * @return position of its column
   */
  int addCompared(SelectItem.Aggregate average, Span span, int selected) {
    if (average.distinct()) {
      throw new NotMergeableException(
          "HAVING over AVG(DISTINCT …)", "restrict the query to one shard by its key");
    }
    int column = draft.leg().add(draft.copy(span));
    fill(column);
    Aggregate shown =
        selected < 0 ? aggregate(average, span, column, null) : aggregates.get(selected);
    aggregates.set(
        column,
        new Aggregate(
            Aggregate.Function.AVG_COMPARED, shown.column(), shown.companion(), shown.padWeight()));
    return column;
  }

  /** Whether the column is a partial result. */
  boolean isPartial(int column) {
    return column < aggregates.size()
        && aggregates.get(column).function() != Aggregate.Function.FIRST;
  }

  /** All columns, to the last hidden one. */
  List<Aggregate> all() {
    fill(draft.leg().size() - 1);
    return List.copyOf(aggregates);
  }

  private void fill(int column) {
    while (aggregates.size() <= column) {
      aggregates.add(new Aggregate(Aggregate.Function.FIRST, aggregates.size(), -1, new byte[0]));
    }
  }

  /** GROUP BY of the legs: as fine as DISTINCT aggregates need it. */
  List<Piece> groupClause() {
    var pieces = new ArrayList<Piece>(draft.copy(draft.layout().groupClause()));
    if (!distinctArgument.isEmpty()) {
      pieces.add(draft.edits().text(pieces.isEmpty() ? "GROUP BY " : ", "));
      pieces.addAll(draft.copy(distinctArgument));
    }
    return pieces;
  }

  /** What the legs are sorted by so that groups, and equal arguments in them, are neighbours. */
  List<SortKey> legKeys(List<SortKey> groupKeys) {
    if (distinctKey == null) {
      return groupKeys;
    }
    var keys = new ArrayList<>(groupKeys);
    keys.add(distinctKey);
    return List.copyOf(keys);
  }

  private Aggregate aggregate(
      SelectItem.Aggregate call, Span span, int column, @Nullable ResultColumn described) {
    boolean same = call.function().equals("MIN") || call.function().equals("MAX");
    boolean adds = call.function().equals("SUM") || call.function().equals("AVG");
    if (adds && divides(span)) {
      throw new NotMergeableException(
          call.function() + "() of a quotient", "its digits are more than those that are sent");
    }
    OpenOperands operands = draft.openOperands();
    if (adds && (operands.areIn(span) || operands.areInInnerLists())) {
      throw new NotMergeableException(
          call.function() + "() of a variable or a parameter", "write CAST(… AS DECIMAL(20, 4))");
    }
    if (call.distinct() && !same) {
      return distinct(call, span);
    }
    return switch (call.function()) {
      case "COUNT" -> plain(Aggregate.Function.COUNT, column);
      case "SUM" -> {
        int sum =
            Comparability.isRounded(told(column, described))
                ? draft.leg().add("(", draft.copy(span), ")+0.0e0")
                : column;
        fill(sum);
        aggregates.set(sum, plain(Aggregate.Function.SUM, sum));
        yield plain(Aggregate.Function.SUM, sum);
      }
      case "MIN" -> extreme(Aggregate.Function.MIN, call, span, column, described);
      case "MAX" -> extreme(Aggregate.Function.MAX, call, span, column, described);
      case "BIT_AND" -> bits(Aggregate.Function.BIT_AND, column, told(column, described));
      case "BIT_OR" -> bits(Aggregate.Function.BIT_OR, column, told(column, described));
      case "BIT_XOR" -> bits(Aggregate.Function.BIT_XOR, column, told(column, described));
      case "AVG" -> {
        boolean rounded = Comparability.isRounded(told(column, described));
        int sum = hidden("SUM", span, rounded ? "+0.0e0" : "", Aggregate.Function.SUM);
        int count = hidden("COUNT", span, "", Aggregate.Function.COUNT);
        yield new Aggregate(Aggregate.Function.AVG, sum, count, new byte[0]);
      }
      default ->
          throw new NotMergeableException(
              call.function() + "()", "restrict the query to one shard by its key");
    };
  }

  /** A server adds quotients up with more digits than it answers one of them with. */
  private boolean divides(Span span) {
    return draft.tokens().in(span).has(token -> draft.tokens().isOperator(token, "/"))
        || draft.quotients().mentionsOne(span);
  }

  private static Aggregate plain(Aggregate.Function function, int column) {
    return new Aggregate(function, column, -1, new byte[0]);
  }

  /** What the database tells of a column of the leg. */
  private ResultColumn told(int column, @Nullable ResultColumn described) {
    return described == null
        ? draft.columns(draft.sql(List.of(), groupClause())).get(column)
        : described;
  }

  /** Over strings of bits the server answers with such a string. */
  private static Aggregate bits(Aggregate.Function function, int column, ResultColumn told) {
    if (!Comparability.isInteger(told)) {
      throw new NotMergeableException(function + "() of a string", "cast it to UNSIGNED");
    }
    return plain(function, column);
  }

  /** Adds {@code SUM(x)} for {@code AVG(x)}. */
  private int hidden(String name, Span span, String after, Aggregate.Function function) {
    var call = new ArrayList<Piece>();
    call.add(draft.edits().text(name));
    call.addAll(draft.edits().copyTokens(span.first() + 1, span.behind()));
    call.add(draft.edits().text(after));
    int column = draft.leg().add(call);
    fill(column);
    aggregates.set(column, plain(function, column));
    return column;
  }

  private Aggregate extreme(
      Aggregate.Function function,
      SelectItem.Aggregate call,
      Span span,
      int column,
      @Nullable ResultColumn described) {
    if (described == null) {
      throw new NotMergeableException(
          function + "() that is not selected", "add it to the select list");
    }
    Comparability rule = Comparability.of(described);
    if (rule == Comparability.DOUBLE && described.type() == DOUBLE) {
      // what is less is not more when it is rounded
      return plain(function, column);
    }
    // to MySQL the last is what shows the latest time
    if (described.type() == TIMESTAMP && !call.distinct() && draft.isMariaDb()) {
      int moment = hidden(function + "(UNIX_TIMESTAMP", span, ")", function);
      return new Aggregate(function, column, moment, new byte[0]);
    }
    return switch (rule) {
      case VALUE, MOMENT -> plain(function, column);
      case WEIGHT -> {
        if (draft.openOperands().areIn(span) && isConstant(span)) {
          // only the execution tells whether it is a string
          throw new NotMergeableException(
              function + "() of a variable or a parameter", "select it beside the aggregates");
        }
        int weight = draft.leg().add("WEIGHT_STRING(", draft.copy(span), ")");
        fill(weight);
        yield new Aggregate(
            function, column, weight, draft.pad(column, draft.copy(span), groupClause()));
      }
      case NUMBER, DOUBLE, NONE ->
          throw new NotMergeableException(
              function + "() of a column whose type the proxy does not compare",
              "restrict the query to one shard by its key");
    };
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
        && !Comparability.isNumber(
            draft.columns(draft.sql(List.of(), groupClause())).get(key.column()))) {
      throw new NotMergeableException(
          call.function() + "(DISTINCT …) of a column that is no exact number",
          "cast it to DECIMAL");
    }
    return new Aggregate(function, key.column(), key.weight(), key.padWeight());
  }

  private SortKey distinctKey(SelectItem.Aggregate call, Span argument) {
    SortKey known = distinctKey;
    if (known != null && draft.output().sameTokens(argument, distinctArgument)) {
      return known;
    }
    if (known != null || call.arguments() != 1) {
      throw new NotMergeableException(
          "DISTINCT aggregates over several expressions", "ask for each in a query of its own");
    }
    refuseConstant(argument);
    distinctArgument = argument;
    List<Piece> expression = draft.copy(argument);
    int column = draft.leg().add(expression);
    fill(column);
    SortKey key =
        sortKeys
            .weighted(
                List.of(new KeyDraft(column, expression, false)), this::isPartial, groupClause())
            .getFirst();
    fill(draft.leg().size() - 1);
    distinctKey = key;
    return key;
  }

  /** Whether no column stands in the argument. */
  private boolean isConstant(Span call) {
    SqlTokens tokens = draft.tokens();
    return tokens.between(call.first() + 1, call.behind()).names().isEmpty();
  }

  private void refuseConstant(Span argument) {
    boolean constant = isConstant(new Span(argument.first() - 1, argument.behind()));
    boolean literals =
        draft.select().groupBy().isEmpty()
            && draft.select().items().stream().anyMatch(SelectItem.Literal.class::isInstance);
    if (constant || literals) {
      throw new NotMergeableException(
          "a literal in or beside a DISTINCT aggregate", "leave the literal out");
    }
  }
}
