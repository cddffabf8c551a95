package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.compare.DecidedCollations;
import io.anabranch.rules.compare.UnitedColumns;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.syntax.query.OpenOperands;
import io.anabranch.rules.syntax.query.SelectItems;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scattered SELECT while its plan is made: its clauses, what the client is told of its columns,
 * and the columns that each leg gets behind them. Used once, by one planning thread.
 */
final class ScatterDraft {

  private static final Set<String> EXTREMES = Set.of("MIN", "MAX");

  private final Analysis analysis;
  private final Placement placement;
  private final ShardedNames names;
  private final SelectFacts select;
  private final SelectLayout layout;
  private final SlotValues values;
  private final SortedSet<Integer> guards;
  private final SqlTokens tokens;
  private final SourceEdits edits;

  /** The node whose database tells the columns: the first one that answers. */
  private final int describedNode;

  private final List<ResultColumn> visible;
  private final OutputColumns output;
  private final LegColumns leg;
  private final List<List<Piece>> visiblePieces = new ArrayList<>();
  private final boolean grouped;
  private final OpenOperands openOperands;

  /** Null until it is asked for. */
  private @Nullable Quotients quotients;

  /** Columns of a leg as they are compared; asked for when a string is compared. */
  private List<ResultColumn> stored = List.of();

  /**
   * @param guards slots whose literals decide the plan's shape are added to it
   */
  ScatterDraft(
      PlacedStatement query, SelectFacts select, SelectLayout layout, SortedSet<Integer> guards) {
    this.analysis = query.analysis();
    this.placement = query.placement();
    this.names = query.names();
    this.select = select;
    this.layout = layout;
    this.values = analysis.task().written();
    this.guards = guards;
    this.tokens = analysis.source().tokens();
    this.edits = analysis.edits();
    this.openOperands = new OpenOperands(tokens);
    NodeLayout nodesOfFirst = placement.layout(0);
    this.describedNode =
        analysis.task().nearest(nodesOfFirst.size(), node -> nodesOfFirst.node(node).dataSource());
    int[] nodes = new int[analysis.sharded().size()];
    Arrays.fill(nodes, describedNode);
    ShardQuery original =
        query.single().query(nodesOfFirst.node(describedNode).dataSource(), nodes, values);
    List<ResultColumn> described = analysis.task().catalog().describe(original);
    this.visible = query.mapping().logical(described);
    this.grouped = select.isGrouped();
    this.output = new OutputColumns(select, layout, edits, visible);
    this.leg = new LegColumns(edits, visible.size());
    String star = StarColumns.of(analysis, layout, described);
    for (Span item : layout.items()) {
      visiblePieces.add(
          !star.isEmpty() && StarColumns.isStar(tokens, item)
              ? List.of(edits.text(star))
              : edits.copyTokens(item.first(), item.behind()));
      guards.addAll(item.literals(tokens));
    }
  }

  Analysis analysis() {
    return analysis;
  }

  /** What is read with more digits than is told. */
  Quotients quotients() {
    Quotients found = quotients == null ? Quotients.read(analysis) : quotients;
    quotients = found;
    return found;
  }

  SelectFacts select() {
    return select;
  }

  SelectLayout layout() {
    return layout;
  }

  SqlTokens tokens() {
    return tokens;
  }

  SourceEdits edits() {
    return edits;
  }

  /** What the client is told. */
  List<ResultColumn> visible() {
    return visible;
  }

  OutputColumns output() {
    return output;
  }

  /** Hidden columns may be added until {@link #sql} is asked for the last time. */
  LegColumns leg() {
    return leg;
  }

  List<Piece> copy(Span span) {
    return edits.copyTokens(span.first(), span.behind());
  }

  /** The plan holds for this literal only. */
  void guard(int slot) {
    guards.add(slot);
  }

  /**
   * Weights of the blank that a column is padded with.
   *
   * @param expression of the column
   * @param groupBy GROUP BY of the legs
   */
  byte[] pad(int column, List<Piece> expression, List<Piece> groupBy) {
    if (column >= stored.size()) {
      ShardQuery query = query(sql(List.of(), groupBy));
      stored = analysis.task().catalog().describeStored(query);
    }
    SchemaCatalog catalog = analysis.task().catalog();
    String source = source();
    CollationWeights told = catalog.weights(source, stored.get(column).collation());
    boolean clear =
        !DecidedCollations.mayStandForOthers(told.collation()) || !catalog.isMariaDb(source);
    CollationWeights weights = clear ? told : catalog.weights(source, collation(expression));
    if (!weights.decide()) {
      throw new NotMergeableException(
          "comparing strings of collation " + weights.collation(),
          "use a collation whose weights decide");
    }
    return weights.blank();
  }

