package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.planner.scatter.ScatterPlanner;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Scatter;
import io.anabranch.rules.planner.strategy.Strategy;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.task.PlanTask;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Expressions over aggregates: the groups are merged as those of {@code SELECT keys, aggregates …
 * GROUP BY keys}, and a database computes the expressions, HAVING, ORDER BY and LIMIT over the few
 * merged rows. What it does not take is left to copies of the tables. Used once.
 */
public final class ComputedGroups implements Strategy {

  private static final String GROUPS = StagedTable.GROUPS;
  private static final String ITEM = "ab_item_";
  private static final int DECIMAL = 246;
  private static final int DOUBLE = 5;
  private static final int UNSIGNED = 0x20;

  private final PlacedStatement query;
  private final Analysis analysis;
  private final PlanTask task;
  private final SqlTokens tokens;
  private final SortedSet<Integer> guards = new TreeSet<>();

  public ComputedGroups(PlacedStatement query) {
    this.query = query;
    this.analysis = query.analysis();
    this.task = analysis.task();
    this.tokens = analysis.source().tokens();
  }

  @Override
  public String name() {
    return "groups";
  }

  @Override
  public boolean bringsTogether() {
    return false;
  }

  @Override
  public Attempt attempt() {
    SelectFacts select = analysis.facts().select();
    SelectLayout layout = SelectLayout.of(tokens).orElse(null);
    return select == null || layout == null || !select.isGrouped() || !isTaken(select, layout)
        ? new Attempt.Unconcerned()
        : Attempt.of(() -> plan(select, layout));
  }

  private boolean isTaken(SelectFacts select, SelectLayout layout) {
    return layout.matches(select)
        && layout.tail().isEmpty()
        && !select.rollup()
        && !select.calculatesFoundRows()
        && SessionWords.tiedToSession(tokens).isEmpty()
        && !analysis.facts().windows()
        && !analysis.sharded().isEmpty()
        && query.placement().isOneGroup()
        && !query.placement().hasSingleTables()
        && !mentionsZerofill();
  }

  /** Merged groups do not tell with how many zeros the server writes their numbers. */
  private boolean mentionsZerofill() {
    return analysis.sharded().stream()
        .anyMatch(table -> analysis.mentions(table, SchemaCatalog.Column::isZerofill));
  }

  private Attempt plan(SelectFacts select, SelectLayout layout) {
    boolean mariaDb = task.catalog().isMariaDb(query.placement().layout(0).node(0).dataSource());
    String increment = task.scope().settings().getOrDefault("div_precision_increment", "");
    var columns = new GroupColumns(analysis, select, layout, Averages.of(mariaDb, increment));
    rest(select, layout, columns, List.of());
    Substatement groups = columns.query();
    PlacedStatement placed = PlacedStatement.of(new StatementReader().read(groups.task()));
    return switch (new ScatterPlanner(placed).attempt()) {
      case Attempt.Taken merged -> {
        var stored = columns.stored(task.catalog().describe(placed.onFirst()));
        Scatter scatter = scatter(select, layout, columns, stored, groups, merged.scatter());
        int[] guarded = guards.stream().mapToInt(Integer::intValue).toArray();
        yield new Attempt.Taken(scatter, query.mapping(), guarded);
      }
      // its guards are slots of a statement of our own
      case Attempt.Declined declined -> Attempt.declined(declined.reason());
      case Attempt.Unconcerned none -> none;
    };
  }

  /**
   * The statement over the merged groups.
   *
   * @param told what the client is told of the columns; empty: the columns are only collected
   */
  private Substatement.Builder rest(
      SelectFacts select, SelectLayout layout, GroupColumns columns, List<ResultColumn> told) {
    var rest = new Substatement.Builder(task, analysis.source());
    // Servers forget such a DISTINCT, too: then rows may be ordered by what they do not show.
    boolean isIdle = select.distinct() && columns.showsKeys();
    rest.tokens(0, isIdle ? 1 : layout.items().getFirst().first());
    for (int item = 0; item < layout.items().size(); item++) {
      Span span = layout.items().get(item);
      Span expression = GroupColumns.withoutAlias(tokens, select, item, span);
      rest.text(item == 0 ? " " : ", ");
      boolean typed = item < told.size() && Averages.areIn(tokens, expression);
      ResultColumn type = typed ? told.get(item) : null;
      if (type == null) {
        columns.compute(expression, rest, false);
      } else {
        computed(expression, type, columns, rest);
      }
      if (span.behind() > expression.behind()) {
        rest.text(" ").tokens(expression.behind(), span.behind());
      } else if (type != null) {
        rest.text(" AS " + ITEM + item);
      }
      guards.addAll(span.literals(tokens));
    }
    rest.text(" FROM " + GROUPS);
    if (!layout.having().isEmpty()) {
      rest.text(" WHERE ");
      columns.compute(layout.having(), rest, false);
    }
    if (!layout.orderClause().isEmpty()) {
      rest.text(" ORDER BY ");
      Span clause = layout.orderClause();
      columns.compute(new Span(clause.first() + 2, clause.behind()), rest, true);
    }
    int limit = limit(layout);
    return rest.text(" ").tokens(limit, tokens.size());
  }