  /** What calculates with types that its execution alone tells. */
  OpenOperands openOperands() {
    return openOperands;
  }

  /** The one that is asked of the columns. */
  private String source() {
    return placement.layout(0).node(describedNode).dataSource();
  }

  boolean isMariaDb() {
    return analysis.task().catalog().isMariaDb(source());
  }

  /** Whether databases order a string that is no column otherwise than they compare it. */
  boolean sortsExpressionsUnpadded(int column) {
    SchemaCatalog catalog = analysis.task().catalog();
    String source = source();
    return catalog.isMariaDb(source)
        && DecidedCollations.sortsExpressionsUnpadded(
            catalog.weights(source, stored.get(column).collation()).collation());
  }

  /** The full name of an expression's collation, which the protocol does not tell. */
  private String collation(List<Piece> expression) {
    var pieces = new ArrayList<Piece>();
    pieces.add(edits.text("SELECT COLLATION((SELECT "));
    pieces.addAll(expression);
    pieces.add(edits.text(" "));
    pieces.addAll(edits.copyTokens(layout.from(), layout.body()));
    pieces.add(edits.text(" LIMIT 0))"));
    ShardQuery query =
        query(
            new LegSql(
                placement.layout(0),
                names,
                analysis.sharded().size(),
                placement.split(pieces),
                "",
                "",
                List.of(),
                1,
                null,
                analysis.source().charset()));
    try {
      List<List<@Nullable String>> rows = analysis.task().catalog().rows(query);
      String name = rows.isEmpty() ? null : rows.getFirst().getFirst();
      if (name != null) {
        return name;
      }
    } catch (SchemaCatalog.DescribeException notAlone) {
      // what cannot be asked alone is compared by a database
    }
    throw new NotMergeableException(
        "comparing strings of a collation that is not told", "select the column itself");
  }

  /** One leg. */
  private ShardQuery query(LegSql sql) {
    var one = new BitSet();
    one.set(describedNode);
    return sql.queries(one, -1, values).getFirst();
  }

  /**
   * The statements of the legs with the hidden columns that are known by now.
   *
   * @param keys what each leg sorts by
   * @param groupBy GROUP BY of each leg; empty: none
   */
  LegSql sql(List<SortKey> keys, List<Piece> groupBy) {
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
      pieces.addAll(copy(layout.having()));
    }
    var tail = new ArrayList<Piece>();
    if (!layout.tail().isEmpty()) {
      tail.add(edits.text(" "));
      tail.addAll(copy(layout.tail()));
    }
    return new LegSql(
        placement.layout(0),
        names,
        analysis.sharded().size(),
        placement.split(pieces),
        orderText(keys, this::legPosition),
        orderText(keys, ScatterDraft::position),
        tail,
        unites() ? analysis.task().mostLegs() : 1,
        null,
        analysis.source().charset());
  }

  private boolean unites() {
    return layout.tail().isEmpty()
        && layout.unites(tokens)
        && !UnionEffects.areIn(analysis)
        && !bindsColumns();
  }

  /** Whether a column's type is that of what is bound: no description tells what a UNION does. */
  private boolean bindsColumns() {
    return Stream.of(layout.items(), layout.groupBy(), layout.orderBy())
        .flatMap(List::stream)
        .anyMatch(openOperands::areIn);
  }

  /**
   * The statements with the tables of a data source one by one if a UNION of them would change
   * values.
   *
   * @param columns of {@code sql}
   */
  LegSql settled(LegSql sql, List<ResultColumn> columns) {
    BitSet pair = sql.mostLegs() == 1 ? new BitSet() : pair();
    if (pair.isEmpty()) {
      return sql;
    }
    if (retypes(columns)
        || UnionEffects.areIn(analysis, columns, isMariaDb())
        || ShownDoubles.areIn(analysis, layout, columns)
        || MissingDays.areWritten(sql.leg())) {
      return sql.apart();
    }
    try {
      ShardQuery union = sql.queries(pair, -1, values).getFirst();
      return UnitedColumns.keep(columns, analysis.task().catalog().describe(union))
          ? sql.dated(dates(columns))
          : sql.apart();
    } catch (SchemaCatalog.DescribeException notTogether) {
      return sql.apart();
    }
  }

  private static Set<String> dates(List<ResultColumn> columns) {
    return columns.stream()
        .filter(Comparability::isDate)
        .map(ResultColumn::name)
        .collect(Collectors.toSet());
  }

  /**
   * Whether the database tells what it groups otherwise than a UNION would: MySQL's temporary
   * tables make an INT or a BIGINT of each expression that is an integer, and what they have room
   * for of MIN and MAX, unless of a table's column.
   */
  private boolean retypes(List<ResultColumn> columns) {
    boolean keeps = grouped || select.distinct();
    boolean found = false;
    for (int i = 0; keeps && i < select.items().size() && !found; i++) {
      SelectItem item = select.items().get(i);
      ResultColumn column = columns.get(i);
      found =
          column.orgName().isEmpty()
              && (item instanceof SelectItem.Aggregate aggregate
                  ? grouped && isComputed(aggregate, layout.items().get(i))
                  : Comparability.isInteger(column));
    }
    return found
        && !analysis
            .task()
            .catalog()
            .isMariaDb(placement.layout(0).node(describedNode).dataSource());
  }

  /** Whether it is the extreme of something else than a table's column. */
  private boolean isComputed(SelectItem.Aggregate aggregate, Span item) {
    boolean readsView = analysis.sharded().stream().anyMatch(table -> table.view() != null);
    var argument = new Span(item.first() + 2, tokens.closing(item.first() + 1));
    return EXTREMES.contains(aggregate.function())
        && (readsView || !SelectItems.isColumn(tokens, argument));
  }

  /** Two nodes of one data source; empty where all have one of their own. */
  private BitSet pair() {
    NodeLayout nodes = placement.layout(0);
    var found = new BitSet();
    for (int a = 0; a < nodes.size() && found.isEmpty(); a++) {
      String source = nodes.node(a).dataSource();
      for (int b = a + 1; b < nodes.size() && found.isEmpty(); b++) {
        boolean both = nodes.node(b).dataSource().equals(source);
        if (both && analysis.task().catalog().isReachable(source)) {
          found.set(a);
          found.set(b);
        }
      }
    }
    return found;
  }

  private static String orderText(List<SortKey> keys, ToIntFunction<SortKey> position) {
    return keys.isEmpty()
        ? ""
        : keys.stream()
            .map(key -> (position.applyAsInt(key) + 1) + (key.descending() ? " DESC" : ""))
            .collect(Collectors.joining(", ", " ORDER BY ", ""));
  }

  /** A table sorts its columns of TIMESTAMP by the moment, and has keys for that. */
  private int legPosition(SortKey key) {
    boolean isMoment =
        key.weight() >= 0
            && key.column() < visible.size()
            && Comparability.of(visible.get(key.column())) == Comparability.MOMENT;
    return isMoment ? key.column() : position(key);
  }

  /** Weights without padding order like their collation; numbers of ENUM survive a UNION. */
  private static int position(SortKey key) {
    return key.weight() >= 0 && key.padWeight().length == 0 ? key.weight() : key.column();
  }

  /** The client's columns as they are, hidden ones as the database describes them. */
  List<ResultColumn> columns(LegSql sql) {
    if (leg.size() == leg.visible()) {
      return visible;
    }
    List<ResultColumn> described;
    try {
      described = analysis.task().catalog().describe(query(sql));
    } catch (SchemaCatalog.DescribeException notAsColumn) {
      throw new NotMergeableException(
          "ordering or grouping by an expression over aliases", "select the expression itself");
    }
    if (described.size() != leg.size()) {
      throw new NotMergeableException(
          "a select list that the database reads otherwise", "give each expression an alias");
    }
    var columns = new ArrayList<>(visible);
    columns.addAll(described.subList(visible.size(), described.size()));
    return List.copyOf(columns);
  }

  static PlanNode limited(PlanNode rows, LimitRule limit, SlotValues bound) {
    long count = limit.count(bound);
    return count < 0 ? rows : new PlanNode.Limit(rows, limit.offset(bound), count);
  }

  /** Takes the hidden columns off. */
  static PlanNode trimmed(PlanNode rows, boolean trims, int width) {
    return trims ? new PlanNode.TrimColumns(rows, width) : rows;
  }
}