  /** Of the type that an expression over AVG has on the server, which knows its digits. */
  private void computed(
      Span expression, ResultColumn type, GroupColumns columns, Substatement.Builder to) {
    boolean whole = Comparability.isInteger(type);
    boolean decimal = type.type() == DECIMAL;
    if (type.type() == DOUBLE && columns.averagesExact()) {
      throw Averages.refused();
    }
    if (decimal && columns.showsOwnDigits() && SelectLayout.chooses(tokens, expression)) {
      chosen(expression, columns, to);
      return;
    }
    to.text(whole ? "CAST(" : decimal ? "ROUND(" : "");
    columns.compute(expression, to, false);
    if (whole) {
      to.text((type.flags() & UNSIGNED) != 0 ? " AS UNSIGNED)" : " AS SIGNED)");
    } else if (decimal) {
      to.text(", ").number(type.decimals()).text(")");
    }
  }

  /** MySQL shows the digits of the value that is chosen, and not those of the whole type. */
  private void chosen(Span expression, GroupColumns columns, Substatement.Builder to) {
    List<Span> choices = SelectLayout.choices(tokens, expression);
    int written = expression.first();
    for (Span choice : choices) {
      columns.compute(new Span(written, choice.first()), to, false);
      if (!Averages.areIn(tokens, choice)) {
        columns.compute(choice, to, false);
      } else if (columns.isAverage(choice)) {
        to.text(" ROUND(");
        columns.compute(choice, to, false);
        to.text(", ").number(columns.decimalsOfAverage(choice)).text(")");
      } else {
        chosen(choice, columns, to);
      }
      written = choice.behind();
    }
    if (choices.isEmpty()) {
      throw Averages.refused();
    }
    columns.compute(new Span(written, expression.behind()), to, false);
  }

  /** The token LIMIT, or behind the last. */
  private int limit(SelectLayout layout) {
    int found =
        tokens
            .from(layout.body())
            .find(
                token ->
                    tokens.depth(token) == 0
                        && tokens.isWord(token, "LIMIT")
                        && tokens.kind(token) == TokenKind.WORD);
    return found < 0 ? tokens.size() : found;
  }

  private Scatter scatter(
      SelectFacts select,
      SelectLayout layout,
      GroupColumns columns,
      List<GroupColumns.Stored> stored,
      Substatement groups,
      Scatter merged) {
    List<StagedTable.Cell> cells = stored.stream().map(GroupColumns.Stored::cell).toList();
    String definition =
        String.join(", ", stored.stream().map(GroupColumns.Stored::definition).toList());
    List<ResultColumn> told = query.mapping().logical(task.catalog().describe(query.onFirst()));
    columns.refuseTextsOfBits(told);
    Substatement rest = rest(select, layout, columns, told).build();
    var sources = new StageSources(task.database(), task.rules().properties().stageDataSource());
    var source = rest.task().source();
    List<Piece> pieces = new SourceEdits(source).copy(0, source.bytes().length);
    return (legs, bound) -> {
      PlanNode rows = merged.root(legs, groups.values(bound));
      var rendering =
          new SqlRendering(rest.values(bound), ShardedNames.none(), source.bytes().length);
      rendering.append(pieces, new int[0]);
      String where = sources.choose(counts(legs));
      return new PlanNode.Stage(
          List.of(new StagedTable(GROUPS, "(" + definition + ")", rows, cells, null)),
          rendering.query(where),
          told,
          sources.room(where),
          false);
    };
  }

  private Map<String, Integer> counts(BitSet legs) {
    Map<String, Integer> counts = new HashMap<>();
    for (int leg = legs.nextSetBit(0); leg >= 0; leg = legs.nextSetBit(leg + 1)) {
      counts.merge(query.placement().layout(0).node(leg).dataSource(), 1, Integer::sum);
    }
    return counts;
  }
}
